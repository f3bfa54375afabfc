import type { Address } from '@solana/kit';
import type { Localnet } from '@subrail/localnet';

/** A payment as the chain has it. */
export interface ChainPayment {
  readonly signature: string;
  /** Seconds since the Unix epoch. */
  readonly at: number;
  readonly amount: bigint;
}

/** Every payment of a token by each wallet, read from the transactions that landed. */
export class ChainPayments {
  readonly #chain: Localnet;
  readonly #mint: Address;
  readonly #byWallet = new Map<Address, ChainPayment[]>();
  readonly #seen = new Set<string>();

  constructor(chain: Localnet, mint: Address) {
    this.#chain = chain;
    this.#mint = mint;
  }

  /** The payments of a wallet so far, oldest first. */
  of(wallet: Address): readonly ChainPayment[] {
    this.#read();
    return (this.#byWallet.get(wallet) ?? []).toSorted((one, other) => one.at - other.at);
  }

  /** The number of payments so far. */
  count(): number {
    this.#read();
    return [...this.#byWallet.values()].reduce((sum, paid) => sum + paid.length, 0);
  }

  #read(): void {
    for (const landed of this.#chain.history.newestFirst()) {
      const { signature } = landed.transaction;
      if (this.#seen.has(signature)) break;
      this.#seen.add(signature);
      this.#add(signature, landed);
    }
  }

  #add(
    signature: string,
    { processed, blockTime }: ReturnType<Localnet['history']['newestFirst']>[number],
  ): void {
    if (processed.error !== null) return;
    for (const { owner, mint, accountIndex, amount } of processed.before.tokens) {
      const after = processed.after.tokens.find((one) => one.accountIndex === accountIndex)?.amount ?? 0n;
      if (mint !== this.#mint || after >= amount) continue;
      const payment = { signature, at: Number(blockTime), amount: amount - after };
      this.#byWallet.set(owner, [...(this.#byWallet.get(owner) ?? []), payment]);
    }
  }
}
