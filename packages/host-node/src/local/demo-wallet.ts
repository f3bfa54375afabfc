import { createHmac } from 'node:crypto';
import {
  createKeyPairSignerFromPrivateKeyBytes,
  getBase58Encoder,
  getTransactionDecoder,
  getTransactionEncoder,
  partiallySignTransaction,
  signBytes,
  type KeyPairSigner,
} from '@solana/kit';
import type { DemoWallet } from '@subrail/pages';
import { newLocalSecret } from '../state/local-secret.js';
import { fundWallet, type DevelopmentRpc } from './demo-project.js';
import type { LocalKeys } from './local-keys.js';

/**
 * The demo wallet of the pages. Each visitor's key follows from the visitor's name and a key of the data
 * folder, so nothing is stored, and a wallet is the same after a restart.
 */
export function createDemoWallet(rpc: DevelopmentRpc, keys: LocalKeys): DemoWallet {
  function signerOf(visitor: string): Promise<KeyPairSigner> {
    const random = createHmac('sha256', keys.sealingKey).update(`demo wallet ${visitor}`).digest();
    return createKeyPairSignerFromPrivateKeyBytes(newLocalSecret(random));
  }
  return {
    async open(visitor) {
      const { address } = await signerOf(visitor);
      await fundWallet(rpc, keys, address);
      return { address, publicKey: Uint8Array.from(getBase58Encoder().encode(address)) };
    },
    async sign(visitor, what, bytes) {
      const { keyPair } = await signerOf(visitor);
      if (what === 'message') return signBytes(keyPair.privateKey, bytes);
      const signed = await partiallySignTransaction([keyPair], getTransactionDecoder().decode(bytes));
      return Uint8Array.from(getTransactionEncoder().encode(signed));
    },
  };
}
