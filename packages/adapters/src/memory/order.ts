import type { Batch, BatchCursor, Page, PageRequest } from '@subrail/core/ports';

type Dated = { readonly id: string } & ({ readonly createdAt: Date } | { readonly attemptedAt: Date });

/** Sorts rows newest first, by id within one instant: the order of every list (lists#keyset-pagination). */
export function newestFirst<Row extends Dated>(rows: readonly Row[]): Row[] {
  return [...rows].sort((a, b) => timeOf(b) - timeOf(a) || byText(b.id, a.id));
}

function timeOf(row: Dated): number {
  return ('createdAt' in row ? row.createdAt : row.attemptedAt).getTime();
}

export function isBehind(row: Dated, other: Dated): boolean {
  return (timeOf(other) - timeOf(row) || byText(other.id, row.id)) > 0;
}

/** The order of due rows: by date, and by id within one instant. */
export function soonestFirst(
  one: { readonly at: Date; readonly id: string },
  other: { readonly at: Date; readonly id: string },
): number {
  return one.at.getTime() - other.at.getTime() || byText(one.id, other.id);
}

export function pageOf<Row extends { readonly id: string }>(
  list: readonly Row[],
  request: PageRequest<Row['id']>,
): Page<Row> | 'unknown_cursor' {
  const cursor = list.findIndex((row) => row.id === request.startingAfter);
  if (request.startingAfter !== null && cursor === -1) return 'unknown_cursor';
  const rest = list.slice(cursor + 1);
  return { data: rest.slice(0, request.limit), hasMore: rest.length > request.limit };
}

/** The rows of a batch, soonest first, by id within one instant, and where the next batch begins. */
export function batchOf<Row extends { readonly id: string }>(
  rows: readonly Row[],
  dateOf: (row: Row) => Date | null,
  limit: number,
  after: BatchCursor | null,
): { readonly batch: readonly Row[]; readonly next: Batch['next'] } {
  const dated = rows.flatMap((row) => {
    const at = dateOf(row);
    const place = at === null ? null : { id: row.id, at };
    return place === null || (after !== null && soonestFirst(place, after) <= 0) ? [] : [{ row, ...place }];
  });
  const batch = dated.sort(soonestFirst).slice(0, limit);
  const last = batch.length === limit ? batch.at(-1) : undefined;
  return {
    batch: batch.map(({ row }) => row),
    next: last === undefined ? null : { at: last.at, id: last.id },
  };
}

/** The order by character codes. */
export function byText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

export function earliest(instants: readonly (Date | null)[]): Date | null {
  return instants.reduce((first, at) => (first === null || (at !== null && at < first) ? at : first), null);
}
