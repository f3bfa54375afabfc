import {
  type ReadonlyUint8Array,
  address,
  getBase58Decoder,
  getBase58Encoder,
  isSignature,
  signatureBytes,
} from '@solana/kit';
import type { Inspection } from '@subrail/core/ports';
import { isSignedBy } from './sign.js';
import { decodeWire } from '../transaction/wire.js';

/**
 * The fee payer's signature, which identifies a transaction; null when the text does not decode or is not signed.
 */
export function signatureOf(submitted: string): string | null {
  const decoded = decodeWire(submitted);
  const feePayer = decoded?.message.staticAccounts[0];
  const signature = feePayer === undefined ? null : (decoded?.transaction.signatures[feePayer] ?? null);
  return signature === null ? null : getBase58Decoder().decode(signature);
}

/**
 * Checks a submitted transaction: its message must equal the built one byte by byte, and the wallet's signature must be
 * valid. A wallet only adds its signature, so a changed message is another transaction, even if the wallet signed it.
 */
export async function inspect(submitted: string, built: string, wallet: string): Promise<Inspection> {
  const expected = decodeWire(built);
  if (expected === null)
    throw new TypeError('The built transaction does not decode: it must be the text that `build` returned.');
  const decoded = decodeWire(submitted);
  const feePayer = decoded?.message.staticAccounts[0];
  if (decoded === null || feePayer === undefined) return { kind: 'undecodable' };

  const { messageBytes, signatures } = decoded.transaction;
  const signed = await isSignedBy(feePayer, decoded.transaction);
  if (feePayer !== wallet) return { kind: signed ? 'other_wallet' : 'other_message' };
  if (!sameBytes(messageBytes, expected.transaction.messageBytes)) return { kind: 'other_message' };
  const signature = signatures[feePayer];
  if (!signed || !signature) return { kind: 'wallet_unsigned' };
  return { kind: 'ours', signature: getBase58Decoder().decode(signature) };
}

function sameBytes(one: ReadonlyUint8Array, other: ReadonlyUint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}

/** Whether a signature is the wallet's signature of a built transaction. */
export async function isSignatureOf(text: string, built: string, wallet: string): Promise<boolean> {
  const decoded = decodeWire(built);
  if (decoded === null || !isSignature(text)) return false;
  const bytes = signatureBytes(getBase58Encoder().encode(text));
  const { messageBytes } = decoded.transaction;
  return isSignedBy(address(wallet), { messageBytes, signatures: { [wallet]: bytes } });
}
