/** Unpredictable bytes, for ids, keys, secrets and nonces. Tests pass a seeded one. */
export interface Random {
  bytes(length: number): Uint8Array;
}
