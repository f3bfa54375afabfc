import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { InstructionFailure } from '../runtime/program.js';
import { PROGRAM_ERRORS, refuse } from './errors.js';

/** The rows of the page's table as [code, name]. A range of codes names one after the other. */
function documentedErrors(): (readonly [number, string])[] {
  const page = readFileSync(new URL('../../../../docs/program.md', import.meta.url), 'utf8');
  const rule = page.split('\n## ').find((part) => part.startsWith('Program error codes\n')) ?? '';
  return [...rule.matchAll(/^\| ([\d, to]+) \| ([\w, ]+) \|/gm)].flatMap(([, codes = '', names = '']) => {
    const [first = 0, last = first] = codes.split(' to ').map(Number);
    const numbers = codes.includes('to')
      ? Array.from({ length: last - first + 1 }, (_, index) => first + index)
      : codes.split(', ').map(Number);
    return names.split(', ').map((name, index) => [numbers[index] ?? Number.NaN, name] as const);
  });
}

// program#program-error-codes
test('names its errors as documented', () => {
  const documented = new Map(documentedErrors().map(([code, name]) => [name, code]));
  for (const [name, code] of Object.entries(PROGRAM_ERRORS))
    expect([name, documented.get(name)]).toEqual([name, code]);
});

test('fails an instruction with the code of an error', () => {
  expect(() => refuse('PlanClosed')).toThrow(new InstructionFailure({ Custom: 516 }));
});
