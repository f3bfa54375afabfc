import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { createLogger } from './logger.js';

function loggerFixture(isTTY: boolean) {
  const lines: string[] = [];
  const stream = Object.assign(
    new Writable({
      write(chunk, _, done) {
        lines.push(String(chunk));
        done();
      },
    }),
    { isTTY },
  );
  return { lines, logger: createLogger({ level: 'info', secrets: ['topsecret'], stream }) };
}

const API_KEY = `SUB_${'a1'.repeat(21)}Z`;
const MANAGEMENT_KEY = `SUBM_${'b2'.repeat(21)}Z`;
const SIGNING_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

// invariants#no-secret-leaks
test.each([true, false])('redacts secrets in messages, fields and stacks (terminal: %s)', (isTTY) => {
  const { lines, logger } = loggerFixture(isTTY);
  logger.warn(
    { headers: { authorization: `Bearer ${API_KEY}` }, err: new Error(`refused ${SIGNING_SECRET}`) },
    `asked https://rpc.example/?key=topsecret with ${API_KEY} and ${MANAGEMENT_KEY}`,
  );
  const text = lines.join('');
  expect(text).toContain('asked https://rpc.example/?key=[redacted] with SUB_[redacted] and SUBM_[redacted]');
  for (const secret of [API_KEY, MANAGEMENT_KEY, SIGNING_SECRET])
    expect(text).not.toContain(secret.slice(secret.indexOf('_') + 1));
  expect(text).not.toContain('topsecret');
});

test('writes JSON with time, message and fields, and nothing below the level, when not on a terminal', () => {
  const { lines, logger } = loggerFixture(false);
  logger.debug({}, 'quiet');
  logger.info({ charged: 3 }, 'charges');
  expect(lines).toHaveLength(1);
  const { time, ...fields } = JSON.parse(lines[0] ?? '') as { time: string };
  expect(time).toMatch(/Z$/);
  expect(fields).toEqual({ level: 30, msg: 'charges', charged: 3 });
});

test('writes time, level, message and fields, with the stack of an error below, on a terminal', () => {
  const { lines, logger } = loggerFixture(true);
  logger.error({ job: 'charges', err: new Error('disk full') }, 'the job failed');
  expect(lines[0]).toMatch(/the job failed job="charges"\nError: disk full\n\s+at /);
});
