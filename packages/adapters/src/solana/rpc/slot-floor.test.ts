import { describe, expect, it } from 'vitest';
import { ManualClock } from '@subrail/core/testing';
import { chainOn, nodeWith, timedBy } from '../tests/chain-on.js';
import { FakeRpcError, asTimePasses } from '../tests/fake-rpc.js';
import { key } from '../tests/charge-view.js';

const START = new Date('2026-01-01T00:00:00.000Z');
const SLOT_MS = 400;
const NONE = { ok: true, value: null };

describe('reads from nodes at different slots', () => {
  /** A node that answers the read of a missing account once it has reached the slot of the read. */
  const nodeAt = (slotNow: () => bigint, state: { down: boolean } = { down: false }) => {
    const served = { reads: 0 };
    const node = nodeWith({
      getMultipleAccounts: ([, config]) => {
        const { minContextSlot = 0 } = config as { minContextSlot?: number };
        if (state.down) throw new Error('reset');
        const slot = slotNow();
        if (slot < minContextSlot) throw new FakeRpcError(-32016, { contextSlot: slot });
        served.reads += 1;
        return { context: { slot }, value: [null] };
      },
    });
    return { transport: node.transport, served, state };
  };
  const chainOf = (nodes: readonly ReturnType<typeof nodeAt>[], clock: ManualClock) =>
    chainOn({}, { rpc: nodes.map(({ transport }) => transport), ...timedBy(clock) }).chain;
  const slotBy = (clock: ManualClock) =>
    BigInt(Math.floor((clock.now().getTime() - START.getTime()) / SLOT_MS));

  // attempts#retrying-a-silent-node
  it('all succeed behind one URL whose nodes are some slots apart', async () => {
    const clock = new ManualClock(START);
    let request = 0;
    // Of five nodes one is ten slots behind, and two more are three.
    const behind = [0n, 3n, 10n, 0n, 3n];
    const pool = nodeAt(() => 1_000n + slotBy(clock) - (behind[(request += 2) % 5] ?? 0n));
    const chain = chainOf([pool], clock);
    for (let read = 0; read < 200; read++) {
      expect(await asTimePasses(clock, chain.readPlan(key(8)))).toEqual(NONE);
      clock.advance(90);
    }
  });

  it('return to the first URL after one read from another that is far ahead', async () => {
    const clock = new ManualClock(START);
    const first = nodeAt(() => 1_000n + slotBy(clock));
    const ahead = nodeAt(() => 1_200n + slotBy(clock));
    const chain = chainOf([first, ahead], clock);
    first.state.down = true;
    expect(await chain.readPlan(key(8))).toEqual(NONE);
    first.state.down = false;
    for (let read = 0; read < 360; read++) {
      clock.advance(10_000);
      expect(await chain.readPlan(key(8))).toEqual(NONE);
    }
    expect(first.served.reads).toBeGreaterThan(350);
  });

  it('never go back to an older slot within a minute', async () => {
    const clock = new ManualClock(START);
    const slots = [1_000n, 990n, 1_001n];
    const asked: unknown[] = [];
    const pool = nodeAt(() => {
      const slot = slots.shift() ?? 1_001n;
      asked.push(slot);
      return slot;
    });
    const chain = chainOf([pool], clock);
    expect(await chain.readPlan(key(8))).toEqual(NONE);
    clock.advance(30_000);
    expect(await asTimePasses(clock, chain.readPlan(key(8)))).toEqual(NONE);
    expect(asked).toEqual([1_000n, 990n, 1_001n]);
  });
});
