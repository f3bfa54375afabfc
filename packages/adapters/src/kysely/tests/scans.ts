/** The tables of which a whole scan is right, and why each stays small. All others grow, with projects, their customers or time. */
export const SMALL: Readonly<Record<string, string>> = {
  chain_identity: 'has one row',
};

/** What a statement makes and scans itself, and why it is small. */
const MADE: Readonly<Record<string, string>> = {
  asked: 'the subscriptions of the wallets that a caller names',
  counted: 'the seats up to a number',
  due: 'the plans to be read, up to a limit',
  next: 'the next subscriptions on each way of a search, up to the size of a page',
  woken: 'what is due, up to a limit',
  waiting:
    'an endpoint or a project for each that has pending deliveries, or the pending deliveries up to a limit',
  seats: 'the seats of a project that has more than its limit',
  placed: 'the seats of a project that has more than its limit',
};

/** Indexes that are walked from their begin, and why each walk ends soon. */
const WALKED: Readonly<Record<string, string>> = {
  audit_entries_created: 'the audit entries from the newest one on, up to the limit of a page',
  deliveries_due: 'only the pending deliveries, up to a limit',
  events_held: 'only the held events, up to the limit of a page',
};

/**
 * What a line of SQLite's `explain query plan` reads from begin to end although it may be long; null when it reads nothing so. A line
 * names a table by its alias.
 * @param readWhole a table of which this call may read all rows
 */
export function longScan(detail: string, sql: string, readWhole: string | null = null): string | null {
  const [, scanned, index] = /^SCAN (\S+)(?:.* INDEX (\w+))?/.exec(detail) ?? [];
  // The values of an insert are those of its caller, and a subquery in the list is one of those made here, without a name.
  if (scanned === undefined || /^SCAN (\d+-ROW VALUES CLAUSE|\(subquery-\d+\))$/.test(detail)) return null;
  const table = tableOf(scanned, sql);
  if (table in SMALL || table === readWhole) return null;
  if (table === scanned && scanned in MADE) return null;
  if (index !== undefined && index in WALKED) return null;
  return index === undefined ? table : `${table} by ${index}`;
}

/** The table that a name stands for in a statement: its alias, or itself. */
function tableOf(name: string, sql: string): string {
  const alias = new RegExp(`["\\s](\\w+)"? as "?${name}"?(?!\\w)`, 'i').exec(sql);
  return alias?.[1] ?? name;
}
