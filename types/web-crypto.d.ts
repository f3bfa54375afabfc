// The signers of @solana/kit hold WebCrypto keys by their global names. Node has those globals, and keeps
// their types inside a module: without these two lines a key would be `any` here, and nobody would see it.

import type { webcrypto } from 'node:crypto';

declare global {
  type CryptoKey = webcrypto.CryptoKey;
  type CryptoKeyPair = webcrypto.CryptoKeyPair;
}
