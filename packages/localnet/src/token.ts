import { getCreateAccountInstruction } from '@solana-program/system';
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstructionAsync,
  getInitializeMint2Instruction,
  getMintToCheckedInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token-2022';
import {
  address,
  type Address,
  type Instruction,
  type KeyPairSigner,
  type Rpc,
  type SolanaRpcApi,
} from '@solana/kit';
import { sendInstructions } from './wallet.js';

/** The classic token program, which most stablecoins use. */
const CLASSIC = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');

/** A token on a development chain, with the signer that can mint it. */
export interface Token {
  readonly mint: Address;
  readonly decimals: number;
  readonly authority: KeyPairSigner;
  /** The token program of the mint. Default: the classic one. */
  readonly program?: Address;
}

interface MintOptions extends Pick<Token, 'program'> {
  /** Default: 6, as stablecoins have. */
  readonly decimals?: number;
  /** The bytes of the mint with its extensions of Token-2022. Default: 82, without any. */
  readonly bytes?: number;
  /** The instructions that initialize the extensions. Default: none. */
  readonly extend?: readonly Instruction[];
  /** Default: null, nobody can freeze accounts. */
  readonly freezeAuthority?: Address | null;
}

/**
 * Creates a mint by real instructions.
 *
 * @example
 * import { generateKeyPairSigner } from '@solana/kit';
 *
 * const chain = createLocalnet();
 * const [issuer, mint] = await Promise.all([generateKeyPairSigner(), generateKeyPairSigner()]);
 * chain.airdrop(issuer.address, 1_000_000_000n);
 * const token = await createMint(localnetRpc(chain), issuer, mint);
 * await mintTo(localnetRpc(chain), token, issuer.address, 100_000_000n);
 */
export async function createMint(
  rpc: Rpc<SolanaRpcApi>,
  authority: KeyPairSigner,
  mint: KeyPairSigner,
  { decimals = 6, program = CLASSIC, bytes = 82, extend = [], freezeAuthority = null }: MintOptions = {},
): Promise<Token> {
  const space = BigInt(bytes);
  const lamports = await rpc.getMinimumBalanceForRentExemption(space).send();
  const config = { programAddress: program };
  await sendInstructions(rpc, authority, [
    getCreateAccountInstruction({ payer: authority, newAccount: mint, lamports, space, ...config }),
    ...extend,
    getInitializeMint2Instruction(
      { mint: mint.address, decimals, mintAuthority: authority.address, freezeAuthority },
      config,
    ),
  ]);
  return { mint: mint.address, decimals, authority, program };
}

/** The address of a wallet's associated account for a token. */
export async function tokenAccountOf(token: Token, wallet: Address): Promise<Address> {
  const { mint, program = CLASSIC } = token;
  const [account] = await findAssociatedTokenPda({ owner: wallet, tokenProgram: program, mint });
  return account;
}

/** A wallet's balance of a token in the smallest unit; null without an account for it. */
export async function tokenBalanceOf(
  rpc: Rpc<SolanaRpcApi>,
  token: Token,
  wallet: Address,
): Promise<bigint | null> {
  const account = await tokenAccountOf(token, wallet);
  const { value } = await rpc.getAccountInfo(account, { encoding: 'base64' }).send();
  return value === null ? null : BigInt((await rpc.getTokenAccountBalance(account).send()).value.amount);
}

/** Mints to a wallet, and creates its token account if needed. `amount` is in the smallest unit. */
export async function mintTo(
  rpc: Rpc<SolanaRpcApi>,
  token: Token,
  wallet: Address,
  amount: bigint,
): Promise<void> {
  const { mint, decimals, authority, program = CLASSIC } = token;
  const account = await tokenAccountOf(token, wallet);
  await sendInstructions(rpc, authority, [
    await getCreateAssociatedTokenIdempotentInstructionAsync({
      payer: authority,
      owner: wallet,
      mint,
      tokenProgram: program,
    }),
    getMintToCheckedInstruction(
      { mint, token: account, mintAuthority: authority, amount, decimals },
      { programAddress: program },
    ),
  ]);
}

/** Transfers to another wallet, which must have a token account. `amount` is in the smallest unit. */
export async function sendTokens(
  rpc: Rpc<SolanaRpcApi>,
  token: Token,
  from: KeyPairSigner,
  to: Address,
  amount: bigint,
): Promise<void> {
  const { mint, decimals, program = CLASSIC } = token;
  const source = await tokenAccountOf(token, from.address);
  const destination = await tokenAccountOf(token, to);
  await sendInstructions(rpc, from, [
    getTransferCheckedInstruction(
      { source, mint, destination, authority: from, amount, decimals },
      { programAddress: program },
    ),
  ]);
}
