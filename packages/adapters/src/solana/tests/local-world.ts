import {
  type Address,
  type Instruction,
  type KeyPairSigner,
  AccountRole,
  blockhash,
  partiallySignTransaction,
} from '@solana/kit';
import {
  AccountState,
  type ExtensionArgs,
  TOKEN_2022_PROGRAM_ADDRESS,
  getMintEncoder,
  getTokenEncoder,
} from '@solana-program/token-2022';
import type {
  BuildRequest,
  UnsignedTransaction,
  ChargeTarget,
  Chain,
  ChargeView,
  TransactionOutcome,
  PlanOnChain,
  SignedTransaction,
} from '@subrail/core/ports';
import { type Localnet, createLocalnet, localnetTransport } from '@subrail/localnet';
import { createSolanaChain } from '../index.js';
import { SUBSCRIPTIONS_PROGRAM, TOKEN_PROGRAM, createAddresses } from '../program/addresses.js';
import { compile } from '../transaction/message.js';
import { initAuthority } from '../program/subscriber-instructions.js';
import { decodeWire, encodeWire } from '../transaction/wire.js';
import { charger, signerOf, untimed } from './chain-on.js';
import { key } from './charge-view.js';

/** A token program, with the extensions of its mint and of its token accounts. */
export interface TokenKind {
  readonly program: Address;
  readonly mint: readonly ExtensionArgs[];
  readonly account: readonly ExtensionArgs[];
}

export const CLASSIC: TokenKind = { program: TOKEN_PROGRAM, mint: [], account: [] };

export function token2022(
  mint: readonly ExtensionArgs[] = [],
  account: readonly ExtensionArgs[] = [],
): TokenKind {
  return { program: TOKEN_2022_PROGRAM_ADDRESS, mint, account: [{ __kind: 'ImmutableOwner' }, ...account] };
}

export const [owner, wallet, receiver] = await Promise.all([signerOf(11), signerOf(12), signerOf(13)]);
export const PRICE = 10_000_000n;
export const HOUR = 3600;
const START = 1_800_000_000n;
const MINT = key(6);
const LAMPORTS = 1_000_000_000n;

interface AccountFields {
  readonly amount?: bigint;
  readonly frozen?: boolean;
  readonly extensions?: readonly ExtensionArgs[];
}

/** A local chain with a plan of one hour, a wallet that can pay ten periods, and the adapter over it. */
export class LocalWorld {
  readonly #addresses = createAddresses();
  #plan: PlanOnChain;

