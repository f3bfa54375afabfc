import type { Calls } from './large/every-call.js';

/** Tables that stay small. All others grow, with projects, customers or time. */
export const SMALL: Readonly<Record<string, string>> = {
  chain_identity: 'has one row',
};

/** Parts of statements that are scanned, and why each is small. */
const MADE: Readonly<Record<string, string>> = {
  asked: 'the subscriptions of the wallets that a caller names',
  counted: 'the seats up to a number',
  due: 'the plans to be read, up to a limit',
  due_project: 'the projects that are due soonest, up to a limit',
  next: 'the next subscriptions on each way of a search, up to the size of a page',
  woken: 'what is due, up to a limit',
  waiting:
    'an endpoint or a project for each that has pending deliveries, or the pending deliveries up to a limit',
  seats: 'the seats of a project that has more than its limit',
  reserved: 'what links reserved, up to a number',
  placed: 'the seats of a project that has more than its limit',
};

/** Indexes that are walked from their begin, and why each walk ends soon. */
const WALKED: Readonly<Record<string, string>> = {
  audit_entries_created: 'the audit entries from the newest one on, up to the limit of a page',
  deliveries_due: 'only the pending deliveries, up to a limit',
  figures_to_merge: 'only the figures that are not merged, up to a limit',
  mails_due: 'only the pending mails, up to a limit',
  events_held: 'only the held events, up to the limit of a page',
};

/** The calls that sort what no page limits, and why it is small. */
const SORTED: Partial<Record<keyof Calls, string>> = {
  listProjects: 'the projects of a service',
  listManagementKeys: 'the management keys of a service',
  listEndpoints: 'the endpoints of a project',
  listDeliveries: 'the deliveries of an event, one for each endpoint',
  listProjectDeliveries: 'the deliveries of an event, when the list is of one event',
  findSignedTerms: 'the terms of one subscription',
  listSubscriptionDeliveries: 'the deliveries of one subscription, of which retention keeps 30 days',
  claimDue: 'of each project the soonest, up to its share of the limit',
  listSeatsOver: 'the seats of a project that has more than its limit',
  readFiguresBefore: 'the groups by plan',
};

function maySort(call: keyof Calls, sql: string): boolean {
  return call in SORTED && (call !== 'listProjectDeliveries' || sql.includes('"event_id" = ?'));
}

/** The calls that read all rows of a table, which one, and why. */
const READ_WHOLE: Partial<Record<keyof Calls, { readonly table: string; readonly why: string }>> = {
  listProjects: { table: 'projects', why: 'it answers all of them' },
  listManagementKeys: { table: 'management_keys', why: 'it answers all of them' },
  claimDue: {
    table: 'projects',
    why: 'more is due than it may take, so it asks for the soonest of each project to share it out',
  },
};

/** The table of which a call may read all rows. */
export function readWholeBy(call: keyof Calls): string | null {
  return READ_WHOLE[call]?.table ?? null;
}

/** The lines of a query plan of SQLite that read or sort what may be long. */
export function problemsOfPlan(call: keyof Calls, sql: string, plan: readonly string[]): readonly string[] {
  return plan.filter(
    (line) =>
      longScan(line, sql, readWholeBy(call)) !== null ||
      (/TEMP B-TREE|AUTOMATIC/.test(line) && !maySort(call, sql)),
  );
}

/**
 * What a line of `explain query plan` reads from begin to end although it may be long; null when nothing. A
 * line names a table by its alias.
 * @param readWhole a table of which this call may read all rows
 */
export function longScan(detail: string, sql: string, readWhole: string | null = null): string | null {
  const [, scanned, index] = /^SCAN (\S+)(?:.* INDEX (\w+))?/.exec(detail) ?? [];
  // The values of an insert, a row of no table, or a subquery of the list, which has no name.
  if (scanned === undefined || /^SCAN (\d+-ROW VALUES CLAUSE|CONSTANT ROW|\(subquery-\d+\))$/.test(detail))
    return null;
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
