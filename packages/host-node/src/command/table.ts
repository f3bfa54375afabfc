import { styleText } from 'node:util';
import type { Terminal } from './terminal.js';

/** Writes rows under headings, each column as wide as its widest value. */
export function table(
  { colours }: Pick<Terminal, 'colours'>,
  headings: readonly string[],
  rows: readonly (readonly unknown[])[],
): string {
  const lines = [headings, ...rows.map((row) => row.map(shown))];
  const widths = headings.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  const [head = '', ...rest] = lines.map((line) =>
    line
      .map((value, at) => value.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [colours ? strong(head) : head, ...rest].map((line) => `${line}\n`).join('');
}

/** Writes the fields of an object, one a line. */
export function details({ colours }: Pick<Terminal, 'colours'>, fields: object): string {
  const entries = Object.entries(fields);
  const width = Math.max(0, ...entries.map(([name]) => name.length));
  return entries
    .map(([name, value]) => {
      const padded = name.padEnd(width);
      return `${colours ? strong(padded) : padded}  ${shown(value)}\n`;
    })
    .join('');
}

function strong(text: string): string {
  return styleText('bold', text, { validateStream: false });
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return '-';
  const isList = Array.isArray(value) && value.every((entry) => typeof entry === 'string');
  const text = typeof value === 'string' ? value : isList ? value.join(', ') : JSON.stringify(value);
  // What a stranger wrote, such as the answer of an endpoint, must not steer the terminal.
  return text.replace(/\p{Cc}+/gu, ' ');
}
