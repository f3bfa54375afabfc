import {
  extension,
  getMintSize,
  getMintToInstruction,
  getPreInitializeInstructionsForMintExtensions,
  TOKEN_2022_PROGRAM_ADDRESS,
} from '@solana-program/token-2022';
import { address, type Address, type Instruction, type KeyPairSigner } from '@solana/kit';
import { createMint as createToken, localnetRpc, type Localnet } from '../index.js';
import { signed } from './transactions.js';

export const TOKEN = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
export const TOKEN_2022 = TOKEN_2022_PROGRAM_ADDRESS;

/** Creates a mint of six decimals by real instructions, on Token-2022 with a transfer fee of 1 %. */
export async function createMint(
  chain: Localnet,
  authority: KeyPairSigner,
  mint: KeyPairSigner,
  program: Address = TOKEN,
): Promise<void> {
  const fee = { epoch: 0n, maximumFee: 1_000_000n, transferFeeBasisPoints: 100 };
  const extensions = [
    extension('TransferFeeConfig', {
      transferFeeConfigAuthority: authority.address,
      withdrawWithheldAuthority: authority.address,
      withheldAmount: 0n,
      olderTransferFee: fee,
      newerTransferFee: fee,
    }),
  ];
  await createToken(localnetRpc(chain), authority, mint, {
    program,
    ...(program === TOKEN_2022 && {
      bytes: getMintSize(extensions),
      extend: getPreInitializeInstructionsForMintExtensions(mint.address, extensions),
    }),
  });
}

/** Mints to the associated token account of an owner, and creates the account if needed. */
export async function mintTo(
  chain: Localnet,
  authority: KeyPairSigner,
  mint: Address,
  owner: Address,
  amount: bigint,
  tokenProgram: Address = TOKEN,
): Promise<Address> {
  const token = chain.setTokenAccount(owner, mint, {}, tokenProgram);
  const instruction = getMintToInstruction(
    { mint, token, mintAuthority: authority, amount },
    { programAddress: tokenProgram },
  );
  await succeed(chain, authority, [instruction]);
  return token;
}

/** Sends a transaction that must land without an error. */
export async function succeed(
  chain: Localnet,
  feePayer: KeyPairSigner,
  instructions: readonly Instruction[],
): Promise<string> {
  const result = chain.send(await signed(chain, feePayer, instructions));
  if (result.error !== null) throw new Error(`${JSON.stringify(result.error)}\n${result.logs.join('\n')}`);
  return result.signature;
}
