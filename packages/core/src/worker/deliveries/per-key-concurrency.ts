interface Lane {
  running: number;
  readonly waiting: (() => Promise<void>)[];
}

/** Runs work in lanes: at most `width` at once in each; what is over waits its turn and holds up no other lane. */
export class PerKeyConcurrency<Key> {
  readonly #width: number;
  readonly #lanes = new Map<Key, Lane>();
  #count = 0;
  #onEmpty: (() => void)[] = [];

  constructor(width: number) {
    this.#width = width;
  }

  /** How much work runs or waits in all lanes. */
  get count(): number {
    return this.#count;
  }

  /** Resolves when the next lane, whichever, has nothing left to do. */
  nextEmpty(): Promise<void> {
    return new Promise((resolve) => this.#onEmpty.push(resolve));
  }

  /** Puts work in a lane. It must not reject: nobody waits for it. */
  add(key: Key, work: () => Promise<void>): void {
    const lane = this.#lanes.get(key) ?? { running: 0, waiting: [] };
    this.#lanes.set(key, lane);
    this.#count += 1;
    lane.waiting.push(work);
    this.#fill(lane);
  }

  #fill(lane: Lane): void {
    while (lane.running < this.#width) {
      const work = lane.waiting.shift();
      if (work === undefined) break;
      lane.running += 1;
      void work().then(() => {
        lane.running -= 1;
        this.#count -= 1;
        this.#fill(lane);
      });
    }
    if (lane.running > 0) return;
    for (const resolve of this.#onEmpty.splice(0)) resolve();
  }
}
