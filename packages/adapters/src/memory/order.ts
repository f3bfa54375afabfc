import type { Page, PageRequest } from '@subrail/core/ports';

type Instant = 'createdAt' | 'attemptedAt';
type Dated<At extends Instant> = { readonly id: string } & { readonly [K in At]: Date };

/** Rows newest first by (instant, id): the order of every list (requests#identifiers). */
export function newestFirst<At extends Instant, Row extends Dated<At>>(rows: readonly Row[], at: At): Row[] {
  return [...rows].sort(
    (a, b) => b[at].getTime() - a[at].getTime() || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0),
  );
}

/** The page that was asked for of a whole list. */
export function pageOf<Row extends { readonly id: string }>(
  list: readonly Row[],
  ask: PageRequest<Row['id']>,
): Page<Row> | 'unknown_cursor' {
  const cursor = list.findIndex((row) => row.id === ask.startingAfter);
  if (ask.startingAfter !== null && cursor === -1) return 'unknown_cursor';
  const rest = list.slice(cursor + 1);
  return { data: rest.slice(0, ask.limit), hasMore: rest.length > ask.limit };
}

/** Rows whose instant has come, soonest first, then by id. */
export function dueFirst<Row extends { readonly id: string }>(
  rows: readonly Row[],
  dueAt: (row: Row) => Date | null,
  now: Date,
): Row[] {
  return rows
    .map((row) => ({ row, at: dueAt(row)?.getTime() ?? Infinity }))
    .filter(({ at }) => at <= now.getTime())
    .sort((a, b) => a.at - b.at || (a.row.id < b.row.id ? -1 : 1))
    .map(({ row }) => row);
}

/** The earliest of some instants, or null when there is none. */
export function earliest(instants: readonly (Date | null)[]): Date | null {
  return instants.reduce((first, at) => (first === null || (at !== null && at < first) ? at : first), null);
}
