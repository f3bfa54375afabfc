import { getCreateAccountInstruction } from '@solana-program/system';
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstructionAsync,
  getInitializeMint2Instruction,
  getMintToCheckedInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token-2022';
import { address, type Address, type KeyPairSigner, type Rpc, type SolanaRpcApi } from '@solana/kit';
import { sendInstructions } from './wallet.js';

/** The classic token program, under which most stablecoins live. */
const TOKEN_PROGRAM = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
const MINT_BYTES = 82n;

/** A token of the demo world, with someone who can mint it. */
export interface DemoToken {
  readonly mint: Address;
  readonly decimals: number;
  readonly authority: KeyPairSigner;
}

/** Makes the token, unless it stands. */
export async function ensureMint(
  rpc: Rpc<SolanaRpcApi>,
  mint: KeyPairSigner,
  { decimals, authority }: Omit<DemoToken, 'mint'>,
): Promise<DemoToken> {
  const token = { mint: mint.address, decimals, authority };
  const { value: account } = await rpc.getAccountInfo(mint.address, { encoding: 'base64' }).send();
  if (account !== null) return token;
  const lamports = await rpc.getMinimumBalanceForRentExemption(MINT_BYTES).send();
  await sendInstructions(rpc, authority, [
    getCreateAccountInstruction({
      payer: authority,
      newAccount: mint,
      lamports,
      space: MINT_BYTES,
      programAddress: TOKEN_PROGRAM,
    }),
    getInitializeMint2Instruction(
      { mint: mint.address, decimals, mintAuthority: authority.address },
      { programAddress: TOKEN_PROGRAM },
    ),
  ]);
  return token;
}

/** The account in which a wallet holds the token. */
export async function tokenAccountOf(token: DemoToken, wallet: Address): Promise<Address> {
  const [account] = await findAssociatedTokenPda({
    owner: wallet,
    tokenProgram: TOKEN_PROGRAM,
    mint: token.mint,
  });
  return account;
}

/** What a wallet holds, in the smallest unit; null when it has no account for the token. */
export async function tokenBalanceOf(
  rpc: Rpc<SolanaRpcApi>,
  token: DemoToken,
  wallet: Address,
): Promise<bigint | null> {
  const account = await tokenAccountOf(token, wallet);
  const { value: info } = await rpc.getAccountInfo(account, { encoding: 'base64' }).send();
  if (info === null) return null;
  const { value: balance } = await rpc.getTokenAccountBalance(account).send();
  return BigInt(balance.amount);
}

/** Gives a wallet new tokens, `amount` in the smallest unit, opening its account when it has none. */
export async function mintTo(
  rpc: Rpc<SolanaRpcApi>,
  token: DemoToken,
  wallet: Address,
  amount: bigint,
): Promise<void> {
  const account = await tokenAccountOf(token, wallet);
  const open = await getCreateAssociatedTokenIdempotentInstructionAsync({
    payer: token.authority,
    owner: wallet,
    mint: token.mint,
    tokenProgram: TOKEN_PROGRAM,
  });
  const mint = getMintToCheckedInstruction(
    { mint: token.mint, token: account, mintAuthority: token.authority, amount, decimals: token.decimals },
    { programAddress: TOKEN_PROGRAM },
  );
  await sendInstructions(rpc, token.authority, [open, mint]);
}

/** A wallet sends tokens, `amount` in the smallest unit, to another one that has an account for them. */
export async function sendTokens(
  rpc: Rpc<SolanaRpcApi>,
  token: DemoToken,
  from: KeyPairSigner,
  to: Address,
  amount: bigint,
): Promise<void> {
  const transfer = getTransferCheckedInstruction(
    {
      source: await tokenAccountOf(token, from.address),
      mint: token.mint,
      destination: await tokenAccountOf(token, to),
      authority: from,
      amount,
      decimals: token.decimals,
    },
    { programAddress: TOKEN_PROGRAM },
  );
  await sendInstructions(rpc, from, [transfer]);
}
