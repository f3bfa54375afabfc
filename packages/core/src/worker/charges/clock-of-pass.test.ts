import { describe, expect, it } from 'vitest';

import { NOW, serviceFixture } from '../../http/tests/fixtures.js';
import type { Chain } from '../../ports/index.js';
import { plus } from '../../rules/billing-periods.js';
import { ClockOfPasses } from './clock-of-pass.js';
import { HOUR } from '../../testing/units-of-time.js';

/** A service whose chain shows a time that differs from the host's. */
function fixture(head: Awaited<ReturnType<Chain['head']>>) {
  const { billing, clock, logged } = serviceFixture({ chain: { head: async () => head } });
  return { clocks: new ClockOfPasses(billing.service), clock, logged };
}

const SILENT = { ok: false, unavailable: { kind: 'transport' } } as const;

const headAt = (time: Date) => ({ ok: true, value: { slot: 1n, blockHeight: 1n, time } }) as const;

// billing-periods#waiting-for-the-chain-clock
describe('the clock of the passes', () => {
  it.each([-24 * HOUR, 24 * HOUR])("is the chain's when the host's differs by %d ms", async (difference) => {
    const { clocks, clock, logged } = fixture(headAt(plus(NOW, difference)));
    const clockOfThis = await clocks.read();
    expect(clockOfThis.now()).toEqual(plus(NOW, difference));
    clock.advance(5_000);
    expect(clockOfThis.now()).toEqual(plus(NOW, difference + 5_000));
    expect(logged.join()).toContain('The passes follow the chain.');
  });

  it.each([
    ['differs little', headAt(plus(NOW, -120_000))],
    ['cannot be compared', SILENT],
  ] as const)("is the host's when it %s", async (_, head) => {
    const { clocks, logged } = fixture(head);
    expect((await clocks.read()).now()).toEqual(NOW);
    expect(logged).toEqual([]);
  });

  it('goes on from the time that the chain showed last while it does not answer', async () => {
    const answers = [headAt(plus(NOW, HOUR)), SILENT];
    const { billing, clock } = serviceFixture({ chain: { head: async () => answers.shift() ?? SILENT } });
    const clocks = new ClockOfPasses(billing.service);
    await clocks.read();
    clock.advance(90_000);
    expect((await clocks.read()).now()).toEqual(plus(NOW, HOUR + 90_000));
    expect(clocks.known.now()).toEqual(plus(NOW, HOUR + 90_000));
  });

  it('asks the chain once for passes that follow each other within a second', async () => {
    let asked = 0;
    const head = async () => {
      asked += 1;
      return headAt(plus(NOW, HOUR));
    };
    const { billing, clock } = serviceFixture({ chain: { head } });
    const clocks = new ClockOfPasses(billing.service);
    for (const ms of [0, 0, 999]) {
      clock.advance(ms);
      expect((await clocks.read()).now()).toEqual(plus(clock.now(), HOUR));
    }
    expect(asked).toBe(1);
    clock.advance(1);
    await clocks.read();
    expect(asked).toBe(2);
  });

  it.each([
    ['was set back', -HOUR, false],
    ['needs a comparison', 0, true],
  ])('asks the chain at once by a clock that %s', async (_, step, needsComparison) => {
    let shown = NOW;
    const { billing } = serviceFixture({ chain: { head: async () => headAt(NOW) } });
    const clock = {
      now: () => shown,
      sleep: () => Promise.resolve(),
      needsComparison: () => needsComparison,
    };
    const clocks = new ClockOfPasses({ ...billing.service, clock });
    await clocks.read();
    shown = plus(NOW, step);
    expect((await clocks.read()).now()).toEqual(NOW);
    expect(clocks.reads).toBe(2);
  });
});
