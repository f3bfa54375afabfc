import {
  AuthorityType,
  getApproveInstruction,
  getCloseAccountInstruction,
  getRevokeInstruction,
  getSetAuthorityInstruction,
} from '@solana-program/token-2022';
import {
  AccountRole,
  address,
  generateKeyPairSigner,
  getBase64Encoder,
  type Address,
  type KeyPairSigner,
  type Rpc,
  type SolanaRpcApi,
} from '@solana/kit';
import { program } from '@subrail/adapters/solana';
import { sendInstructions, tokenAccountOf, type Token } from '@subrail/localnet';

const TOKEN_PROGRAM = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
/** Fills an unused place in a list of wallets. */
const EMPTY_SLOT = address('11111111111111111111111111111111');
/** Offsets and states in a token account's data (program#token-account-and-mint-layouts). */
const STATE_BYTE = 108;
const INITIALIZED = 1;
const FROZEN = 2;
const AMOUNT_AT = 64;
/** The offset of the price in a subscription's account (program#subscription-layout). */
const PRICE_AT = 107;
/** The selector of close_subscription_authority (program#instruction-dispatch). */
const CLOSE_AUTHORITY = 6;

/** Sets an account without a transaction, for states that no transaction, or only the issuer's, can cause. */
export type PutAccount = (
  account: Address,
  parts: { readonly data?: Uint8Array; readonly lamports?: bigint },
) => Promise<void>;

/** What identifies a plan on chain, whether or not its account exists now. */
export interface PlanFacts {
  readonly address: Address;
  readonly planId: bigint;
  readonly amount: bigint;
  readonly periodHours: number;
  /** Seconds of the chain's clock. */
  readonly createdAt: bigint;
  readonly charger: Address;
}

/** Reads the facts of a plan whose account exists. */
export async function planFacts(rpc: Rpc<SolanaRpcApi>, at: Address): Promise<PlanFacts> {
  const { planId, amount, periodHours, createdAt, pullers, owner } = await planAt(rpc, at);
  const [charger = owner] = pullers;
  return { address: at, planId, amount, periodHours: Number(periodHours), createdAt, charger };
}

/** The parties of one subscription and the chain they act on, without the service. */
export interface OutsideParties {
  readonly rpc: Rpc<SolanaRpcApi>;
  readonly token: Token;
  readonly owner: KeyPairSigner;
  readonly plan: PlanFacts;
  readonly wallet: KeyPairSigner;
  /** Acts a second later, on a new blockhash: equal instructions on one blockhash are one transaction. */
  readonly inNewBlock: <T>(act: () => Promise<T>) => Promise<T>;
  readonly put: PutAccount;
}

/** What the wallet, the plan's owner and the token's issuer can do on chain without the service. */
export interface OutsideActions {
  /** The wallet revokes its approval. */
  revokeApproval(): Promise<void>;
  /** The wallet approves less than the price, or another amount. */
  approveLittle(amount?: bigint): Promise<void>;
  closeAuthority(): Promise<void>;
  reopenAuthority(): Promise<void>;
  reassignTokenAccount(): Promise<void>;
  /** The wallet empties and closes its token account. */
  closeTokenAccount(): Promise<void>;
  /** The wallet subscribes without the service, and pays nothing. */
  subscribe(): Promise<void>;
  cancel(): Promise<void>;
  /** The wallet undoes its cancellation. */
  resume(): Promise<void>;
  /** The wallet closes its cancelled and expired subscription. */
  closeSubscription(): Promise<void>;
  /** The wallet closes its cancelled and expired subscription and makes another, in one transaction. */
  remake(): Promise<void>;
  /** The owner takes the charger off the plan. */
  removeCharger(): Promise<void>;
  /** The owner lists the charger again. */
  addCharger(): Promise<void>;
  /** The owner sets the end of the plan, or an earlier one. */
  endAt(end: Date): Promise<void>;
  /** The owner stops new subscriptions, which only a plan with an end date allows. */
  sunset(): Promise<void>;
  deletePlan(): Promise<void>;
  /** The owner creates another plan under the same number. */
  recreatePlan(): Promise<void>;
  /** The owner pulls the period itself. */
  pullAsOwner(): Promise<void>;
  /** The receiving account gets another owner. */
  reassignReceiver(): Promise<void>;
  freeze(whose: 'wallet' | 'owner'): Promise<void>;
  thaw(whose: 'wallet' | 'owner'): Promise<void>;
  /** Removes the receiving wallet's token account, the mint, or the subscription's account. */
  remove(what: 'receiver' | 'mint' | 'subscription'): Promise<void>;
  /** Changes the price that the subscription's account holds. */
  alterPrice(): Promise<void>;
}

