type Values = readonly (string | number | null)[];

/** Prepared statements on an engine's driver, without the store. Placeholders are question marks. */
export interface Bare {
  run(sql: string, values: Values): Promise<readonly unknown[]>;
  /** Runs statements as one transaction, which is durable when it ends. */
  transaction(work: () => Promise<void>): Promise<void>;
}
