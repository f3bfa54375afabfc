/** About how many of the charges signed last count. */
const REMEMBERED = 1_000;

/** Remembers how many charges shared a transaction lately, which decides what one costs. */
export class PackingRecord {
  // Before the first charge is signed, the record assumes one charge a transaction.
  #charges = 0n;
  #transactions = 0n;

  /** Notes that charges were signed in this many transactions. */
  add(charges: number, transactions: number): void {
    this.#charges += BigInt(charges);
    this.#transactions += BigInt(transactions);
    if (this.#charges <= REMEMBERED) return;
    // Halves of both keep the average, and let what follows count more.
    this.#charges = (this.#charges + 1n) / 2n;
    this.#transactions = (this.#transactions + 1n) / 2n;
  }

  /** The cost of a charge when a transaction costs `fee`, rounded up. */
  feeOfOne(fee: bigint): bigint {
    if (this.#charges === 0n) return fee;
    return (fee * this.#transactions + this.#charges - 1n) / this.#charges;
  }
}
