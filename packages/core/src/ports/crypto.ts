/** The cryptography of the service. Every method is asynchronous, so that WebCrypto can implement it. */
export interface CryptoProvider {
  /** Computes the SHA-256 of a text in UTF-8, in lowercase hex. */
  digest(text: string): Promise<string>;
  /** Computes the HMAC-SHA256 of the data. */
  mac(key: Uint8Array, data: Uint8Array): Promise<Uint8Array>;
  /**
   * Encrypts and authenticates a secret for storage, with the newest of its sealing keys. Sealing the same
   * secret twice gives two different texts.
   */
  seal(plain: Uint8Array): Promise<string>;
  /**
   * Decrypts a text that was sealed with one of its sealing keys, the newest or an older one. Throws when the
   * text was sealed with another key or changed since.
   */
  open(sealed: string): Promise<Uint8Array>;
  /**
   * Seals the secret of a sealed text anew with the newest sealing key. Returns null when the text already
   * has that key. Throws when `open` does.
   */
  reseal(sealed: string): Promise<string | null>;
}
