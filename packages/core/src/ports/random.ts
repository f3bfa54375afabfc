/** A source of unpredictable bytes, for ids, keys, secrets and nonces. Tests use a seeded one. */
export interface Random {
  bytes(length: number): Uint8Array;
}
