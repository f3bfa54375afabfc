import { PostgresRefusal } from '@subrail/adapters/postgres';
import { Unavailable } from '@subrail/core/ports';
import { ManualClock } from '@subrail/core/testing';
import { beforeEach, expect, test } from 'vitest';
import { whileDatabaseIsAway } from './while-database-is-away.js';

const AWAY = new Unavailable('No Postgres server can be reached at db.example.');
const STARTING = new Unavailable('The Postgres database cannot be used now.');

let clock: ManualClock;
let stopping: AbortController;
let warnings: string[];
let tries: number;
beforeEach(() => {
  clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
  stopping = new AbortController();
  warnings = [];
  tries = 0;
});

/** Opens, with the failures in their order and the last of them again and again, while time passes. */
async function opening(...failures: readonly (Error | null)[]) {
  const logger = {
    debug() {},
    info() {},
    error() {},
    warn: (_: unknown, message: string) => warnings.push(message),
  };
  const moving = {
    now: () => clock.now(),
    async sleep(ms: number, signal?: AbortSignal) {
      const slept = clock.sleep(ms, signal);
      clock.advance(ms);
      await slept;
    },
  };
  const open = async () => {
    const failure = failures[Math.min(tries++, failures.length - 1)] ?? null;
    if (failure !== null) throw failure;
    return 'open';
  };
  return whileDatabaseIsAway(open, { clock: moving, logger, signal: stopping.signal });
}

test('opens when the database is there again, and warns once meanwhile', async () => {
  expect(await opening(AWAY, AWAY, STARTING, null)).toBe('open');
  expect(tries).toBe(4);
  expect(warnings).toEqual([
    `The database cannot be used yet. The host tries again for two minutes. ${AWAY.message}`,
  ]);
});

test('warns of nothing when the database is there', async () => {
  expect(await opening(null)).toBe('open');
  expect(warnings).toEqual([]);
});

test('gives up after two minutes, with the sentence', async () => {
  const start = clock.now().getTime();
  await expect(opening(AWAY)).rejects.toBe(AWAY);
  expect(clock.now().getTime() - start).toBe(120_000);
  expect(warnings).toHaveLength(1);
});

test.each([
  ['a password that is refused', new PostgresRefusal('The server refuses the password.')],
  ['a fault', new RangeError('The database is damaged.')],
])('gives up at once for what does not pass: %s', async (_, failure) => {
  await expect(opening(failure, null)).rejects.toBe(failure);
  expect([tries, warnings]).toEqual([1, []]);
});

test('stops waiting when the host is asked to stop', async () => {
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const waiting = whileDatabaseIsAway(() => Promise.reject(AWAY), { clock, logger, signal: stopping.signal });
  stopping.abort();
  expect(await waiting).toBeNull();
});
