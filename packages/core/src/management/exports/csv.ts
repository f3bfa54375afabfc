/** A value that a cell can show. Null is an empty cell. */
export type Cell = string | number | boolean | null;

/** The begin of a text that a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** Writes a row as a line of CSV (RFC 4180). A spreadsheet shows it and computes nothing (payments#csv). */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: Cell): string {
  const text = cell === null ? '' : String(cell);
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