export async function outsideActions(parties: OutsideParties): Promise<OutsideActions> {
  const { rpc, token, owner, wallet, plan, put } = parties;
  const tokenProgram = token.program ?? TOKEN_PROGRAM;
  const onToken = { programAddress: tokenProgram };
  const planAddress = plan.address;
  const addresses = program.createAddresses();
  const authority = await addresses.authority(wallet.address, token.mint);
  const subscription = await addresses.subscription(planAddress, wallet.address);
  const source = await tokenAccountOf(token, wallet.address);
  const receiver = await tokenAccountOf(token, owner.address);
  const sendAs = (signer: KeyPairSigner, ...instructions: Parameters<typeof sendInstructions>[2]) =>
    parties.inNewBlock(() => sendInstructions(rpc, signer, instructions));
  const accountOf = { wallet: source, owner: receiver };
  const setState = async (account: Address, state: number) => {
    const data = await dataOf(rpc, account);
    data[STATE_BYTE] = state;
    await put(account, { data });
  };

  const closeInstruction = program.revoke({
    wallet: wallet.address,
    plan: planAddress,
    subscription,
    payer: wallet.address,
  });
  const subscribeInstruction = async () => {
    const authorityAccount = program.decodeAuthority(await dataOf(rpc, authority));
    const { planId, amount, createdAt, periodHours } = plan;
    const [, planBump] = await addresses.plan(owner.address, planId);
    return program.subscribe({
      wallet: wallet.address,
      owner: owner.address,
      plan: planAddress,
      subscription,
      authority,
      mint: token.mint,
      ...{ planBump, planId, amount, createdAt, periodHours },
      initId: authorityAccount?.initId ?? program.UNKNOWN_INIT_ID,
    });
  };

  const updatePlanTo = async (change: {
    readonly sunset?: boolean;
    readonly pullers?: Address[];
    readonly endTs?: bigint;
  }) => {
    const seen = await planAt(rpc, planAddress);
    const { endTs, pullers } = seen;
    const current = pullers.filter((puller) => puller !== EMPTY_SLOT);
    await sendAs(
      owner,
      program.updatePlan({
        plan: planAddress,
        seen,
        sunset: false,
        endTs,
        pullers: current,
        metadata: '',
        ...change,
      }),
    );
  };

  return {
    revokeApproval: () => sendAs(wallet, getRevokeInstruction({ source, owner: wallet }, onToken)),
    approveLittle: (amount = plan.amount - 1n) =>
      sendAs(wallet, getApproveInstruction({ source, delegate: authority, owner: wallet, amount }, onToken)),
    closeAuthority: () =>
      sendAs(wallet, {
        programAddress: program.SUBSCRIPTIONS_PROGRAM,
        accounts: [
          { address: wallet.address, role: AccountRole.WRITABLE_SIGNER },
          { address: authority, role: AccountRole.WRITABLE },
        ],
        data: new Uint8Array([CLOSE_AUTHORITY]),
      }),
    reopenAuthority: () =>
      sendAs(
        wallet,
        program.initAuthority({
          wallet: wallet.address,
          authority,
          mint: token.mint,
          tokenAccount: source,
          tokenProgram,
        }),
      ),
    async reassignTokenAccount() {
      const other = await generateKeyPairSigner();
      await sendAs(
        wallet,
        getSetAuthorityInstruction(
          {
            owned: source,
            owner: wallet,
            authorityType: AuthorityType.AccountOwner,
            newAuthority: other.address,
          },
          onToken,
        ),
      );
    },
    async closeTokenAccount() {
      // Only an empty account can be closed.
      const data = await dataOf(rpc, source);
      data.fill(0, AMOUNT_AT, AMOUNT_AT + 8);
      await put(source, { data });
      await sendAs(
        wallet,
        getCloseAccountInstruction({ account: source, destination: wallet.address, owner: wallet }, onToken),
      );
    },
    subscribe: async () =>
      sendAs(
        wallet,
        program.initAuthority({
          wallet: wallet.address,
          authority,
          mint: token.mint,
          tokenAccount: source,
          tokenProgram,
        }),
        await subscribeInstruction(),
      ),
    remake: async () => sendAs(wallet, closeInstruction, await subscribeInstruction()),
    async resume() {
      const seen = program.decodeSubscription(await dataOf(rpc, subscription));
      if (seen === null) throw new Error('The chain has no such subscription.');
      const { expiresAt } = seen;
      await sendAs(
        wallet,
        program.resume({ wallet: wallet.address, plan: planAddress, subscription, authority, expiresAt }),
      );
    },
    cancel: () => sendAs(wallet, program.cancel({ wallet: wallet.address, plan: planAddress, subscription })),
    closeSubscription: () => sendAs(wallet, closeInstruction),
    addCharger: async () => updatePlanTo({ pullers: [plan.charger] }),
    removeCharger: async () => updatePlanTo({ pullers: [] }),
    endAt: async (end) => updatePlanTo({ endTs: BigInt(end.getTime()) / 1000n }),
    sunset: async () => updatePlanTo({ sunset: true }),
    deletePlan: () => sendAs(owner, program.deletePlan({ owner: owner.address, plan: planAddress })),
    recreatePlan: () =>
      sendAs(
        owner,
        program.createPlan({
          owner: owner.address,
          plan: planAddress,
          planId: plan.planId,
          mint: token.mint,
          tokenProgram,
          amount: plan.amount,
          periodHours: plan.periodHours,
          endTs: 0n,
          destinations: [],
          pullers: [plan.charger],
          metadata: '',
        }),
      ),
    pullAsOwner: () =>
      sendAs(
        owner,
        program.transfer({
          subscription,
          plan: planAddress,
          authority,
          source,
          receiver,
          charger: owner.address,
          mint: token.mint,
          tokenProgram,
          wallet: wallet.address,
          amount: plan.amount,
        }),
      ),
    async reassignReceiver() {
      const other = await generateKeyPairSigner();
      await sendAs(
        owner,
        getSetAuthorityInstruction(
          { owned: receiver, owner, authorityType: AuthorityType.AccountOwner, newAuthority: other.address },
          onToken,
        ),
      );
    },
    freeze: (whose) => setState(accountOf[whose], FROZEN),
    thaw: (whose) => setState(accountOf[whose], INITIALIZED),
    remove: (what) => put({ mint: token.mint, receiver, subscription }[what], { lamports: 0n }),
    async alterPrice() {
      const data = await dataOf(rpc, subscription);
      data[PRICE_AT] = (data[PRICE_AT] ?? 0) ^ 1;
      await put(subscription, { data });
    },
  };
}

/** A copy of an account's data; empty when the account does not exist. */
async function dataOf(rpc: Rpc<SolanaRpcApi>, account: Address): Promise<Uint8Array> {
  const { value } = await rpc.getAccountInfo(account, { encoding: 'base64', commitment: 'confirmed' }).send();
  return Uint8Array.from(getBase64Encoder().encode(value?.data[0] ?? ''));
}

async function planAt(rpc: Rpc<SolanaRpcApi>, account: Address): Promise<program.PlanAccount> {
  const plan = program.decodePlan(await dataOf(rpc, account));
  if (plan === null) throw new Error('The chain has no such plan.');
  return plan;
}
