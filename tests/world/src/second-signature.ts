import { createHash } from 'node:crypto';
import { Point, etc, utils } from '@noble/ed25519';
import {
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getTransactionDecoder,
  signatureBytes,
  type KeyPairSigner,
} from '@solana/kit';

const ORDER = Point.CURVE().n;

/**
 * Signs a transaction built for a wallet again, with another, equally valid signature: Ed25519 derives its
 * nonce from key and message, which no verifier can check. A chain identifies a transaction by its signature,
 * so this makes two transactions of one message.
 * @param seed the wallet's private key, 32 bytes
 * @param nonce any number; each makes another signature
 */
export async function signWithNonce(
  wallet: KeyPairSigner,
  seed: Uint8Array,
  built: string,
  nonce: bigint,
): Promise<string> {
  const transaction = getTransactionDecoder().decode(getBase64Encoder().encode(built));
  const signature = await ed25519(nonce, seed, Uint8Array.from(transaction.messageBytes));
  return getBase64EncodedWireTransaction({
    ...transaction,
    signatures: { ...transaction.signatures, [wallet.address]: signatureBytes(signature) },
  });
}

/** Signs by RFC 8032, 5.1.6, from step 3 on, with the nonce that is given. */
async function ed25519(nonce: bigint, seed: Uint8Array, message: Uint8Array): Promise<Uint8Array> {
  const { scalar, pointBytes } = await utils.getExtendedPublicKeyAsync(seed);
  const commitment = Point.BASE.multiply(nonce).toBytes();
  const digest = createHash('sha512').update(commitment).update(pointBytes).update(message).digest();
  const response = etc.mod(nonce + etc.mod(numberOf(digest), ORDER) * scalar, ORDER);
  return etc.concatBytes(commitment, bytesOf(response));
}

function numberOf(littleEndian: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(littleEndian).reverse().toString('hex')}`);
}

function bytesOf(number: bigint): Uint8Array {
  return Uint8Array.from(Buffer.from(number.toString(16).padStart(64, '0'), 'hex').reverse());
}
