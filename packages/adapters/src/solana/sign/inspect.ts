import {
  address,
  bytesEqual,
  getBase58Decoder,
  getBase58Encoder,
  isSignature,
  signatureBytes,
} from '@solana/kit';
import type { Inspection } from '@subrail/core/ports';
import { isSignedBy } from './sign.js';
import { decodeAnyVersion, decodeWire } from '../transaction/wire.js';
import type { BuiltLifetimes } from './built-lifetimes.js';
import { differsByGuestsOnly } from './guests.js';

/** The fee payer's signature, which identifies a transaction; null when the text has none. */
export function signatureOf(submitted: string): string | null {
  const decoded = decodeWire(submitted);
  const feePayer = decoded?.message.staticAccounts[0];
  const signature = feePayer === undefined ? null : (decoded?.transaction.signatures[feePayer] ?? null);
  return signature === null ? null : getBase58Decoder().decode(signature);
}

/**
 * Checks that a submitted transaction is the built one, apart from guests, with the wallet's valid signature
 * (checkout#guests). Another message is another transaction, even if the wallet signed it.
 */
export async function inspect(
  submitted: string,
  built: string,
  wallet: string,
  lifetimes: BuiltLifetimes,
): Promise<Inspection> {
  const expected = decodeWire(built);
  if (expected === null)
    throw new TypeError('The built transaction does not decode: it must be the text that `build` returned.');
  const decoded = decodeWire(submitted);
  const feePayer = decoded?.message.staticAccounts[0];
  if (decoded === null || feePayer === undefined) {
    const version = decodeAnyVersion(submitted)?.message.version;
    if (version === undefined) return { kind: 'undecodable' };
    return { kind: version === 'legacy' ? 'legacy' : 'other_version' };
  }

  const { messageBytes, signatures } = decoded.transaction;
  const signed = await isSignedBy(feePayer, decoded.transaction);
  if (feePayer !== wallet) return { kind: signed ? 'other_wallet' : 'other_message' };
  const asBuilt =
    bytesEqual(messageBytes, expected.transaction.messageBytes) ||
    differsByGuestsOnly(decoded.message, messageBytes, expected.message);
  const [lifetime, builtLifetime] = [decoded.message.lifetimeToken, expected.message.lifetimeToken];
  // A wallet puts in a newer blockhash. An older one is that of a transaction that was built earlier.
  if (!asBuilt || lifetimes.isEarlier(wallet, lifetime, builtLifetime)) return { kind: 'other_message' };
  const signature = signatures[feePayer];
  if (!signed || !signature) return { kind: 'wallet_unsigned' };
  const hasBuiltLifetime = lifetime === builtLifetime;
  return { kind: 'ours', signature: getBase58Decoder().decode(signature), hasBuiltLifetime };
}

/** Whether a signature is the wallet's signature of a built transaction. */
export async function isSignatureOf(text: string, built: string, wallet: string): Promise<boolean> {
  const decoded = decodeWire(built);
  if (decoded === null || !isSignature(text)) return false;
  const bytes = signatureBytes(getBase58Encoder().encode(text));
  const { messageBytes } = decoded.transaction;
  return isSignedBy(address(wallet), { messageBytes, signatures: { [wallet]: bytes } });
}
