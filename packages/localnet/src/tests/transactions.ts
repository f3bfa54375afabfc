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

/** A signer that is the same for the same number in every run. */
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
    (empty) => setTransactionMessageFeePayerSigner(feePayer, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash({ blockhash, lastValidBlockHeight: 0n }, paid),
    (dated) => appendTransactionMessageInstructions(instructions, dated),
  );
  return Uint8Array.from(getTransactionEncoder().encode(await signTransactionMessageWithSigners(message)));
}

/** The address of a test's own program. */
export const TOY: Address = address('Toy1111111111111111111111111111111111111111');

/** An instruction of the test's own program. An account that is only an address is read-only. */
export function toy(
  data: number[],
  accounts: readonly (Address | AccountMeta | AccountSignerMeta)[] = [],
): Instruction {
  return {
    programAddress: TOY,
    accounts: accounts.map((account) =>
      typeof account === 'string' ? { address: account, role: AccountRole.READONLY } : account,
    ),
    data: Uint8Array.from(data),
  };
}

/** Options of a chain that has the test's own program. */
export function withToy(program: Program): { readonly programs: ReadonlyMap<Address, Program> } {
  return { programs: new Map([[TOY, program]]) };
}

export const writable = (of: Address) => ({ address: of, role: AccountRole.WRITABLE });
export const writableSigner = (of: KeyPairSigner): AccountSignerMeta => ({
  address: of.address,
  role: AccountRole.WRITABLE_SIGNER,
  signer: of,
});
