import { ServiceError } from '../../contract/errors.js';
import type { ExportFormat, ExportText } from '../../contract/export-format.js';
import type { UnreadableRecord } from '../../ports/index.js';
import { setAside } from '../read-rows.js';
import type { Service } from '../../service.js';
import { type Cell, csvLine } from './csv.js';

/** The rows of a part of a list, and the place after which it goes on. */
interface ExportedPart<Row, Place> {
  readonly rows: readonly Row[];
  readonly unreadable: readonly UnreadableRecord[];
  readonly next: Place | null;
}

/** The most rows of a part. */
export const ROWS_OF_PART = 500;

type RowOf<Column extends string> = Readonly<Record<Column, Cell>>;

/** The list of an export. */
export interface ExportedList<Column extends string, Place> {
  /** The fields of a row, which is a line with these columns. */
  readonly columns: readonly Column[];
  readonly read: (after: Place | null) => Promise<ExportedPart<RowOf<Column>, Place>>;
}

/**
 * Writes a list part by part, each read when it is asked for, so that a list of any length takes the memory
 * of a part. The first one is read at once, so that a refusal comes before any text. Unreadable records make
 * it fail after all others, so that it never looks whole without them.
 */
export async function exportText<Column extends string, Place>(
  service: Service,
  format: ExportFormat,
  list: ExportedList<Column, Place>,
): Promise<ExportText> {
  return textOf(service, format, list, await list.read(null));
}

async function* textOf<Column extends string, Place>(
  service: Service,
  format: ExportFormat,
  { columns, read }: ExportedList<Column, Place>,
  first: ExportedPart<RowOf<Column>, Place>,
): AsyncGenerator<string, void, void> {
  const lineOf = (row: RowOf<Column>) =>
    format === 'csv'
      ? csvLine(columns.map((column) => row[column]))
      : `${JSON.stringify(row, [...columns])}\n`;
  if (format === 'csv') yield csvLine(columns);
  const leftOut: string[] = [];
  for (let part = first; ;) {
    leftOut.push(...setAside(service, part.unreadable, 'A record was left out of an export'));
    if (part.rows.length > 0) yield part.rows.map(lineOf).join('');
    if (part.next === null) break;
    part = await read(part.next);
  }
  if (leftOut.length > 0)
    throw new ServiceError('internal_error', {
      message: `The export lacks what cannot be read: ${leftOut.join(', ')}. The doctor says what to do.`,
    });
}
