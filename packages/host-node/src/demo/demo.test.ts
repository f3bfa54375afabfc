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
  // The default port of the local chain is left to a host.
  expect(output).not.toContain(':8899');
  expect(output).not.toContain('WRONG');
  expect(output).not.toContain('\u001b');
  expect(exitCode).toBe(0);
  const webhooks = [...output.matchAll(/webhook +(\d+) (\w+)/g)].map(([, sequence, name]) => [
    Number(sequence),
    name,
  ]);
  expect(webhooks).toEqual(
    EXPECTED.subscriptions.flatMap(({ events }) => events.map((name, index) => [index + 1, name])),
  );
  expect(webhooks.map(([, name]) => name)).toEqual(expect.arrayContaining(['cancelled', 'resumed', 'ended']));
  // The first ended by a close of its wallet, the second by its cancellation.
  expect([...output.matchAll(/ ended .*reason (\w+)/g)].map(([, reason]) => reason)).toEqual([
    'closed',
    'cancelled',
  ]);
});

test('prints every check that fails and exits with 1 when the result is not as expected', async () => {
  const { exitCode, output } = await play({
    subscriptions: EXPECTED.subscriptions.map(({ events, attempts }) => ({
      events: events.slice(1),
      attempts: attempts.slice(1),
    })),
    received: EXPECTED.received + 1n,
  });
  expect(exitCode).toBe(1);
  expect([...output.matchAll(/WRONG (.*)/g)].map(([, text]) => text)).toEqual([
    '20 events arrived, exactly those expected',
    '9 attempts are recorded, exactly those expected',
    'attempts paid 20 dUSD, tokens moved 20 dUSD',
  ]);
});
