import { describe, expect, it } from 'vitest';

import { NOW, serviceFixture } from '../../http/tests/fixtures.js';
import type { Chain } from '../../ports/index.js';
import { plus } from '../../rules/billing-periods.js';
import { clockOfPass } from './clock-of-pass.js';

const HOUR = 3_600_000;

/** A service whose chain shows a time that differs from the host's. */
function fixture(head: Awaited<ReturnType<Chain['head']>>) {
  const { billing, clock, logged } = serviceFixture({ chain: { head: async () => head } });
  return { service: billing.service, clock, logged };
}

const headAt = (time: Date) => ({ ok: true, value: { slot: 1n, blockHeight: 1n, time } }) as const;

// billing-periods#waiting-for-the-chain-clock
describe('the clock of a charge pass', () => {
  it.each([-24 * HOUR, 24 * HOUR])("is the chain's when the host's differs by %d ms", async (difference) => {
    const { service, clock, logged } = fixture(headAt(plus(NOW, difference)));
    const clockOfThis = await clockOfPass(service);
    expect(clockOfThis.now()).toEqual(plus(NOW, difference));
    clock.advance(5_000);
    expect(clockOfThis.now()).toEqual(plus(NOW, difference + 5_000));
    expect(logged.join()).toContain('The charge pass follows the chain.');
  });

  it.each([
    ['differs little', headAt(plus(NOW, -120_000))],
    ['cannot be compared', { ok: false, unavailable: { kind: 'transport' } }],
  ] as const)("is the host's when it %s", async (_, head) => {
    const { service, logged } = fixture(head);
    expect((await clockOfPass(service)).now()).toEqual(NOW);
    expect(logged).toEqual([]);
  });
});
