import { Unavailable } from '@subrail/core/ports';
import { expect, test } from 'vitest';
import { asUnavailable, endsConnection } from './unavailable.js';

const answer = (code: string) =>
  Object.assign(new Error('The server answered.'), { code, severity: 'ERROR' });

test.each([
  ['25P03', 'of a transaction that was idle'],
  ['25P04', 'of a transaction that took long'],
  ['57P01', 'of a server that shuts down'],
  ['25006', 'of a server that became a standby'],
])('the state %s, %s, may pass, and the connection is replaced', (code) => {
  expect(asUnavailable(answer(code))).toBeInstanceOf(Unavailable);
  expect(endsConnection(answer(code))).toBe(true);
});

test.each([
  ['57014', 'of a statement that took long'],
  ['55P03', 'of a lock that took long'],
  ['53100', 'of a full disk'],
])('the state %s, %s, may pass, and the connection stays', (code) => {
  expect(asUnavailable(answer(code))).toBeInstanceOf(Unavailable);
  expect(endsConnection(answer(code))).toBe(false);
});

test.each(['23505', '22001', '42P01', '40001'])('the state %s is no sign that it may pass', (code) => {
  expect(asUnavailable(answer(code))).not.toBeInstanceOf(Unavailable);
  expect(endsConnection(answer(code))).toBe(false);
});
