import { DueQueue } from './due-queue.js';
import type { Journal } from './journal.js';
import { earliest } from './order.js';

/** Returns the value of a row in an index, or null when the index leaves the row out. */
export type Key<Row> = (row: Row) => string | null;

/** Joins several values into one key. Each is preceded by its length, so that no two lists of values have the same key. */
export function key(...parts: readonly (string | number)[]): string {
  let joined = '';
  for (const part of parts) {
    const text = String(part);
    joined += `${text.length}:${text}`;
  }
  return joined;
}

/** Throws when an insert met an existing row. Ids and key hashes are random, so that is a fault of the caller. */
export function requireNew(kind: string, conflict: string | null): void {
  if (conflict !== null)
    throw new Error(`The ${kind} was not inserted: another one has the same ${conflict}.`);
}

/** The rows with each value of a unique index: at most one. */
interface UniqueIndex<Row, Name> {
  readonly name: Name;
  readonly key: Key<Row>;
  readonly ids: Map<string, string>;
}

/** The rows with each value of a group, in the order they were first written. */
interface GroupIndex<Row, Name> {
  readonly name: Name;
  readonly key: Key<Row>;
  readonly ids: Map<string, Set<string>>;
}

/** A row with its values in the unique indexes and in the groups, in the order of those. */
export interface Entry<Row> {
  readonly row: Row;
  readonly unique: readonly (string | null)[];
  readonly groups: readonly (string | null)[];
}

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
  readonly #entries = new Map<string, Entry<Row>>();
  readonly #uniques: readonly UniqueIndex<Row, Unique>[];
  readonly #groups: readonly GroupIndex<Row, Group>[];
  readonly #due: Due<Row> | null;
  readonly #queues = new Map<string, DueQueue>();
  readonly #endsAt: (row: Row) => Date | null;
  readonly #ends = new DueQueue((id) => this.#endOf(this.get(id)));

  constructor(
    journal: Journal,
    id: (row: Row) => string,
    uniques: Readonly<Record<Unique, Key<Row>>>,
    groups: Readonly<Record<Group, Key<Row>>>,
    due: Due<Row> | null = null,
    endsAt: (row: Row) => Date | null = () => null,
  ) {
    this.#endsAt = endsAt;
    this.#journal = journal;
    this.#id = id;
    this.#due = due;
    this.#uniques = keysOf(uniques).map(([name, key]) => ({ name, key, ids: new Map() }));
    this.#groups = keysOf(groups).map(([name, key]) => ({ name, key, ids: new Map() }));
  }

  get(id: string): Row | null {
    return this.#entries.get(id)?.row ?? null;
  }

  all(): Row[] {
    return [...this.#entries.values()].map(({ row }) => row);
  }

  /** The row with this value in a unique index, or null. */
  find(index: Unique, value: string): Row | null {
    const id = this.#uniques.find(({ name }) => name === index)?.ids.get(value);
    return id === undefined ? null : this.get(id);
  }

  /** The rows with this value in a group, in the order they were first written. */
  where(group: Group, value: string): Row[] {
    const ids = this.#groups.find(({ name }) => name === group)?.ids.get(value);
    return ids === undefined ? [] : [...ids].flatMap((id) => this.get(id) ?? []);
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

  /** At most `limit` rows whose end is at or before `now`, earliest first. */
  listEnded(now: Date, limit: number): Row[] {
    return this.#ends.listDue(now, limit).flatMap((id) => this.get(id) ?? []);
  }

  /** The earliest date of a row, or null. */
  firstDue(): Date | null {
    return earliest([...this.#queues.values()].map((queue) => queue.firstDate()));
  }

  /** Inserts all rows and returns null, or inserts none and returns the unique index that refused one. */
  insert(rows: readonly Row[]): Unique | 'id' | null {
    return rows.some((row) => this.#entries.has(this.#id(row))) ? 'id' : this.put(rows);
  }

  /**
   * Inserts rows, or replaces those with the same id, and returns null; or writes none and returns the unique index
   * that refused one. Uniqueness is checked on the final rows, so one row may take a value that another of the same
   * call frees.
   */
  put(rows: readonly Row[]): Unique | 'id' | null {
    const mark = this.#journal.mark;
    const written = new Set<string>();
    const entries = rows.map((row) => this.#entryOf(row));
    // Rows that free a unique value are taken out first, so that another row of the same call can take it.
    for (const { row, unique } of entries) {
      const id = this.#id(row);
      const before = this.#entries.get(id);
      if (before?.unique.some((value, place) => value !== null && value !== unique[place]))
        this.#change(id, null);
    }
    for (const entry of entries) {
      const id = this.#id(entry.row);
      const conflict = written.has(id) ? 'id' : this.conflict(entry);
      if (conflict !== null) {
        this.#journal.undoTo(mark);
        return conflict;
      }
      written.add(id);
      this.#change(id, entry);
    }
    return null;
  }

  /** Returns the unique index in which another row has the value of this one, or null when there is none. */
  conflict({ row, unique }: Entry<Row>): Unique | null {
    const id = this.#id(row);
    for (const [place, { name, ids }] of this.#uniques.entries()) {
      const value = unique[place] ?? null;
      const holder = value === null ? undefined : ids.get(value);
      if (holder !== undefined && holder !== id) return name;
    }
    return null;
  }

  #entryOf(row: Row): Entry<Row> {
    const valueIn = ({ key }: { readonly key: Key<Row> }) => key(row);
    return { row, unique: this.#uniques.map(valueIn), groups: this.#groups.map(valueIn) };
  }

  #change(id: string, next: Entry<Row> | null): void {
    const before = this.#entries.get(id) ?? null;
    if (before === next) return;
    this.#apply(id, before, next);
    this.#journal.record(() => {
      this.#apply(id, next, before);
    });
  }

  #apply(id: string, before: Entry<Row> | null, next: Entry<Row> | null): void {
    if (next === null) this.#entries.delete(id);
    else this.#entries.set(id, next);
    const dueAt = this.#dateOf(next?.row ?? null);
    if (next !== null && dueAt !== null && dueAt.getTime() !== this.#dateOf(before?.row ?? null)?.getTime())
      this.#queueOf(next.row).add(id, dueAt);
    const end = this.#endOf(next?.row ?? null);
    if (end !== null && end.getTime() !== this.#endOf(before?.row ?? null)?.getTime())
      this.#ends.add(id, end);
    for (const [place, { ids }] of this.#uniques.entries()) {
      const old = before?.unique[place] ?? null;
      const value = next?.unique[place] ?? null;
      if (old === value) continue;
      if (old !== null) ids.delete(old);
      if (value !== null) ids.set(value, id);
    }
    for (const [place, { ids }] of this.#groups.entries()) {
      const old = before?.groups[place] ?? null;
      const value = next?.groups[place] ?? null;
      if (old === value) continue;
      const left = old === null ? undefined : ids.get(old);
      left?.delete(id);
      if (old !== null && left?.size === 0) ids.delete(old);
      if (value !== null) ids.set(value, (ids.get(value) ?? new Set()).add(id));
    }
  }

  #dateOf(row: Row | null): Date | null {
    return row === null || this.#due === null ? null : this.#due.at(row);
  }

  #endOf(row: Row | null): Date | null {
    return row === null ? null : this.#endsAt(row);
  }

  #queueOf(row: Row): DueQueue {
    const group = this.#due?.group(row) ?? '';
    const queue = this.#queues.get(group) ?? new DueQueue((id) => this.#dateOf(this.get(id)));
    this.#queues.set(group, queue);
    return queue;
  }
}

function keysOf<Name extends string, Row>(keys: Readonly<Record<Name, Key<Row>>>): [Name, Key<Row>][] {
  return Object.entries(keys) as [Name, Key<Row>][];
}
