import { createKeyPairSignerFromPrivateKeyBytes, type KeyPairSigner } from '@solana/kit';
import type { Random } from '@subrail/core/ports';
import { signMessage, signTransaction } from '@subrail/localnet';

import type { TestToken } from './test-token.js';

/** A customer's wallet, which signs whatever it is given. */
export interface TestWallet {
  readonly address: string;
  /** Its key, for code that signs with `@solana/kit`. */
  readonly signer: KeyPairSigner;
  /** The balance in the test token's smallest unit. */
  balance(): Promise<bigint>;
  /** Signs a transaction of the service (base64) and returns it for a submit (base64). */
  signTransaction(transaction: string): Promise<string>;
  /** Signs a text exactly as it is, as a wallet signs terms. Returns the signature in base58. */
  signMessage(text: string): Promise<string>;
}

/** Makes the wallet of a key. */
export function walletOf(signer: KeyPairSigner, token: TestToken): TestWallet {
  return {
    address: signer.address,
    signer,
    balance: () => token.balanceOf(signer.address),
    signTransaction: (transaction) => signTransaction(signer, transaction),
    signMessage: (text) => signMessage(signer, text),
  };
}

/** Makes a new key. A seeded random makes the same keys, and so the same addresses, in every run. */
export function newKey(random: Random): Promise<KeyPairSigner> {
  return createKeyPairSignerFromPrivateKeyBytes(random.bytes(32));
}
