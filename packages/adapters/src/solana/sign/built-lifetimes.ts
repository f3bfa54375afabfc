import { forgetOldest } from '../../forget-oldest.js';

/** More than the transactions that wallets sign at a time: a blockhash is valid for 150 blocks. */
const CAPACITY = 10_000;

/**
 * Remembers the last height of lately built transactions, by wallet and blockhash: a blockhash that a wallet
 * put in itself may be that of another wallet's transaction.
 */
export class BuiltLifetimes {
  readonly #heights = new Map<string, bigint>();

  note(wallet: string, blockhash: string, lastValidBlockHeight: bigint): void {
    const key = `${wallet} ${blockhash}`;
    this.#heights.delete(key);
    this.#heights.set(key, lastValidBlockHeight);
    forgetOldest(this.#heights, CAPACITY);
  }

  /** Whether a wallet's blockhash is known as older than another: its transaction was built earlier. */
  isEarlier(wallet: string, blockhash: string, than: string): boolean {
    const [one, other] = [blockhash, than].map((each) => this.#heights.get(`${wallet} ${each}`));
    return one !== undefined && other !== undefined && one < other;
  }
}
