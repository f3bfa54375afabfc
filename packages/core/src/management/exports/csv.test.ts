import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Cell, csvLine } from './csv.js';

const hostile = fc.string({ unit: fc.constantFrom(...Array.from('=+-@\t\r\n",\'; aé0')) });
const cell: fc.Arbitrary<Cell> = fc.oneof(
  hostile,
  fc.string(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);

/** Reads lines of CSV as RFC 4180 says: a cell is in quotes, or has no quote, comma and line break. */
function parsed(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  for (let rest = text; rest !== '';) {
    const row: string[] = [];
    for (;;) {
      const [whole = '', quoted, plain, end] = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(rest) ?? [];
      if (end === undefined) throw new Error(`This is no CSV: ${JSON.stringify(rest)}`);
      row.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
      rest = rest.slice(whole.length);
      if (end !== ',') break;
    }
    rows.push(row);
  }
  return rows;
}

// payments#csv
test('any cells are read back as they are, but for an apostrophe before what would be a formula', () => {
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 1 }), { minLength: 1 }), (rows) => {
      const texts = rows.map((cells) => cells.map((value) => (value === null ? '' : String(value))));
      const read = parsed(rows.map(csvLine).join(''));
      const withoutMark = (text: string) => text.replace(/^'(?=[=+\-@\t\r])/, '');
      expect(read.map((cells) => cells.map(withoutMark))).toEqual(
        texts.map((cells) => cells.map(withoutMark)),
      );
      expect(read.flat().filter((text) => /^[=+\-@\t\r]/.test(text))).toEqual([]);
    }),
  );
});

test.each<[readonly Cell[], string]>([
  [['paid', null, true, 7], 'paid,,true,7\r\n'],
  [['=1+1', '+49', '-1', '@SUM(A1)', '\ttab', '\rcr'], `'=1+1,'+49,'-1,'@SUM(A1),'\ttab,"'\rcr"\r\n`],
  [['a,b', 'say "hi"', 'two\nlines', ' ', "it's"], `"a,b","say ""hi""","two\nlines", ,it's\r\n`],
])('%j is the line %j', (cells, line) => {
  expect(csvLine(cells)).toBe(line);
});
