import { getCreateAccountInstruction } from '@solana-program/system';
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstructionAsync,
  getInitializeMint2Instruction,
  getMintSize,
  getMintToCheckedInstruction,
  getPreInitializeInstructionsForMintExtensions,
  getTransferCheckedInstruction,
  type ExtensionArgs,
} from '@solana-program/token-2022';
import { address, type Address, type KeyPairSigner, type Rpc, type SolanaRpcApi } from '@solana/kit';
import { sendInstructions } from '@subrail/localnet';

/** The classic token program, which most stablecoins use. */
const CLASSIC_PROGRAM = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
const DECIMALS = 6;

/** A token on the local chain, with the signer that can mint it. */
export interface WorldToken {
  readonly mint: Address;
  readonly decimals: number;
  readonly authority: KeyPairSigner;
  /** The token program of the mint; the classic one by default. */
  readonly program?: Address;
}

interface MintOptions {
  /** The token program; the classic one by default. */
  readonly program?: Address;
  /** Those of Token-2022. None by default. */
  readonly extensions?: ExtensionArgs[];
  /** Null, by default: nobody can freeze accounts. */
  readonly freezeAuthority?: Address | null;
}

/** Creates a mint by real instructions. */
export async function createMint(
  rpc: Rpc<SolanaRpcApi>,
  authority: KeyPairSigner,
  mint: KeyPairSigner,
  { program = CLASSIC_PROGRAM, extensions, freezeAuthority = null }: MintOptions = {},
): Promise<WorldToken> {
  const space = BigInt(getMintSize(extensions));
  const lamports = await rpc.getMinimumBalanceForRentExemption(space).send();
  await sendInstructions(rpc, authority, [
    getCreateAccountInstruction({
      payer: authority,
      newAccount: mint,
      lamports,
      space,
      programAddress: program,
    }),
    ...getPreInitializeInstructionsForMintExtensions(mint.address, extensions ?? []),
    getInitializeMint2Instruction(
      { mint: mint.address, decimals: DECIMALS, mintAuthority: authority.address, freezeAuthority },
      { programAddress: program },
    ),
  ]);
  return { mint: mint.address, decimals: DECIMALS, authority, program };
}

/** The address of the account in which a wallet holds the token. */
export async function tokenAccountOf(token: WorldToken, wallet: Address): Promise<Address> {
  const [account] = await findAssociatedTokenPda({
    owner: wallet,
    tokenProgram: programOf(token),
    mint: token.mint,
  });
  return account;
}

/** A wallet's balance of the token in the smallest unit; 0 when it has no account for the token. */
export async function tokenBalanceOf(
  rpc: Rpc<SolanaRpcApi>,
  token: WorldToken,
  wallet: Address,
): Promise<bigint> {
  const account = await tokenAccountOf(token, wallet);
  const { value } = await rpc.getAccountInfo(account, { encoding: 'base64' }).send();
  return value === null ? 0n : BigInt((await rpc.getTokenAccountBalance(account).send()).value.amount);
}

/** Mints tokens to a wallet and creates its token account if needed. `amount` is in the smallest unit. */
export async function mintTo(
  rpc: Rpc<SolanaRpcApi>,
  token: WorldToken,
  wallet: Address,
  amount: bigint,
): Promise<void> {
  const { mint, decimals, authority } = token;
  const account = await tokenAccountOf(token, wallet);
  const program = programOf(token);
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

/** Transfers tokens to another wallet, which must have a token account. `amount` is in the smallest unit. */
export async function sendTokens(
  rpc: Rpc<SolanaRpcApi>,
  token: WorldToken,
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

const programOf = ({ program = CLASSIC_PROGRAM }: WorldToken): Address => program;
