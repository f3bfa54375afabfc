import { styleText } from 'node:util';
import type { Terminal } from './terminal.js';

/**
 * Writes rows under headings, each column as wide as its widest value. On a screen too narrow for that, each
 * row becomes a block of lines.
 */
export function table(
  terminal: Pick<Terminal, 'colours' | 'columns'>,
  headings: readonly string[],
  rows: readonly (readonly unknown[])[],
): string {
  const { colours, columns } = terminal;
  const lines = [headings, ...rows.map((row) => row.map(shown))];
  const widths = headings.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  const width = widths.reduce((sum, one) => sum + one + 2, -2);
  if (columns !== null && width > columns && rows.length > 0)
    return rows
      .map((row) =>
        details(
          terminal,
          headings.map((heading, at) => [heading, row[at]] as const),
        ),
      )
      .join('\n');
  const [head = '', ...rest] = lines.map((line) =>
    line
      .map((value, at) => value.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [colours ? strong(head) : head, ...rest].map((line) => `${line}\n`).join('');
}

/** Writes the named fields of objects as a table, each under its name. */
export function rowsTable(
  terminal: Pick<Terminal, 'colours' | 'columns'>,
  names: readonly string[],
  rows: readonly object[],
): string {
  const cells = rows.map((row) => names.map((name) => (row as Readonly<Record<string, unknown>>)[name]));
  return table(terminal, names, cells);
}

/** Writes the fields of an object, or names and their values, one a line. */
export function details(
  { colours }: Pick<Terminal, 'colours'>,
  fields: object | readonly (readonly [name: string, value: unknown])[],
): string {
  const entries: readonly (readonly [string, unknown])[] = Array.isArray(fields)
    ? fields
    : Object.entries(fields);
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
  if (Array.isArray(value) && value.length === 0) return '-';
  const isList = Array.isArray(value) && value.every((entry) => typeof entry === 'string');
  const text = typeof value === 'string' ? value : isList ? value.join(', ') : JSON.stringify(value);
  // Text of others, such as the answer of an endpoint, must not steer the terminal.
  return text.replace(/\p{Cc}+/gu, ' ');
}
