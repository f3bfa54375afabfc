/** Cryptography. Everything may be asynchronous, so that WebCrypto can serve it. */
export interface CryptoProvider {
  /** SHA-256. */
  digest(data: Uint8Array): Promise<Uint8Array>;
  /** HMAC-SHA256. */
  mac(key: Uint8Array, data: Uint8Array): Promise<Uint8Array>;
  /** Encrypts a secret for storage; two seals of the same secret differ. */
  seal(plain: Uint8Array): Promise<string>;
  /** Undoes `seal`. Throws when the text was not sealed with this key or was changed. */
  open(sealed: string): Promise<Uint8Array>;
  /** Whether an Ed25519 signature (64 bytes) of a message is by this public key (32 bytes). Malformed input is false. */
  verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): Promise<boolean>;
}
