import { type Address, type Transaction, getPublicKeyFromAddress, verifySignature } from '@solana/kit';

/** Whether a transaction carries a signature of this address that is right. */
export async function isSignedBy(
  signer: Address,
  { messageBytes, signatures }: Transaction,
): Promise<boolean> {
  const signature = signatures[signer];
  if (!signature) return false;
  try {
    return await verifySignature(await getPublicKeyFromAddress(signer), signature, messageBytes);
  } catch {
    // An address that is no Ed25519 key signs nothing.
    return false;
  }
}
