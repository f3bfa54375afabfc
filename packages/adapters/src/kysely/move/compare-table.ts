import type { SelectedRow } from '../tables/record-table.js';
import { MoveRefused } from './claim.js';
import type { TablePair } from './copy-table.js';

/** The totals of a table in both databases. */
export interface TableTotals {
  readonly table: string;
  readonly rows: number;
  /** The sums of its amounts, in base units of their tokens. */
  readonly sums: Readonly<Record<string, bigint>>;
}

type Batch = readonly SelectedRow[];

/**
 * Compares every value of every row.
 * @throws MoveRefused at the first difference
 */
export async function compareTable(
  { name: table, about: { key, amounts = [] }, source, target }: TablePair,
  compared: (rows: number) => Promise<void>,
): Promise<TableTotals> {
  let rows = 0;
  const sums: Record<string, bigint> = Object.fromEntries(amounts.map((column) => [column, 0n]));
  let last: SelectedRow | null = null;
  for (;;) {
    const batches: readonly [Batch, Batch] = await Promise.all([source.after(last), target.after(last)]);
    const [expected, actual] = batches;
    for (let at = 0; at < Math.max(expected.length, actual.length); at++)
      if (textOf(expected[at], source.columns) !== textOf(actual[at], source.columns))
        throw new MoveRefused(
          `The row ${nameOf(expected[at] ?? actual[at], key)} of ${table} is not the same in both databases. ` +
            'Nothing was switched. Cancel the move, and begin it anew to another empty database.',
        );
    for (const row of expected)
      for (const column of amounts)
        if (row[column] !== null) sums[column] = (sums[column] ?? 0n) + BigInt(String(row[column]));
    rows += expected.length;
    await compared(expected.length);
    last = expected.at(-1) ?? null;
    if (expected.length < source.batchSize) return { table, rows, sums };
  }
}

function textOf(row: SelectedRow | undefined, columns: readonly string[]): string {
  return row === undefined ? '' : JSON.stringify(columns.map((column) => row[column]));
}

function nameOf(row: SelectedRow | undefined, key: readonly string[]): string {
  return key.map((column) => String(row?.[column])).join(' ');
}
