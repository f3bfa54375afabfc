import { generateKeyPairSync, sign } from 'node:crypto';
import type { Address } from '@solana/kit';
import { toAddress } from './runtime/base58.js';
import { packNativeMessage } from './runtime/native-message.js';
import { systemTransfer } from './runtime/system-transfer.js';
import { decodeTransaction, withBlockhash } from './runtime/transaction.js';

/** A signed transfer from a key that exists for this airdrop only, and what the key must hold to pay it. */
export interface Airdrop {
  readonly faucet: Address;
  /** Lamports the faucet must hold: the airdropped amount and the fee. */
  readonly requiredLamports: bigint;
  readonly wire: Uint8Array;
}

/** The fee of a transaction with one signature, in lamports. */
const FEE = 5_000n;

/** Builds an airdrop with a faucet key of its own: two equal airdrops in a block are two transactions. */
export function buildAirdrop(to: Address, lamports: bigint, blockhash: string): Airdrop {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const faucet = toAddress(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32));
  const transfer = systemTransfer(faucet, to, lamports);
  const unsigned = withBlockhash(decodeTransaction(packNativeMessage(faucet, [transfer]).wire), blockhash);
  const wire = unsigned.wire.slice();
  wire.set(sign(null, unsigned.message, privateKey), 1);
  return { faucet, requiredLamports: lamports + FEE, wire };
}
