/** The last record that a batch looked at: the date by which the records are in order, and the id. */
export interface BatchCursor {
  readonly at: Date;
  readonly id: string;
}

/**
 * What one batch did. It looked at the records that follow a cursor, in the order of a date, by id within one instant, and at no
 * more than a limit of them. It changed or deleted some of these, all in one step. So a call takes no longer than its limit
 * allows, however many records are stored and however many of them stay as they are.
 */
export interface Batch {
  /** How many records it changed or deleted. */
  readonly changed: number;
  /** Where the next batch goes on; null when fewer records than the limit were left to look at. */
  readonly next: BatchCursor | null;
}
