import * as z from 'zod';

/** The forms of an export, with the types of their files. */
export const EXPORT_TYPES = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
} as const;

export const ExportFormat = z
  .enum(['csv', 'ndjson'], { error: 'must be csv or ndjson' })
  .describe('The form of the file: csv with a line of headings, or ndjson with an object on each line.');
export type ExportFormat = z.infer<typeof ExportFormat>;

/** The text of an export in parts, each read when it is asked for. */
export const ExportText = z.custom<AsyncIterable<string>>(
  (value) => typeof value === 'object' && value !== null && Symbol.asyncIterator in value,
);
export type ExportText = z.infer<typeof ExportText>;
