import { headingOf, type Row } from './rows.js';

const cell = (text: string): string => text.replaceAll('|', '\\|');

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  return [headings, headings.map(() => '---'), ...rows]
    .map((row) => `| ${row.map(cell).join(' | ')} |`)
    .join('\n');
}

/** The page docs/evidence/coverage.md: every row, with the test that reaches it or why none can. */
export function coveragePage(
  rows: ReadonlySet<Row>,
  reached: ReadonlyMap<Row, string>,
  exceptions: Readonly<Record<Row, string>>,
): string {
  const byHeading = new Map<string, Row[]>();
  for (const row of [...rows].sort()) {
    const heading = headingOf(row);
    byHeading.set(heading, [...(byHeading.get(heading) ?? []), row]);
  }
  const excepted = [...rows].filter((row) => row in exceptions).length;
  const sections = [...byHeading].flatMap(([heading, of]) => [
    `## ${heading}`,
    table(
      ['Answer', 'Test'],
      of.map((row) => [
        `\`${row.replace(/^code /, '')}\``,
        reached.get(row) ?? `not reached: ${exceptions[row] ?? 'no test'}`,
      ]),
    ),
  ]);
  return `${[
    '# Coverage of the contract',
    '',
    'Everything the service can answer under `/v1`, and the contract test that saw it over HTTP. The rows come from',
    'the [OpenAPI document](../openapi.json) and the table of error codes: each code of each route, each value of',
    `each enum, and each field with and without a value. ${rows.size - excepted} rows are reached. ${excepted} are not, and say why. A`,
    'run fails on any other unreached row. When several tests reach a row, the first by name is listed.',
    '`npm run test:contract -- -u` writes this page.',
  ].join('\n')}\n\n${sections.join('\n\n')}\n`;
}
