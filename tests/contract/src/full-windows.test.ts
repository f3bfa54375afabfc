// Heavy: the window of every route is filled, with a thousand calls where it reads.

import { describe, expect, it } from 'vitest';
import { EVERY_ROUTE, requestOf } from './routes.js';
import { statusAndCode } from './scenario.js';
import { openSuite } from './suite.js';

const suite = openSuite();

describe('full windows', () => {
  it.each(EVERY_ROUTE)('%s: 429 rate_limited past its limit, with Retry-After', async (_, route) => {
    const { key } = await suite.control.createProject({ name: 'Night Library', tier: 'business' });
    const api = suite.as(key);
    const calls = Array.from({ length: suite.mostCalls(route.rate) }, () =>
      requestOf(route, { 'service-version': 'latest' }),
    );
    const statuses: number[] = [];
    for (let at = 0; at < calls.length; at += 50) {
      const some = await Promise.all(calls.slice(at, at + 50).map((call) => api.send(call)));
      statuses.push(...some.map(({ status }) => status));
    }
    expect(statuses.filter((status) => status === 400).length).toBeGreaterThanOrEqual(route.rate);
    expect(statuses.filter((status) => status !== 400 && status !== 429)).toEqual([]);
    const answer = await api.send(requestOf(route));
    expect(statusAndCode(answer)).toBe('429 rate_limited');
    expect(answer.headers.get('retry-after')).toBe(answer.headers.get('x-ratelimit-reset'));
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('0');
  });
});
