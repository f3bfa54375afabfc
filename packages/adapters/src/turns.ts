/** One turn at a time, in the order in which callers ask for theirs. */
export class Turns {
  #taken = false;
  /** Those that wait for their turn, in the order of their calls. */
  readonly #waiting: (() => void)[] = [];

  /** Waits for the turn of the caller, which must `pass` it on. */
  async take(): Promise<void> {
    if (this.#taken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#taken = true;
  }

  /** Ends a turn. When others wait it stays taken, so that no later caller comes before them. */
  pass(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#taken = false;
    else next();
  }

  /** Lets others have their turns while the caller, which has its turn, waits. Then it waits for another turn. */
  async aside(wait: () => Promise<void>): Promise<void> {
    this.pass();
    await wait();
    await this.take();
  }
}
