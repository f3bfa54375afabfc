/** A validator keeps this many bytes of a transaction's log, and ends a longer one with `Log truncated`. */
const LOG_LIMIT = 10_000;

export class TransactionLog {
  readonly lines: string[] = [];
  #bytes = 0;
  #truncated = false;

  push(line: string): void {
    if (this.#truncated) return;
    this.#bytes += line.length;
    if (this.#bytes >= LOG_LIMIT) {
      this.#truncated = true;
      this.lines.push('Log truncated');
    } else {
      this.lines.push(line);
    }
  }

  /** Adds what LiteSVM logged for instructions that run `extraDepth` call levels deeper than it counts. */
  addNative(lines: readonly string[], extraDepth: number): void {
    for (const line of lines) this.push(extraDepth === 0 ? line : deepen(line, extraDepth));
  }
}

const INVOKE = /^(Program \w+ invoke \[)(\d+)(\])$/;

function deepen(line: string, extraDepth: number): string {
  return line.replace(
    INVOKE,
    (_, head: string, depth: string, tail: string) => `${head}${Number(depth) + extraDepth}${tail}`,
  );
}