  private constructor(
    readonly kind: TokenKind,
    readonly net: Localnet,
    readonly chain: Chain,
  ) {
    this.#plan = {
      address: '',
      owner: owner.address,
      number: 0n,
      createdAt: net.now(),
      mint: MINT,
      tokenProgram: kind.program,
      amount: PRICE,
      periodHours: 1,
      receiver: receiver.address,
    };
  }

  static async open(kind: TokenKind = CLASSIC, endsAt: Date | null = null): Promise<LocalWorld> {
    const net = createLocalnet({ unixTime: START, seed: new Uint8Array(32), monotonicMs: () => 0 });
    const rpc = localnetTransport(net);
    const chain = createSolanaChain({ rpc, charger, network: 'devnet', ...untimed(() => net.now()) });
    for (const { address } of [owner, wallet, charger]) net.airdrop(address, LAMPORTS);
    const world = new LocalWorld(kind, net, chain);
    world.setMint(kind.mint);
    await world.setTokenAccount(wallet.address, { amount: 10n * PRICE });
    await world.setTokenAccount(receiver.address);
    await world.publish(endsAt);
    return world;
  }

  /** The plan that was published last. */
  get plan(): PlanOnChain {
    return this.#plan;
  }

  /** Publishes the owner's next plan, which differs only in its number and its end. */
  async publish(endsAt: Date | null = null): Promise<void> {
    const number = this.#plan.number + 1n;
    const address = await this.chain.planAddress(owner.address, number);
    this.#plan = { ...this.#plan, address, number, createdAt: this.net.now() };
    await this.sendAs(owner, {
      ...this.#plan,
      kind: 'create_plan',
      endsAt,
      destinations: [receiver.address],
      pullers: [charger.address],
      metadata: '{}',
    });
  }

  setMint(extensions: readonly ExtensionArgs[]): void {
    const data = getMintEncoder().encode({
      mintAuthority: owner.address,
      supply: 1_000_000_000_000n,
      decimals: 6,
      isInitialized: true,
      freezeAuthority: owner.address,
      extensions: extensions.length === 0 ? null : [...extensions],
    });
    this.#set(MINT, Uint8Array.from(data), this.kind.program);
  }

  async setTokenAccount(
    of: Address,
    { amount = 0n, frozen = false, extensions = [] }: AccountFields = {},
  ): Promise<void> {
    const carried = [...this.kind.account, ...extensions];
    const data = getTokenEncoder().encode({
      mint: MINT,
      owner: of,
      amount,
      delegate: null,
      state: frozen ? AccountState.Frozen : AccountState.Initialized,
      isNative: null,
      delegatedAmount: 0n,
      closeAuthority: null,
      extensions: carried.length === 0 ? null : carried,
    });
    this.#set(await this.tokenAccount(of), Uint8Array.from(data), this.kind.program);
  }

  /** Changes bytes of the wallet's token account, as instructions of other programs could. */
  async changeSource(change: (data: Uint8Array) => void): Promise<void> {
    const address = await this.tokenAccount(wallet.address);
    const data = Uint8Array.from(this.net.getAccount(address)?.data ?? []);
    change(data);
    this.net.setAccount(address, { data });
  }

  /** Makes the wallet close its authority (program#close-subscription-authority), as no service does. */
  async closeAuthority(): Promise<void> {
    await this.#sendAsWallet({
      programAddress: SUBSCRIPTIONS_PROGRAM,
      accounts: [
        { address: wallet.address, role: AccountRole.WRITABLE_SIGNER },
        { address: await this.#addresses.authority(wallet.address, MINT), role: AccountRole.WRITABLE },
      ],
      data: Uint8Array.of(6),
    });
  }

  async openAuthority(): Promise<void> {
    await this.#sendAsWallet(
      initAuthority({
        wallet: wallet.address,
        authority: await this.#addresses.authority(wallet.address, MINT),
        mint: MINT,
        tokenAccount: await this.tokenAccount(wallet.address),
        tokenProgram: this.kind.program,
      }),
    );
  }

  tokenAccount(of: Address): Promise<Address> {
    return this.#addresses.tokenAccount(of, MINT, this.kind.program);
  }

  async balance(of: Address): Promise<bigint> {
    const data = this.net.getAccount(await this.tokenAccount(of))?.data ?? new Uint8Array(165);
    return new DataView(Uint8Array.from(data).buffer).getBigUint64(64, true);
  }

  /** The charge of the wallet for the plan. */
  get target(): ChargeTarget {
    return { plan: this.plan, wallet: wallet.address };
  }

  async view(commitment: 'confirmed' | 'finalized' = 'confirmed'): Promise<ChargeView> {
    const [result] = await this.chain.readCharges([this.target], commitment);
    if (!result?.ok) throw new Error(`not read: ${JSON.stringify(result)}`);
    return result.value;
  }

  async build(request: BuildRequest): Promise<UnsignedTransaction> {
    const built = await this.chain.build(request);
    if (!built.ok) throw new Error(`The transaction was not built: ${JSON.stringify(built)}`);
    return built.value;
  }

  /** Builds a first payment, signs it for the wallet and co-signs it. */
  async firstPayment(
    kind: 'subscribe' | 'comeback' = 'subscribe',
  ): Promise<SignedTransaction & { built: UnsignedTransaction }> {
    const built = await this.build({ ...this.target, kind, view: await this.view() });
    const submitted = await signed(built.transaction, wallet);
    const inspection = await this.chain.inspect(submitted, built.transaction, wallet.address);
    if (inspection.kind !== 'ours') throw new Error(inspection.kind);
    return { built, ...(await this.chain.cosign(submitted, built.lastValidBlockHeight)) };
  }

  /** Subscribes a new wallet with ten times the price to the plan, and returns the target of its charges. */
  async subscribe(signer: KeyPairSigner): Promise<ChargeTarget> {
    const target = { plan: this.plan, wallet: signer.address };
    this.net.airdrop(signer.address, LAMPORTS);
    await this.setTokenAccount(signer.address, { amount: 10n * PRICE });
    const [view] = await this.chain.readCharges([target], 'confirmed');
    if (!view?.ok) throw new Error(`not read: ${JSON.stringify(view)}`);
    const built = await this.build({ ...target, kind: 'subscribe', view: view.value });
    const submitted = await signed(built.transaction, signer);
    const { wire } = await this.chain.cosign(submitted, built.lastValidBlockHeight);
    const [sent] = await this.chain.send([wire]);
    if (sent?.kind !== 'sent') throw new Error(`not sent: ${JSON.stringify(sent)}`);
    return target;
  }

  /** Builds and sends a transaction as a wallet would, without the adapter. Returns the runtime's error. */
  async sendAs(signer: KeyPairSigner, request: BuildRequest): Promise<unknown> {
    const built = await this.build(request);
    return this.net.send(await signed(built.transaction, signer)).error;
  }

  /** Sends one instruction, signed and paid for by a signer. Returns the runtime's error. */
  async sendInstruction(instruction: Instruction, signer: KeyPairSigner): Promise<unknown> {
    const { blockhash: recent, lastValidBlockHeight } = this.net.latestBlockhash();
    const lifetime = { blockhash: blockhash(recent), lastValidBlockHeight };
    const compiled = compile(signer.address, [instruction], lifetime, { unitLimit: 200_000, unitPrice: 0n });
    return this.net.send(await signed(encodeWire(compiled), signer)).error;
  }

  async charge(amount = PRICE): Promise<SignedTransaction> {
    const receiverAccount = await this.tokenAccount(receiver.address);
    const result = await this.chain.signCharges([{ ...this.target, amount, receiverAccount }]);
    const [transaction] = result.ok ? result.value : [];
    if (transaction === undefined) throw new Error(`The charge was not signed: ${JSON.stringify(result)}`);
    return transaction;
  }

  async outcome({ signature, lastValidBlockHeight }: SignedTransaction): Promise<TransactionOutcome> {
    const query = { signature, lastValidBlockHeight, mint: MINT, receiver: receiver.address };
    const [outcome] = await this.chain.resolve([query]);
    if (outcome === undefined) throw new Error('The transaction has no outcome.');
    return outcome;
  }

  /** Sends a transaction and returns its outcome. */
  async land(transaction: SignedTransaction): Promise<TransactionOutcome> {
    await this.chain.send([transaction.wire]);
    return this.outcome(transaction);
  }

  async #sendAsWallet(instruction: Instruction): Promise<void> {
    const error = await this.sendInstruction(instruction, wallet);
    if (error !== null) throw new Error(`The instruction failed: ${JSON.stringify(error)}`);
  }

  #set(address: Address, data: Uint8Array, program: Address): void {
    this.net.setAccount(address, { lamports: LAMPORTS, data, owner: program, executable: false });
  }
}

/** Adds a signature to a base64 transaction. */
export async function signed(wire: string, signer: KeyPairSigner): Promise<string> {
  const decoded = decodeWire(wire);
  if (decoded === null) throw new Error('The text is not a transaction.');
  return encodeWire(await partiallySignTransaction([signer.keyPair], decoded.transaction));
}
