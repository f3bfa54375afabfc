interface Entry {
  readonly at: number;
  readonly id: string;
}

/**
 * Finds the rows that are due first without looking at the others: a binary heap of dates. An entry is stale
 * when its row has another date by now, and is dropped when it comes first.
 */
export class DueQueue {
  /** The present date of a row; null without one. */
  readonly #dueAt: (id: string) => Date | null;
  readonly #heap: Entry[] = [];

  constructor(dueAt: (id: string) => Date | null) {
    this.#dueAt = dueAt;
  }

  add(id: string, dueAt: Date): void {
    const entry = { at: dueAt.getTime(), id };
    let place = this.#heap.length;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = this.#heap[parent];
      if (above === undefined || !isBefore(entry, above)) break;
      this.#heap[place] = above;
      place = parent;
    }
    this.#heap[place] = entry;
  }

  /** Takes at most `limit` due rows, earliest first, by id within one instant, and returns their ids. */
  takeDue(now: Date, limit: number): string[] {
    const due: string[] = [];
    for (let first = this.#first(); first !== null && due.length < limit; first = this.#first()) {
      if (first.at > now.getTime()) break;
      this.#drop();
      // A row that got a date twice has two adjacent entries.
      if (due.at(-1) !== first.id) due.push(first.id);
    }
    return due;
  }

  /** The same rows, which stay in the queue. */
  listDue(now: Date, limit: number): string[] {
    const due = this.takeDue(now, limit);
    for (const id of due) {
      const dueAt = this.#dueAt(id);
      if (dueAt !== null) this.add(id, dueAt);
    }
    return due;
  }

  /** The earliest date, or null. */
  firstDate(): Date | null {
    const first = this.#first();
    return first === null ? null : new Date(first.at);
  }

  /** The first entry that is not stale. */
  #first(): Entry | null {
    for (;;) {
      const [entry] = this.#heap;
      if (entry === undefined) return null;
      if (this.#dueAt(entry.id)?.getTime() === entry.at) return entry;
      this.#drop();
    }
  }

  /** Removes the first entry. The last one takes its place and sinks into order. */
  #drop(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    let place = 0;
    for (;;) {
      const left = place * 2 + 1;
      const child = isBefore(this.#heap[left + 1], this.#heap[left]) ? left + 1 : left;
      const below = this.#heap[child];
      if (below === undefined || !isBefore(below, last)) break;
      this.#heap[place] = below;
      place = child;
    }
    this.#heap[place] = last;
  }
}

function isBefore(one: Entry | undefined, other: Entry | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return one.at < other.at || (one.at === other.at && one.id < other.id);
}
