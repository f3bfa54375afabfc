/** The last record that a batch looked at: the date by which records are ordered, and the id. */
export interface BatchCursor {
  readonly at: Date;
  readonly id: string;
}

/**
 * The outcome of one batch, which looked at the records after a cursor, ordered by a date and then by id, and at no more than a
 * limit of them. It changed or deleted some of these in one step. The limit bounds the time of a call, however many records are
 * stored.
 */
export interface Batch {
  /** How many records it changed or deleted. */
  readonly changed: number;
  /** Where the next batch goes on; null when fewer records than the limit were left to look at. */
  readonly next: BatchCursor | null;
}
