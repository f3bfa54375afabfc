/** Unpredictable bytes, for ids, keys, secrets and nonces. Seeded in tests. */
export interface Random {
  bytes(length: number): Uint8Array;
}
