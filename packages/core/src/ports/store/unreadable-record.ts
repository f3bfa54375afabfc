/** What the store cannot read as a record: its row is damaged, or a newer release wrote it. */
export interface UnreadableRecord {
  readonly id: string;
  /** Why it cannot be read. */
  readonly error: unknown;
}
