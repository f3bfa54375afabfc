import {
  AccountRole,
  address,
  appendTransactionMessageInstructions,
  createKeyPairSignerFromPrivateKeyBytes,
  createTransactionMessage,
  getTransactionEncoder,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  type AccountMeta,
  type AccountSignerMeta,
  type Address,
  type Blockhash,
  type Instruction,
  type KeyPairSigner,
} from '@solana/kit';
import type { Localnet, Program } from '../index.js';

/** Lamports in one SOL. */
export const SOL = 1_000_000_000n;

/** A signer whose key is derived from a number, so that it is the same in every run. */
export function signer(number: number): Promise<KeyPairSigner> {
  return createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(number));
}

/** The bytes of a signed transaction, with the chain's newest blockhash unless another is given. */
export async function signed(
  chain: Localnet,
  feePayer: KeyPairSigner,
  instructions: readonly Instruction[],
  options: { readonly version?: 'legacy' | 0; readonly blockhash?: string } = {},
): Promise<Uint8Array> {
  const blockhash = (options.blockhash ?? chain.latestBlockhash().blockhash) as Blockhash;
  const message = pipe(
    createTransactionMessage({ version: options.version ?? 0 }),
    (message) => setTransactionMessageFeePayerSigner(feePayer, message),
    (message) =>
      setTransactionMessageLifetimeUsingBlockhash({ blockhash, lastValidBlockHeight: 0n }, message),
    (message) => appendTransactionMessageInstructions(instructions, message),
  );
  return Uint8Array.from(getTransactionEncoder().encode(await signTransactionMessageWithSigners(message)));
}

/** The address of the program that a test supplies. */
export const TEST_PROGRAM: Address = address('Toy1111111111111111111111111111111111111111');

/** An instruction of a test's own program. An account that is only an address is read-only. */
export function testInstruction(
  data: number[],
  accounts: readonly (Address | AccountMeta | AccountSignerMeta)[] = [],
): Instruction {
  return {
    programAddress: TEST_PROGRAM,
    accounts: accounts.map((account) =>
      typeof account === 'string' ? { address: account, role: AccountRole.READONLY } : account,
    ),
    data: Uint8Array.from(data),
  };
}

/** The options of a chain that runs `program` at `TEST_PROGRAM`. */
export function withTestProgram(program: Program): { readonly programs: ReadonlyMap<Address, Program> } {
  return { programs: new Map([[TEST_PROGRAM, program]]) };
}

export const writable = (account: Address) => ({ address: account, role: AccountRole.WRITABLE });
export const writableSigner = (account: KeyPairSigner): AccountSignerMeta => ({
  address: account.address,
  role: AccountRole.WRITABLE_SIGNER,
  signer: account,
});
