/** How to take back what was written, so that a transaction that fails leaves nothing. */
export class Journal {
  readonly #undo: (() => void)[] = [];

  /** How far it has come: what is written from here on can be undone with `undoTo`. */
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
