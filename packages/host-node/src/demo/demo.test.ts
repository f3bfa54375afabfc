import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { demo } from './demo.js';
import { EXPECTED, type Expected } from './expected.js';

async function play(expected: Expected) {
  let told = '';
  const stream = new Writable({
    write(chunk, _, done) {
      told += String(chunk);
      done();
    },
  });
  return { exitCode: await demo(stream, expected), told };
}

test('the demo comes out as expected, exits 0, and colours nothing off a terminal', async () => {
  const { exitCode, told } = await play(EXPECTED);
  expect(told).not.toContain('WRONG');
  expect(told).not.toContain('\u001b');
  expect(exitCode).toBe(0);
  const webhooks = [...told.matchAll(/webhook +(\d+) (\w+)/g)].map(([, sequence, name]) => [
    Number(sequence),
    name,
  ]);
  expect(webhooks).toEqual(EXPECTED.events.map((name, index) => [index + 1, name]));
});

test('a story that does not come out as expected says what is wrong and exits 1, whichever check it is', async () => {
  const { exitCode, told } = await play({
    events: EXPECTED.events.slice(1),
    attempts: EXPECTED.attempts.slice(1),
    received: EXPECTED.received + 1n,
  });
  expect(exitCode).toBe(1);
  expect([...told.matchAll(/WRONG (.*)/g)].map(([, text]) => text)).toEqual([
    '11 events arrived, exactly those expected',
    '8 attempts are on record, exactly those expected',
    'attempts paid 15 dUSD, tokens moved 15 dUSD',
  ]);
});
