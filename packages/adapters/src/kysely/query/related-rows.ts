import type { Plan, PlanId, UnreadableRecord } from '@subrail/core/ports';
import { planTable } from '../tables/projects.js';
import type { SelectedRow } from '../tables/record-table.js';
import type { Handle } from './session.js';

const readPlan = planTable.decoder();

export function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}

/** Sorts rows into the order of their ids. */
export function inOrderOf(ids: readonly string[], rows: readonly SelectedRow[]): readonly SelectedRow[] {
  const rowOf = new Map(rows.map((row) => [row['id'], row]));
  return ids.flatMap((id) => {
    const row = rowOf.get(id);
    return row === undefined ? [] : [row];
  });
}

/** Reads each row. A damaged row is reported in `unreadable` and does not fail the call. */
export function readEach<Read>(
  rows: readonly SelectedRow[],
  read: (row: SelectedRow) => Read,
): { readonly readable: readonly Read[]; readonly unreadable: readonly UnreadableRecord[] } {
  const readable: Read[] = [];
  const unreadable: UnreadableRecord[] = [];
  for (const row of rows) {
    try {
      readable.push(read(row));
    } catch (error) {
      unreadable.push({ id: String(row['id']), error });
    }
  }
  return { readable, unreadable };
}

/**
 * Finds records by a column without duplicates. A row is decoded on demand, so a damaged row fails only those
 * who need it.
 */
export function recordsBy<Record>(
  column: string,
  rows: readonly SelectedRow[],
  read: (row: SelectedRow) => Record,
): (value: string) => Record | undefined {
  const rowOf = new Map(rows.map((row) => [row[column], row]));
  const records = new Map<string, Record>();
  return (value) => {
    const row = rowOf.get(value);
    const known = records.get(value);
    if (row === undefined || known !== undefined) return known;
    const record = read(row);
    records.set(value, record);
    return record;
  };
}

/** Reads rows of subscriptions with their plans, as `readEach` does. */
export async function readWithPlans<Subscription extends { readonly planId: PlanId }>(
  handle: Handle,
  rows: readonly SelectedRow[],
  read: (row: SelectedRow) => Subscription,
) {
  const ids = distinct(rows.map((row) => row['plan_id'] as PlanId));
  const plans =
    ids.length === 0
      ? []
      : await handle.selectFrom('plans').select(planTable.selection()).where('id', 'in', ids).execute();
  const planOf = recordsBy('id', plans, readPlan);
  return readEach(rows, (row): { subscription: Subscription; plan: Plan } => {
    const subscription = read(row);
    return { subscription, plan: requireRow(planOf(subscription.planId)) };
  });
}

/** Returns a row that a foreign key guarantees. Throws when it is missing. */
export function requireRow<Row>(row: Row | null | undefined): Row {
  if (row === undefined || row === null)
    throw new Error('The database is damaged: a row that a foreign key names is missing. Restore a backup.');
  return row;
}
