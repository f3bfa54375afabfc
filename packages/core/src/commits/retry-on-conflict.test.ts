import { describe, expect, it } from 'vitest';

import { retryOnConflict } from './retry-on-conflict.js';
import { ManualClock } from '../testing/index.js';

const clock = new ManualClock(new Date('2026-01-01T00:00:00.000Z'));

// checkout#concurrent-calls-and-conflicts
describe('a call that loses its commit to a concurrent call', () => {
  it('is repeated until a round commits, and returns the result of that round', async () => {
    let round = 0;
    await expect(
      retryOnConflict(clock, () => Promise.resolve(++round < 3 ? 'lost' : { round })),
    ).resolves.toEqual({ round: 3 });
  });

  it('is refused as subscription_changed after 64 rounds, and may be sent again', async () => {
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

  it('is refused as subscription_changed after half a minute on a slow chain', async () => {
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

  it('is refused at once with the error that a round throws', async () => {
    const refused = retryOnConflict(clock, () => Promise.reject(new Error('refused')));
    await expect(refused).rejects.toThrow('refused');
  });
});
