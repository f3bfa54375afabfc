import { DueQueue } from './due-queue.js';
import type { Journal } from './journal.js';
import { earliest } from './order.js';

type Part = string | number;

/**
 * The parts of the value of a row in an index, or null when the index leaves it out. An index has one part or
 * several.
 */
type Key<Row> = (row: Row) => readonly Part[] | null;

/**
 * Joins parts into one text. Each of several follows its length, so that different lists of the same length
 * differ.
 */
function joined(parts: readonly Part[]): string {
  const [first = ''] = parts;
  if (parts.length === 1) return String(first);
  let text = '';
  for (const part of parts) {
    const next = String(part);
    text += `${next.length}:${next}`;
  }
  return text;
}

function isSame(parts: readonly Part[] | null, others: readonly Part[]): boolean {
  return parts?.length === others.length && others.every((part, place) => part === parts[place]);
}

/** Throws when an insert met a row: ids and hashes of keys are random, so that is a fault of the caller. */
export function requireNew(kind: string, conflict: string | null): void {
  if (conflict !== null)
    throw new Error(`The ${kind} was not inserted: another one has the same ${conflict}.`);
}

/** The ids of the rows with one value, in the order of their first writes. Most values have a single row. */
type Ids = string | Set<string>;

interface Index<Row, Name> {
  readonly name: Name;
  readonly isUnique: boolean;
  readonly key: Key<Row>;
  readonly ids: Map<string, Ids>;
}

/** A row with its value in each index. */
export interface Entry<Row> {
  readonly row: Row;
  /** The place of its first write, which it keeps when it is replaced. */
  readonly place: number;
  readonly values: readonly (string | null)[];
}

/**
 * The value of a row in an index. The value before is reused for equal parts, because joining takes longer.
 */
function valueOf<Row>(
  key: Key<Row>,
  row: Row,
  before: Entry<Row> | null,
  valueBefore: string | null = null,
): string | null {
  const parts = key(row);
  if (parts === null) return null;
  return before !== null && valueBefore !== null && isSame(key(before.row), parts)
    ? valueBefore
    : joined(parts);
}

/** When a row is due, and the group that shares its claims. */
interface Due<Row> {
  readonly at: (row: Row) => Date | null;
  readonly group: (row: Row) => string;
}

interface Options<Row, Unique extends string, Group extends string> {
  /** Indexes that refuse a second row with a value. */
  readonly unique?: Readonly<Record<Unique, Key<Row>>>;
  /** Indexes by which queries find rows. */
  readonly groups?: Readonly<Record<Group, Key<Row>>>;
  readonly due?: Due<Row>;
  readonly endsAt?: (row: Row) => Date | null;
}

/** Rows by id, with unique indexes, groups of rows with one value, and dates at which rows are due. */
export class Table<Row, Unique extends string = never, Group extends string = never> {
  readonly #journal: Journal;
  readonly #id: (row: Row) => string;
  readonly #entries = new Map<string, Entry<Row>>();
  #lastPlace = 0;
  readonly #indexes: readonly (Index<Row, Unique> | Index<Row, Group>)[];
  readonly #due: Due<Row> | null;
  readonly #queues = new Map<string, DueQueue>();
  readonly #endsAt: (row: Row) => Date | null;
  readonly #ends = new DueQueue((id) => this.#endOf(this.get(id)));

  constructor(
    journal: Journal,
    id: (row: Row) => string,
    { unique, groups, due, endsAt = () => null }: Options<Row, Unique, Group> = {},
  ) {
    this.#endsAt = endsAt;
    this.#journal = journal;
    this.#id = id;
    this.#due = due ?? null;
    this.#indexes = [...indexesOf(unique, true), ...indexesOf(groups, false)];
  }

  get(id: string): Row | null {
    return this.#entries.get(id)?.row ?? null;
  }

