import { getCreateAccountInstruction } from '@solana-program/system';
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstructionAsync,
  getInitializeMint2Instruction,
  getMintToCheckedInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token-2022';
import { address, type Address, type KeyPairSigner, type Rpc, type SolanaRpcApi } from '@solana/kit';
import { sendInstructions } from '@subrail/localnet';

/** The classic token program, which most stablecoins use. */
const TOKEN_PROGRAM = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
/** The size of a mint account. */
const MINT_BYTES = 82n;

/** A token on a development chain, with the signer that can mint it. */
export interface DemoToken {
  readonly mint: Address;
  readonly decimals: number;
  readonly authority: KeyPairSigner;
  /** The token program of the mint; the classic one by default. */
  readonly program?: Address;
}

/** Creates the token's mint account, unless it exists. */
export async function ensureMint(
  rpc: Rpc<SolanaRpcApi>,
  mint: KeyPairSigner,
  { decimals, authority }: Omit<DemoToken, 'mint' | 'program'>,
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

/** The address of the account in which a wallet holds the token. */
async function tokenAccountOf(token: DemoToken, wallet: Address): Promise<Address> {
  const [account] = await findAssociatedTokenPda({
    owner: wallet,
    tokenProgram: programOf(token),
    mint: token.mint,
  });
  return account;
}

/** A wallet's balance of the token in the smallest unit, or null when it has no account for the token. */
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

/** Mints tokens to a wallet and creates its token account if needed. `amount` is in the smallest unit. */
export async function mintTo(
  rpc: Rpc<SolanaRpcApi>,
  token: DemoToken,
  wallet: Address,
  amount: bigint,
): Promise<void> {
  const account = await tokenAccountOf(token, wallet);
  const createAccount = await getCreateAssociatedTokenIdempotentInstructionAsync({
    payer: token.authority,
    owner: wallet,
    mint: token.mint,
    tokenProgram: programOf(token),
  });
  const mint = getMintToCheckedInstruction(
    { mint: token.mint, token: account, mintAuthority: token.authority, amount, decimals: token.decimals },
    { programAddress: programOf(token) },
  );
  await sendInstructions(rpc, token.authority, [createAccount, mint]);
}

/** Transfers tokens to another wallet, which must have a token account. `amount` is in the smallest unit. */
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
    { programAddress: programOf(token) },
  );
  await sendInstructions(rpc, from, [transfer]);
}

const programOf = ({ program = TOKEN_PROGRAM }: DemoToken): Address => program;
