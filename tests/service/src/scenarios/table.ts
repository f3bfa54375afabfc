import { MINUTE, DAY } from '@subrail/test-world';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The columns of a scenario's table. In an empty cell nothing of that kind happened or changed. */
const COLUMNS = ['When', 'Act', 'Events', 'Attempts', 'Ledger', 'State', 'Mails'] as const;
type Column = (typeof COLUMNS)[number];

/** One row: a moment, what somebody did then, and everything that the service did. */
export type Row = Readonly<Record<Column, string>>;

/** One scenario of a page. */
export interface Scenario {
  readonly title: string;
  /** What holds from the start, each a sentence. */
  readonly given: readonly string[];
  readonly rows: readonly Row[];
}

/** Reads the scenarios of every page of this folder, by the name of the page. */
export function readPages(): ReadonlyMap<string, readonly Scenario[]> {
  const pages = readdirSync(import.meta.dirname).filter(
    (name) => name.endsWith('.md') && name !== 'README.md',
  );
  return new Map(
    pages
      .toSorted()
      .map((name) => [name, scenariosOf(readFileSync(join(import.meta.dirname, name), 'utf8'))] as const),
  );
}

/** A scenario is a heading of the second level, an optional line `Given: …`, and a table. */
function scenariosOf(page: string): readonly Scenario[] {
  return page
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [title = '', ...lines] = section.split('\n');
      const given = lines.find((line) => line.startsWith('Given: '))?.replace(/^Given: |\.$/g, '');
      const [header, , ...rows] = lines.filter((line) => line.startsWith('|')).map(cellsOf);
      if (header?.join() !== COLUMNS.join())
        throw new Error(`"${title}" has no table of ${COLUMNS.join(', ')}.`);
      return { title, given: given?.split('; ') ?? [], rows: rows.map(rowOf) };
    });
}

/** Replaces the table of a scenario. */
export function writeRows(page: string, { title }: Scenario, rows: readonly Row[]): void {
  const path = join(import.meta.dirname, page);
  const sections = readFileSync(path, 'utf8').split(/^(?=## )/m);
  const index = sections.findIndex((section) => section.startsWith(`## ${title}\n`));
  const text = (sections[index] ?? '').split('\n').filter((line) => !line.startsWith('|'));
  const isLast = index === sections.length - 1;
  sections[index] = `${text.join('\n').trimEnd()}\n\n${alignedTableOf(rows)}\n${isLast ? '' : '\n'}`;
  writeFileSync(path, sections.join(''));
}

function alignedTableOf(rows: readonly Row[]): string {
  const header = Object.fromEntries(COLUMNS.map((column) => [column, column])) as Row;
  const width = (column: Column) => Math.max(...[header, ...rows].map((row) => row[column].length));
  const line = (row: Row) => COLUMNS.map((column) => row[column].padEnd(width(column))).join(' | ');
  const rule = COLUMNS.map((column) => '-'.repeat(width(column))).join(' | ');
  return [line(header), rule, ...rows.map(line)].map((cells) => `| ${cells} |`).join('\n');
}

const cellsOf = (line: string): readonly string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

const rowOf = (cells: readonly string[]): Row =>
  Object.fromEntries(COLUMNS.map((column, index) => [column, cells[index] ?? ''])) as Row;

/** The rows as lines of a table, to compare and to print. */
export const tableOf = (rows: readonly Row[]): string =>
  rows.map((row) => `| ${COLUMNS.map((column) => row[column]).join(' | ')} |`).join('\n');

/** A moment as a page writes it, such as `day 30` or `day 31 00:10`, from milliseconds since the start. */
export function momentText(ms: number): string {
  const minutes = Math.floor((ms % DAY) / MINUTE);
  const clock = [Math.floor(minutes / 60), minutes % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
  return minutes === 0 ? `day ${Math.floor(ms / DAY)}` : `day ${Math.floor(ms / DAY)} ${clock}`;
}

/** Milliseconds from the start to a moment that a page names. For a span, its first moment. */
export function momentOf(text: string): number {
  const found = /^day (\d+)(?: (\d\d):(\d\d))?/.exec(text);
  if (found === null) throw new Error(`"${text}" is no moment, such as "day 31 00:10".`);
  const [, days, hours = '0', minutes = '0'] = found;
  return Number(days) * DAY + (Number(hours) * 60 + Number(minutes)) * MINUTE;
}
