import type { Journal } from './journal.js';

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

  constructor(
    journal: Journal,
    id: (row: Row) => string,
    uniques: Readonly<Record<Unique, Key<Row>>>,
    groups: Readonly<Record<Group, Key<Row>>>,
  ) {
    this.#journal = journal;
    this.#id = id;
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
    for (const row of rows) this.#change(this.#id(row), null);
    for (const row of rows) {
      const conflict = this.conflict(row);
      if (conflict !== null) {
        this.#journal.undoTo(mark);
        return conflict;
      }
      this.#change(this.#id(row), row);
    }
    return null;
  }

  /** Returns the unique index in which a stored row already has the key of this row; null when the row can be added. */
  conflict(row: Row): Unique | 'id' | null {
    for (const [name, { key, rows }] of this.#uniques) {
      const value = key(row);
      if (value !== null && rows.has(value)) return name;
    }
    return this.#rows.has(this.#id(row)) ? 'id' : null;
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
    for (const { key, rows } of this.#indexes.values()) {
      const old = before === null ? null : key(before);
      if (old !== null) {
        const group = rows.get(old);
        group?.delete(id);
        if (group?.size === 0) rows.delete(old);
      }
      const value = next === null ? null : key(next);
      if (value !== null) {
        const group = rows.get(value) ?? new Map<string, Row>();
        rows.set(value, group.set(id, next as Row));
      }
    }
  }
}
