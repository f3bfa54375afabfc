import { expect, test } from 'vitest';
import { table } from './table.js';

const HEADINGS = ['id', 'amount', 'amount'];
const ROWS = [
  ['sub_one', '5', null],
  ['sub_two', '12.5', 'x'.repeat(20)],
];
const AS_TABLE = `id       amount  amount
sub_one  5       -
sub_two  12.5    ${'x'.repeat(20)}
`;
const written = (columns: number | null) => table({ colours: false, columns }, HEADINGS, ROWS);

test('rows are a table where there is room, and wherever no person looks', () => {
  expect(written(null)).toBe(AS_TABLE);
  expect(written(37)).toBe(AS_TABLE);
});

test('rows are blocks of lines on a screen that is too narrow for a table', () => {
  expect(written(36)).toBe(
    `id      sub_one\namount  5\namount  -\n\nid      sub_two\namount  12.5\namount  ${'x'.repeat(20)}\n`,
  );
});
