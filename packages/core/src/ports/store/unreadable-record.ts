/** A record that the store cannot read: its row is damaged, or a newer release wrote it. */
export interface UnreadableRecord {
  readonly id: string;
  /** Why it cannot be read. */
  readonly error: unknown;
}

/** The part of a read that failed: always empty in a store whose rows cannot be damaged. */
export interface WithUnreadable {
  readonly unreadable: readonly UnreadableRecord[];
}
