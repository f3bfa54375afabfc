import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import type { Address } from '@solana/kit';
import { addressBytes } from './base58.js';
import type { Transaction } from './transaction.js';

/** Whether every signature the message requires is there and right. */
export function signaturesAreValid(transaction: Transaction): boolean {
  return transaction.signatures.every((signature, index) => {
    const signer = transaction.accounts[index];
    return signer !== undefined && verify(null, transaction.message, publicKey(signer.address), signature);
  });
}

const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

// Making a key object costs as much as using it, and a service's puller signs everything.
const KEY_LIMIT = 10_000;
const keys = new Map<Address, KeyObject>();

function publicKey(address: Address): KeyObject {
  const known = keys.get(address);
  if (known !== undefined) return known;
  const der = Buffer.concat([SPKI_PREFIX, addressBytes(address)]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  if (keys.size >= KEY_LIMIT) keys.clear();
  keys.set(address, key);
  return key;
}
