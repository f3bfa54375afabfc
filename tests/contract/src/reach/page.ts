import { headingOf, type Row } from './rows.js';

const cell = (text: string): string => text.replaceAll('|', '\\|');

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return [heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');
}

/** Everything the contract can answer, with the test that reaches it or what it waits for. */
export function coveragePage(
  rows: ReadonlySet<Row>,
  reached: ReadonlyMap<Row, string>,
  waitsFor: Readonly<Record<Row, string>>,
): string {
  const byHeading = new Map<string, Row[]>();
  for (const row of [...rows].sort()) {
    const heading = headingOf(row);
    byHeading.set(heading, [...(byHeading.get(heading) ?? []), row]);
  }
  const waiting = [...rows].filter((row) => row in waitsFor).length;
  const sections = [...byHeading].flatMap(([heading, of]) => [
    `## ${heading}`,
    table(
      ['What', 'Reached by'],
      of.map((row) => [
        `\`${row.replace(/^code /, '')}\``,
        reached.get(row) ?? `not: ${waitsFor[row] ?? 'no test'}`,
      ]),
    ),
  ]);
  return `${[
    '# What the contract suite reaches',
    '',
    'Written by `npm run test:contract -- -u` from what its tests saw over HTTP. The rows are those of the',
    `[OpenAPI document](openapi.json) and of the table of errors: ${rows.size - waiting} are reached, and ${waiting} cannot be today and`,
    'say why. A run with any other row unreached fails. Of several tests that reach a row the first by name is told.',
  ].join('\n')}\n\n${sections.join('\n\n')}\n`;
}
