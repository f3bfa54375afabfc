import {
  latestPrice,
  sumOfFigures,
  UnreadableFigures,
  type AddedFigures,
  type DayFigures,
  type FigureStore,
  type KnownPrice,
  type MovementId,
  type PlanId,
  type ProjectId,
} from '@subrail/core/ports';
import { sql, type SqlBool } from 'kysely';
import { insertRows } from '../query/insert-rows.js';
import { placeFrom } from '../query/keyset.js';
import { readEach } from '../query/related-rows.js';
import { lostOnConflict, WriteConflict, type Handle, type Session } from '../query/session.js';
import { prepare, prepareList } from '../query/statement.js';
import { figureTable, movementTable } from '../tables/figures.js';
import type { SelectedRow } from '../tables/record-table.js';

const decode = figureTable.decoder();
const readMovement = movementTable.decoder();

/** Reads rows of figures with some of their sums; the others are empty. */
function readingOf(groups: readonly ('sums' | 'cohorts')[]) {
  const { selection, decoder } = figureTable.only([
    ...(['projectId', 'planId', 'day', 'running', 'recurring', 'price'] as const),
    ...groups,
  ]);
  const read: (row: SelectedRow) => Omit<DayFigures, 'sums' | 'cohorts'> = decoder();
  return {
    columns: selection(),
    read: (row: SelectedRow): DayFigures => {
      try {
        return { sums: {}, cohorts: {}, ...read(row) };
      } catch (cause) {
        throw new UnreadableFigures(new Date(Number(row['day'])), { cause });
      }
    },
  };
}

/** Writes figures as rows of their own, so that no commit waits for another one. */
export function figureAdditions(
  db: Handle,
): (handle: Handle, figures: readonly AddedFigures[]) => Promise<void> {
  const insert = insertFigures(db);
  return (handle, figures) => insert(handle, figures, 0);
}

function insertFigures(db: Handle) {
  const insert = insertRows(db, 'figures', [...figureTable.columns, 'merged']);
  return (handle: Handle, figures: readonly AddedFigures[], merged: 0 | 1) =>
    insert(
      handle,
      figures.map((one) => ({ ...figureTable.encode(one), merged })),
    );
}