  all(): Row[] {
    return [...this.#entries.values()].map(({ row }) => row);
  }

  /** The row with this value in a unique index, or null. */
  find(index: Unique, ...value: readonly Part[]): Row | null {
    const [id] = this.#idsOf(index, value);
    return id === undefined ? null : this.get(id);
  }

  /** The rows with this value in a group, in the order of their first writes. */
  where(group: Group, ...value: readonly Part[]): Row[] {
    return this.#idsOf(group, value).flatMap((id) => this.get(id) ?? []);
  }

  /** The same in the reverse order. */
  newestWritten(group: Group, ...value: readonly Part[]): Row[] {
    const entries = this.#idsOf(group, value)
      .flatMap((id) => this.#entries.get(id) ?? [])
      .reverse();
    return entries.sort((a, b) => b.place - a.place).map(({ row }) => row);
  }

  #idsOf(index: Unique | Group, value: readonly Part[]): readonly string[] {
    const ids = this.#indexes.find(({ name }) => name === index)?.ids.get(joined(value)) ?? [];
    return typeof ids === 'string' ? [ids] : [...ids];
  }

  /**
   * Takes at most `limit` due rows, earliest first; as many of each group when more are due. The caller gives
   * each another date.
   */
  takeDue(now: Date, limit: number): Row[] {
    const queues = [...this.#queues.values()].filter((queue) => (queue.firstDate() ?? Infinity) <= now);
    const soonest = queues.toSorted((a, b) => Number(a.firstDate()) - Number(b.firstDate()));
    // A single group has all of the limit, so nothing is counted for it.
    let counted = 0;
    if (queues.length > 1)
      for (const queue of queues)
        if (counted <= limit) counted += queue.listDue(now, limit + 1 - counted).length;
    const share = counted > limit ? Math.ceil(limit / queues.length) : limit;
    const due: Row[] = [];
    for (const queue of soonest) {
      const room = Math.min(share, limit - due.length);
      due.push(...queue.takeDue(now, room).flatMap((id) => this.get(id) ?? []));
    }
    const time = (row: Row) => this.#dateOf(row)?.getTime() ?? 0;
    return queues.length === 1 ? due : due.toSorted((a, b) => time(a) - time(b));
  }

  /** At most `limit` rows whose end is at or before `now`, earliest first. */
  listEnded(now: Date, limit: number): Row[] {
    return this.#ends.listDue(now, limit).flatMap((id) => this.get(id) ?? []);
  }

  /** The groups with a due row, the soonest first. */
  dueGroups(now: Date): string[] {
    const dates = [...this.#queues].map(([group, queue]) => ({ group, at: queue.firstDate() }));
    return dates
      .filter(({ at }) => at !== null && at <= now)
      .sort((one, other) => Number(one.at) - Number(other.at))
      .map(({ group }) => group);
  }

  /** At most `limit` due rows of a group, earliest first, by id within one instant. */
  listDue(group: string, now: Date, limit: number): Row[] {
    const due = this.#queues.get(group)?.listDue(now, limit) ?? [];
    return due.flatMap((id) => this.get(id) ?? []);
  }

  /** The earliest date of a row, or null. */
  firstDue(): Date | null {
    return earliest([...this.#queues.values()].map((queue) => queue.firstDate()));
  }

  /** Inserts all rows and returns null, or none and returns the unique index that refused one. */
  insert(rows: readonly Row[]): Unique | 'id' | null {
    return rows.some((row) => this.#entries.has(this.#id(row))) ? 'id' : this.put(rows);
  }

  /**
   * Inserts or replaces rows and returns null, or writes none and returns the unique index that refused one.
   * Uniqueness counts for the final rows: one may take a value that another of the call frees.
   */
  put(rows: readonly Row[]): Unique | 'id' | null {
    const mark = this.#journal.mark;
    const ids = rows.map(this.#id);
    if (rows.length > 1 && new Set(ids).size < rows.length) return 'id';
    const writes = rows.map((row, place) => {
      const id = ids[place] ?? '';
      const stored = this.#entries.get(id) ?? null;
      const next = this.#entryOf(row, stored);
      // Removed first, so that another row of the call can take its value.
      const before = stored !== null && this.#frees(stored, next) ? this.#change(id, stored, null) : stored;
      return { id, before, next };
    });
    for (const { id, before, next } of writes) {
      const conflict = this.conflict(before, next);
      if (conflict !== null) {
        this.#journal.undoTo(mark);
        return conflict;
      }
      this.#change(id, before, next);
    }
    return null;
  }

  delete(ids: readonly string[]): void {
    for (const id of ids) {
      const stored = this.#entries.get(id);
      if (stored !== undefined) this.#change(id, stored, null);
    }
  }

  /** The unique index in which another row has a value of the next entry, or null. */
  conflict(before: Entry<Row> | null, next: Entry<Row>): Unique | null {
    const index = this.#indexes.find(({ isUnique, ids }, place) => {
      const value = next.values[place] ?? null;
      return isUnique && value !== null && value !== before?.values[place] && ids.has(value);
    });
    return index === undefined ? null : (index.name as Unique);
  }

  #frees(before: Entry<Row>, next: Entry<Row>): boolean {
    return this.#indexes.some(({ isUnique }, place) => {
      const value = before.values[place] ?? null;
      return isUnique && value !== null && value !== next.values[place];
    });
  }

  #entryOf(row: Row, before: Entry<Row> | null): Entry<Row> {
    const values = this.#indexes.map(({ key }, place) => valueOf(key, row, before, before?.values[place]));
    return { row, place: before?.place ?? ++this.#lastPlace, values };
  }

  /** Replaces the entry of a row, and returns the new one. */
  #change<Next extends Entry<Row> | null>(id: string, before: Entry<Row> | null, next: Next): Next {
    this.#apply(id, before, next);
    this.#journal.record(() => {
      this.#apply(id, next, before);
    });
    return next;
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
    this.#indexes.forEach(({ ids }, place) => {
      const old = before?.values[place] ?? null;
      const value = next?.values[place] ?? null;
      if (old === value) return;
      if (old !== null) leave(ids, old, id);
      if (value !== null) join(ids, value, id);
    });
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

function join(index: Map<string, Ids>, value: string, id: string): void {
  const ids = index.get(value);
  if (ids === undefined) index.set(value, id);
  else if (typeof ids === 'string') index.set(value, new Set([ids, id]));
  else ids.add(id);
}

function leave(index: Map<string, Ids>, value: string, id: string): void {
  const ids = index.get(value);
  if (typeof ids === 'object') ids.delete(id);
  if (ids === id || (typeof ids === 'object' && ids.size === 0)) index.delete(value);
}

function indexesOf<Row, Name extends string>(
  keys: Readonly<Record<Name, Key<Row>>> | undefined,
  isUnique: boolean,
): Index<Row, Name>[] {
  const entries = Object.entries(keys ?? {}) as [Name, Key<Row>][];
  return entries.map(([name, key]) => ({ name, key, isUnique, ids: new Map() }));
}
