import { expect, it } from 'vitest';
import { missingLines, stepsOf } from './page-steps.js';

const PAGE = [
  '```sh run',
  'make',
  '```',
  '',
  '```text',
  'made … of 2',
  'done.',
  '```',
  '',
  '```sh',
  'not run',
  '```',
  '',
];

it('takes the blocks of a page that are to be run, with what they print', () => {
  expect(stepsOf([...PAGE, ...PAGE].join('\n'))).toEqual([
    { script: 'make\n', printed: ['made … of 2', 'done.'] },
    { script: 'make\n', printed: ['made … of 2', 'done.'] },
  ]);
});

it.each([
  [['begin', 'made 1 of 2', 'between', 'done.'], []],
  [['made  of 2', 'done.'], []],
  [['made 1 of 2', 'done?'], ['done.']],
  [['done.', 'made 1 of 2'], ['done.']],
  [['made 1 of 2.', 'done.'], ['made … of 2']],
  [[], ['made … of 2', 'done.']],
])('finds which lines of a page are not among %j in their order', (printed, missing) => {
  expect(missingLines(printed, ['made … of 2', 'done.'])).toEqual(missing);
});
