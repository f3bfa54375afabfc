interface Entry {
  readonly at: number;
  readonly id: string;
}

/**
 * Finds the rows that are due first without looking at the others: a binary heap of dates. The table adds every date that a row gets.
 * An entry whose row has another date by now is stale, and is dropped when it comes first.
 */
export class DueQueue {
  /** The date that a row has now; null when it has none or does not exist. */
  readonly #dueAt: (id: string) => Date | null;
  readonly #heap: Entry[] = [];

  constructor(dueAt: (id: string) => Date | null) {
    this.#dueAt = dueAt;
  }

  /** Notes that a row has this date. */
  add(id: string, dueAt: Date): void {
    this.#heap.push({ at: dueAt.getTime(), id });
    this.#rise(this.#heap.length - 1);
  }

  /** Takes at most `limit` rows that are due at `now`, and returns their ids: earliest first, by id within one instant. */
  takeDue(now: Date, limit: number): string[] {
    const due: string[] = [];
    for (let first = this.#first(); first !== null && due.length < limit; first = this.#first()) {
      if (first.at > now.getTime()) break;
      this.#drop();
      // A row that got one date twice has two entries, which follow each other.
      if (due.at(-1) !== first.id) due.push(first.id);
    }
    return due;
  }

  /** At most `limit` rows that are due at `now`, in the order of `takeDue`. They stay in the queue. */
  listDue(now: Date, limit: number): string[] {
    const due = this.takeDue(now, limit);
    for (const id of due) {
      const dueAt = this.#dueAt(id);
      if (dueAt !== null) this.add(id, dueAt);
    }
    return due;
  }

  /** The earliest date of all rows, or null when none has one. */
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

  #drop(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    this.#heap[0] = last;
    this.#sink();
  }

  #rise(start: number): void {
    let place = start;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!this.#swapIfFirst(place, parent)) return;
      place = parent;
    }
  }

  #sink(): void {
    let place = 0;
    for (;;) {
      const left = place * 2 + 1;
      const child = this.#isBefore(left + 1, left) ? left + 1 : left;
      if (!this.#swapIfFirst(child, place)) return;
      place = child;
    }
  }

  /** Swaps two entries when the one further down is due first. */
  #swapIfFirst(lower: number, upper: number): boolean {
    if (!this.#isBefore(lower, upper)) return false;
    const [a, b] = [this.#heap[lower], this.#heap[upper]];
    if (a === undefined || b === undefined) return false;
    this.#heap[lower] = b;
    this.#heap[upper] = a;
    return true;
  }

  /** Whether there is an entry at the first place, and it is due before the one at the second. */
  #isBefore(place: number, other: number): boolean {
    const [a, b] = [this.#heap[place], this.#heap[other]];
    if (a === undefined || b === undefined) return false;
    return a.at < b.at || (a.at === b.at && a.id < b.id);
  }
}
