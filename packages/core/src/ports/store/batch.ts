/** The last record that a batch looked at: the date by which records are ordered, and the id. */
export interface BatchCursor {
  readonly at: Date;
  readonly id: string;
}

/**
 * The outcome of one batch. A batch looks at the records after a cursor, by a date and then by id, at most a
 * limit of them, and changes or deletes some of these in one step. The limit bounds the time of a call,
 * however many records are stored.
 */
export interface Batch {
  /** The number of records that it changed or deleted. */
  readonly changed: number;
  /** The place after which the next batch goes on; null when fewer records than the limit were left. */
  readonly next: BatchCursor | null;
}
