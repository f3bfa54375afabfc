import { type ReadonlyUint8Array, getBase58Decoder } from '@solana/kit';
import type { Inspection } from '@subrail/core/ports';
import { isSignedBy } from './verify.js';
import { decodeWire } from './wire.js';

/** The signature a transaction is known by, its fee payer's; null when it does not decode or is not signed. */
export function signatureOf(submitted: string): string | null {
  const decoded = decodeWire(submitted);
  const feePayer = decoded?.message.staticAccounts[0];
  const signature = feePayer === undefined ? null : (decoded?.transaction.signatures[feePayer] ?? null);
  return signature === null ? null : getBase58Decoder().decode(signature);
}

/**
 * Compares a submitted transaction with the one built, byte by byte, and checks the wallet's signature over it. A wallet
 * adds its signature and nothing else: a changed message is another one, whoever signed it.
 */
export async function inspect(submitted: string, built: string, wallet: string): Promise<Inspection> {
  const ours = decodeWire(built);
  if (ours === null) throw new TypeError('The transaction built is not a transaction.');
  const theirs = decodeWire(submitted);
  const feePayer = theirs?.message.staticAccounts[0];
  if (theirs === null || feePayer === undefined) return { kind: 'undecodable' };

  const { messageBytes, signatures } = theirs.transaction;
  const signed = await isSignedBy(feePayer, theirs.transaction);
  if (feePayer !== wallet) return { kind: signed ? 'other_wallet' : 'other_message' };
  if (!sameBytes(messageBytes, ours.transaction.messageBytes)) return { kind: 'other_message' };
  const signature = signatures[feePayer];
  if (!signed || !signature) return { kind: 'wallet_unsigned' };
  return { kind: 'ours', signature: getBase58Decoder().decode(signature) };
}

function sameBytes(one: ReadonlyUint8Array, other: ReadonlyUint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
