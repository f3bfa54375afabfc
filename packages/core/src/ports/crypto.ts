/** The cryptography of the service. Every method is asynchronous, so that WebCrypto can implement it. */
export interface CryptoProvider {
  /** Computes the SHA-256 of the data. */
  digest(data: Uint8Array): Promise<Uint8Array>;
  /** Computes the HMAC-SHA256 of the data. */
  mac(key: Uint8Array, data: Uint8Array): Promise<Uint8Array>;
  /** Encrypts and authenticates a secret for storage. Sealing the same secret twice gives two different texts. */
  seal(plain: Uint8Array): Promise<string>;
  /** Decrypts a sealed text. Throws when the text was sealed with another key or changed since. */
  open(sealed: string): Promise<Uint8Array>;
  /**
   * Returns whether `signature` (64 bytes) is a valid Ed25519 signature of the message by this public key (32 bytes).
   * Returns false for malformed input and never throws.
   */
  verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): Promise<boolean>;
}
