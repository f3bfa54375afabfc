import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { expect, test } from 'vitest';
import { blankObject } from './blank-object.js';

test('a blank object has all fields in their order, each null', () => {
  expect(Object.entries(blankObject(['b', 'a']))).toEqual([
    ['b', null],
    ['a', null],
  ]);
});

test('a copy that is filled keeps its fields in fixed places, unlike an object that is built field by field', () => {
  setFlagsFromString('--allow-natives-syntax');
  const isFast = runInThisContext('(object) => %HasFastProperties(object)') as (object: object) => boolean;
  const filled = (object: Record<string, unknown>, fields: readonly string[]) => {
    for (const field of fields) object[field] = field;
    return object;
  };
  // Other names, because V8 remembers the fields that objects got before.
  const [some, others] = ['some', 'others'].map((name) =>
    Array.from({ length: 60 }, (_, at) => `${name}_${at}`),
  ) as [string[], string[]];
  expect(isFast(filled({ ...blankObject(some) }, some))).toBe(true);
  expect(isFast(filled({}, others))).toBe(false);
});
