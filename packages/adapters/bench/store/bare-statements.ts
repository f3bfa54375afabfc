type Values = readonly (string | number | null)[];

/** Prepared statements on the driver of an engine, without the store. Their placeholders are question marks. */
export interface Bare {
  run(sql: string, values: Values): Promise<readonly unknown[]>;
  /** Runs statements as one transaction, which is durable when it ends. */
  transaction(work: () => Promise<void>): Promise<void>;
}
