interface Queue {
  running: number;
  readonly waiting: (() => Promise<void>)[];
}

/**
 * Runs tasks with a concurrency limit per key: at most `limit` tasks of one key run at once. Further tasks of that key
 * wait in a queue, and tasks of other keys do not wait for them.
 */
export class PerKeyConcurrency<Key> {
  readonly #limit: number;
  readonly #queues = new Map<Key, Queue>();
  #count = 0;
  #onIdleKey: (() => void)[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** How many tasks of all keys are running or waiting. */
  get count(): number {
    return this.#count;
  }

  /** Resolves as soon as one of the keys has no task left. */
  nextIdleKey(): Promise<void> {
    return new Promise((resolve) => this.#onIdleKey.push(resolve));
  }

  /** Queues a task. The task must not reject, since no caller waits for its result. */
  add(key: Key, task: () => Promise<void>): void {
    const queue = this.#queues.get(key) ?? { running: 0, waiting: [] };
    this.#queues.set(key, queue);
    this.#count += 1;
    queue.waiting.push(task);
    this.#start(queue);
  }

  #start(queue: Queue): void {
    while (queue.running < this.#limit) {
      const task = queue.waiting.shift();
      if (task === undefined) break;
      queue.running += 1;
      void task().then(() => {
        queue.running -= 1;
        this.#count -= 1;
        this.#start(queue);
      });
    }
    if (queue.running > 0) return;
    for (const resolve of this.#onIdleKey.splice(0)) resolve();
  }
}