/** The figures of each plan and day, and the movements by which they can be counted anew. */
export function figureStore(db: Handle): (session: Session) => FigureStore {
  const insert = insertFigures(db);
  const figures = db.selectFrom('figures').select(figureTable.selection());
  const toMerge = prepare((values: { limit: number }) =>
    figures
      .where('merged', '=', sql.lit(0))
      .orderBy('project_id')
      .orderBy('plan_id')
      .orderBy('day')
      .limit(values.limit),
  );
  const merged = prepare((values: { projectId: ProjectId; planId: PlanId; day: number }) =>
    figures
      .where('project_id', '=', values.projectId)
      .where('plan_id', '=', values.planId)
      .where('day', '=', values.day)
      .where('merged', '=', sql.lit(1)),
  );
  const deleteRows = prepareList((ids: readonly string[]) =>
    db.deleteFrom('figures').where('id', 'in', ids as never),
  );
  const putAside = prepareList((ids: readonly string[]) =>
    db
      .updateTable('figures')
      .set({ merged: sql.lit(2) })
      .where('id', 'in', ids as never),
  );
  const deleteDay = prepare((values: { projectId: ProjectId; day: number }) =>
    db.deleteFrom('figures').where('project_id', '=', values.projectId).where('day', '=', values.day),
  );
  const ofSpan = ({ columns, read }: ReturnType<typeof readingOf>) =>
    prepare(
      (values: { projectId: ProjectId; since: number; until: number }) =>
        db
          .selectFrom('figures')
          .select(columns)
          .where('project_id', '=', values.projectId)
          .where('day', '>=', values.since)
          .where('day', '<', values.until)
          .orderBy('day'),
      read,
    );
  const spans = {
    both: ofSpan(readingOf(['sums', 'cohorts'])),
    sums: ofSpan(readingOf(['sums'])),
    cohorts: ofSpan(readingOf(['cohorts'])),
  };
  const sumsBefore = prepare((values: { projectId: ProjectId; until: number }) =>
    db
      .selectFrom('figures')
      .select(({ fn }) => [
        'plan_id as planId',
        fn.sum<number | string>('running').as('running'),
        fn.sum<number | string>('recurring').as('recurring'),
      ])
      .where('project_id', '=', values.projectId)
      .where('day', '<', values.until)
      .groupBy('plan_id'),
  );
  const priced = readingOf([]);
  /** The rows of the last day on which each plan had a price. */
  const lastPrices = prepare(
    (values: { projectId: ProjectId; until: number }) =>
      db
        .selectFrom('figures')
        .select(priced.columns)
        .where('project_id', '=', values.projectId)
        .where(
          sql<SqlBool>`(plan_id, day) in (select plan_id, max(day) from figures
          where project_id = ${values.projectId} and day < ${values.until} and price is not null group by plan_id)`,
        ),
    priced.read,
  );
  const movements = prepare(
    (values: { projectId: ProjectId; until: number; at: number; id: string; limit: number }) =>
      db
        .selectFrom('movements')
        .select(movementTable.selection())
        .where('project_id', '=', values.projectId)
        .where('at', '<', values.until)
        .where(sql<SqlBool>`(at, id) > (${values.at}, ${values.id})`)
        .orderBy('at')
        .orderBy('id')
        .limit(values.limit),
  );

  /** Joins the additions of one plan and day with their merged row. */
  async function mergeDay(handle: Handle, additions: readonly AddedFigures[]): Promise<void> {
    const [first] = additions;
    if (first === undefined) return;
    const { projectId, planId, day } = first;
    const before = await merged.all(handle, { projectId, planId, day: day.getTime() });
    const rows = [...(await readableOf(handle, before)), ...additions];
    const ids = rows.map(({ id }) => id);
    // Another caller, who has merged some of them meanwhile, keeps what it wrote.
    if ((await deleteRows.write(handle, ids, {})) !== ids.length) throw new WriteConflict();
    await insert(handle, [rows.reduce((sum, row) => sumOfFigures(sum, row))], 1);
  }

  /** Puts rows that cannot be read aside until a rebuild replaces them, so that merging goes on past them. */
  async function readableOf(handle: Handle, rows: readonly SelectedRow[]): Promise<readonly AddedFigures[]> {
    const { readable, unreadable } = readEach(rows, decode);
    if (unreadable.length > 0)
      await putAside.write(
        handle,
        unreadable.map(({ id }) => id),
        {},
      );
    return readable;
  }

  return (session) => ({
    addFigures: (added) => session.atomically((handle) => insert(handle, added, 0)),
    async mergeFigures(limit) {
      const result = await lostOnConflict(session, async (handle) => {
        const additions = await toMerge.all(handle, { limit });
        for (const ofDay of grouped(await readableOf(handle, additions))) await mergeDay(handle, ofDay);
        return additions.length;
      });
      return result === 'lost' ? 0 : result;
    },
    async readFigures(projectId, since, until, only) {
      const span = { projectId, since: since.getTime(), until: until.getTime() };
      const days = await spans[only ?? 'both'].all(session.handle, span);
      return grouped(days).map((rows) => rows.reduce(sumOfFigures));
    },
    async readFiguresBefore(projectId, day) {
      const earlier = { projectId, until: day.getTime() };
      const rows = await lastPrices.all(session.handle, earlier);
      return (await sumsBefore.all(session.handle, earlier)).map(({ planId, running, recurring }) => ({
        planId,
        // A sum of PostgreSQL is text.
        running: Number(running),
        recurring: Number(recurring),
        price: rows
          .filter((row) => row.planId === planId)
          .reduce<KnownPrice | null>((last, row) => latestPrice(last, row.price), null),
      }));
    },
    replaceFigures: (projectId, day, added) =>
      session.atomically(async (handle) => {
        await deleteDay.write(handle, { projectId, day: day.getTime() });
        // Not as merged rows, because another caller may merge what was added meanwhile.
        await insert(handle, added, 0);
      }),
    async listMovements(projectId, since, until, after, limit) {
      const place = placeFrom(since, after);
      const values = { projectId, until: until.getTime(), ...place, limit: limit + 1 };
      const rows = await movements.all(session.handle, values);
      const { readable, unreadable } = readEach(rows.slice(0, limit), readMovement);
      const last = rows.length > limit ? rows[limit - 1] : undefined;
      const next = last && { id: last['id'] as MovementId, at: new Date(Number(last['at'])) };
      return { movements: readable, unreadable, next: next ?? null };
    },
  });
}

/** The rows of each plan and day together, in the order of the first of each. */
function grouped<Row extends DayFigures>(rows: readonly Row[]): readonly (readonly Row[])[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = `${row.planId} ${row.day.getTime()}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return [...groups.values()];
}
