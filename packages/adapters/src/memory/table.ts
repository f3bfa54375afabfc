import { DueQueue } from './due-queue.js';
import type { Journal } from './journal.js';
import { earliest } from './order.js';

/** Returns the value of a row in an index, or null when the index leaves the row out. */
export type Key<Row> = (row: Row) => string | null;

/** Joins several values into one key. */
export function key(...parts: readonly (string | number)[]): string {
  return JSON.stringify(parts);
}

/** Throws when an insert met an existing row. Ids and key hashes are random, so that is a fault of the caller. */
export function requireNew(kind: string, conflict: string | null): void {
  if (conflict !== null)
    throw new Error(`The ${kind} was not inserted: another one has the same ${conflict}.`);
}

type Index<Row> = { readonly key: Key<Row>; readonly rows: Map<string, Map<string, Row>> };

/** When a row is due, and the group with which it shares a claim. */
export interface Due<Row> {
  readonly at: (row: Row) => Date | null;
  readonly group: (row: Row) => string;
}

/**
 * Rows by id, with unique indexes, which refuse a second row with the same value, and groups, which may have many rows
 * with the same value.
 */
export class Table<Row, Unique extends string, Group extends string> {
  readonly #journal: Journal;
  readonly #id: (row: Row) => string;
  readonly #rows = new Map<string, Row>();
  readonly #uniques: readonly (readonly [Unique, Index<Row>])[];
  readonly #indexes = new Map<Unique | Group, Index<Row>>();
  readonly #due: Due<Row> | null;
  readonly #queues = new Map<string, DueQueue>();

  constructor(
    journal: Journal,
    id: (row: Row) => string,
    uniques: Readonly<Record<Unique, Key<Row>>>,
    groups: Readonly<Record<Group, Key<Row>>>,
    due: Due<Row> | null = null,
  ) {
    this.#journal = journal;
    this.#id = id;
    this.#due = due;
    const indexesOf = <Name extends string>(keys: Readonly<Record<Name, Key<Row>>>) =>
      (Object.keys(keys) as Name[]).map((name) => [name, { key: keys[name], rows: new Map() }] as const);
    this.#uniques = indexesOf(uniques);
    for (const [name, index] of [...this.#uniques, ...indexesOf(groups)]) this.#indexes.set(name, index);
  }

  get(id: string): Row | null {
    return this.#rows.get(id) ?? null;
  }

  all(): Row[] {
    return [...this.#rows.values()];
  }

  /** The rows with this value in an index, in the order they were first written. */
  where(index: Unique | Group, value: string): Row[] {
    return [...(this.#indexes.get(index)?.rows.get(value)?.values() ?? [])];
  }

  /**
   * Takes at most `limit` rows that are due at `now`, the same number of each group, earliest first. The caller gives each of
   * them another date.
   */
  takeDue(now: Date, limit: number): Row[] {
    const queues = [...this.#queues.values()].filter((queue) => (queue.firstDate() ?? Infinity) <= now);
    const soonest = queues.toSorted((a, b) => Number(a.firstDate()) - Number(b.firstDate()));
    const share = Math.ceil(limit / Math.max(1, queues.length));
    const due: Row[] = [];
    for (const queue of soonest) {
      const room = Math.min(share, limit - due.length);
      due.push(...queue.takeDue(now, room).flatMap((id) => this.get(id) ?? []));
    }
    return due.toSorted((a, b) => Number(this.#dateOf(a)) - Number(this.#dateOf(b)));
  }

  /** The earliest date of a row, or null. */
  firstDue(): Date | null {
    return earliest([...this.#queues.values()].map((queue) => queue.firstDate()));
  }

  /** Inserts all rows and returns null, or inserts none and returns the unique index that refused one. */
  insert(rows: readonly Row[]): Unique | 'id' | null {
    return rows.some((row) => this.#rows.has(this.#id(row))) ? 'id' : this.put(rows);
  }

  /**
   * Inserts rows, or replaces those with the same id, and returns null; or writes none and returns the unique index
   * that refused one. Uniqueness is checked on the final rows, so one row may take a value that another of the same
   * call frees.
   */
  put(rows: readonly Row[]): Unique | 'id' | null {
    const mark = this.#journal.mark;
    const written = new Set<string>();
    // Rows that free a unique value are taken out first, so that another row of the same call can take it.
    for (const row of rows) {
      const before = this.get(this.#id(row));
      if (before !== null && this.#uniques.some(([, { key }]) => key(before) !== key(row)))
        this.#change(this.#id(row), null);
    }
    for (const row of rows) {
      const id = this.#id(row);
      const conflict = written.has(id) ? 'id' : this.conflict(row);
      if (conflict !== null) {
        this.#journal.undoTo(mark);
        return conflict;
      }
      written.add(id);
      this.#change(id, row);
    }
    return null;
  }

  /** Returns the unique index in which another row has the value of this one, or null when there is none. */
  conflict(row: Row): Unique | null {
    const id = this.#id(row);
    for (const [name, { key, rows }] of this.#uniques) {
      const value = key(row);
      const holders = value === null ? undefined : rows.get(value);
      if (holders !== undefined && (holders.size > 1 || !holders.has(id))) return name;
    }
    return null;
  }

  #change(id: string, next: Row | null): void {
    const before = this.get(id);
    if (before === next) return;
    this.#apply(id, before, next);
    this.#journal.record(() => {
      this.#apply(id, next, before);
    });
  }

  #apply(id: string, before: Row | null, next: Row | null): void {
    if (next === null) this.#rows.delete(id);
    else this.#rows.set(id, next);
    const dueAt = this.#dateOf(next);
    if (next !== null && dueAt !== null && dueAt.getTime() !== this.#dateOf(before)?.getTime())
      this.#queueOf(next).add(id, dueAt);
    for (const { key, rows } of this.#indexes.values()) {
      const old = before === null ? null : key(before);
      const value = next === null ? null : key(next);
      if (old !== null && old !== value) {
        const group = rows.get(old);
        group?.delete(id);
        if (group?.size === 0) rows.delete(old);
      }
      if (value !== null) {
        const group = rows.get(value) ?? new Map<string, Row>();
        rows.set(value, group.set(id, next as Row));
      }
    }
  }

  #dateOf(row: Row | null): Date | null {
    return row === null || this.#due === null ? null : this.#due.at(row);
  }

  #queueOf(row: Row): DueQueue {
    const group = this.#due?.group(row) ?? '';
    const queue = this.#queues.get(group) ?? new DueQueue((id) => this.#dateOf(this.get(id)));
    this.#queues.set(group, queue);
    return queue;
  }
}
