/** An undo log, so that a failed transaction leaves nothing behind. */
export class Journal {
  readonly #undo: (() => void)[] = [];

  /** The present position, for `undoTo`. */
  get mark(): number {
    return this.#undo.length;
  }

  record(undo: () => void): void {
    this.#undo.push(undo);
  }

  undoTo(mark: number): void {
    while (this.#undo.length > mark) this.#undo.pop()?.();
  }

  close(): void {
    this.#undo.length = 0;
  }
}
