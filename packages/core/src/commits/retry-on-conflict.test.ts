import { describe, expect, it } from 'vitest';

import { retryOnConflict } from './retry-on-conflict.js';
import { ManualClock } from '../testing/index.js';

const clock = new ManualClock(new Date('2026-01-01T00:00:00.000Z'));

describe('what lost its commit to another call', () => {
  it('is done again until it is through, and answers what that round came to', async () => {
    let round = 0;
    await expect(retryOnConflict(clock, () => Promise.resolve(++round < 3 ? 'lost' : { round }))).resolves.toEqual({
      round: 3,
    });
  });

  it('is left to the caller after sixty-four rounds: subscription_changed, which may be sent again', async () => {
    let rounds = 0;
    const losing = retryOnConflict(clock, () => {
      rounds += 1;
      return Promise.resolve('lost');
    });
    await expect(losing).rejects.toMatchObject({
      code: 'subscription_changed',
      retryable: true,
      retryAfter: 1,
    });
    expect(rounds).toBe(64);
  });

  it('is left to the caller after half a minute on a chain that answers slowly', async () => {
    const slow = new ManualClock(new Date('2026-01-01T00:00:00.000Z'));
    let rounds = 0;
    const losing = retryOnConflict(slow, () => {
      rounds += 1;
      slow.advance(7_000);
      return Promise.resolve('lost');
    });
    await expect(losing).rejects.toMatchObject({ code: 'subscription_changed' });
    expect(rounds).toBe(5);
  });

  it('is refused at once by what a round refuses', async () => {
    const refused = retryOnConflict(clock, () => Promise.reject(new Error('refused')));
    await expect(refused).rejects.toThrow('refused');
  });
});
