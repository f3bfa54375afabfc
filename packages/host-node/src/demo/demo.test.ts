import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { demo } from './demo.js';
import { EXPECTED, type ExpectedResult } from './expected.js';

async function play(expected: ExpectedResult) {
  let output = '';
  const stream = new Writable({
    write(chunk, _, done) {
      output += String(chunk);
      done();
    },
  });
  return { exitCode: await demo(stream, expected), output };
}

test('plays the scenario as expected, exits with 0, and prints no colour when not on a terminal', async () => {
  const { exitCode, output } = await play(EXPECTED);
  expect(output).not.toContain('WRONG');
  expect(output).not.toContain('\u001b');
  expect(exitCode).toBe(0);
  const webhooks = [...output.matchAll(/webhook +(\d+) (\w+)/g)].map(([, sequence, name]) => [
    Number(sequence),
    name,
  ]);
  expect(webhooks).toEqual(EXPECTED.events.map((name, index) => [index + 1, name]));
});

test('prints every check that fails and exits with 1 when the result is not as expected', async () => {
  const { exitCode, output } = await play({
    events: EXPECTED.events.slice(1),
    attempts: EXPECTED.attempts.slice(1),
    received: EXPECTED.received + 1n,
  });
  expect(exitCode).toBe(1);
  expect([...output.matchAll(/WRONG (.*)/g)].map(([, text]) => text)).toEqual([
    '11 events arrived, exactly those expected',
    '8 attempts are recorded, exactly those expected',
    'attempts paid 15 dUSD, tokens moved 15 dUSD',
  ]);
});
