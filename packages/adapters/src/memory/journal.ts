/** An undo log of writes, so that a failed transaction leaves nothing behind. */
export class Journal {
  readonly #undo: (() => void)[] = [];

  /** The present position: `undoTo` with it undoes every write recorded after it. */
  get mark(): number {
    return this.#undo.length;
  }

  record(undo: () => void): void {
    this.#undo.push(undo);
  }

  undoTo(mark: number): void {
    while (this.#undo.length > mark) this.#undo.pop()?.();
  }

  /** Makes everything written so far final. */
  close(): void {
    this.#undo.length = 0;
  }
}
