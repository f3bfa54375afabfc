/** The cryptography of the service. Every method is asynchronous, so that WebCrypto can implement it. */
export interface CryptoProvider {
  /** SHA-256. */
  digest(data: Uint8Array): Promise<Uint8Array>;
  /** HMAC-SHA256. */
  mac(key: Uint8Array, data: Uint8Array): Promise<Uint8Array>;
  /** Encrypts and authenticates a secret for storage. Sealing the same secret twice gives two different texts. */
  seal(plain: Uint8Array): Promise<string>;
  /** Decrypts a sealed text. Throws when it was sealed with another key or was changed. */
  open(sealed: string): Promise<Uint8Array>;
  /**
   * Whether `signature` (64 bytes) is a valid Ed25519 signature of the message by this public key (32 bytes). Malformed
   * input is false, never an exception.
   */
  verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): Promise<boolean>;
}
