import { describe, expect, it } from 'vitest';
import { ManualClock } from '@subrail/core/testing';
import { chainOn, nodeWith, timedBy } from '../tests/chain-on.js';
import { asTimePasses } from '../tests/fake-rpc.js';

const START = new Date('2026-01-01T00:00:00.000Z');
const MINUTE = 60_000;

/** The data of the Clock sysvar at an instant. */
function clockData(time: Date): string {
  const data = Buffer.alloc(40);
  data.writeBigInt64LE(BigInt(Math.floor(time.getTime() / 1000)), 32);
  return data.toString('base64');
}

/** The chain over nodes whose clocks differ from the host's by these minutes, each at a slot of its own. */
function chainOf(...minutesAhead: readonly (number | 'down')[]) {
  const clock = new ManualClock(START);
  const ahead = [...minutesAhead];
  const nodes = minutesAhead.map((_, index) => {
    const absoluteSlot = BigInt(1_000 * (index + 1));
    return nodeWith({
      getEpochInfo: () => {
        if (ahead[index] === 'down') throw new Error('reset');
        return { absoluteSlot, blockHeight: 5n };
      },
      getMultipleAccounts: () => {
        const minutes = ahead[index];
        if (typeof minutes !== 'number') throw new Error('reset');
        const data = clockData(new Date(clock.now().getTime() + minutes * MINUTE));
        const owner = 'Sysvar1111111111111111111111111111111111111';
        const value = [{ owner, lamports: 1n, data: [data, 'base64'] }];
        return { context: { slot: absoluteSlot }, value };
      },
    });
  });
  const rpc = nodes.map(({ transport }) => transport);
  const { chain } = chainOn({}, { rpc, ...timedBy(clock) });
  return {
    ...{ clock, ahead, chain },
    /** The minutes by which each node with a wrong clock is ahead, and the host, when it is the suspect. */
    wrong: () => {
      const { servers, hostClockAheadSeconds } = chain.servers();
      const minutes = (seconds: number | null) => (seconds === null ? null : seconds / 60);
      return [servers.map(({ aheadSeconds }) => minutes(aheadSeconds)), minutes(hostClockAheadSeconds)];
    },
    /** The minutes from the host's time to the one that the chain answers; null when it is unavailable. */
    read: async (): Promise<number | null> => {
      const head = await asTimePasses(clock, chain.head());
      if (!head.ok) return null;
      // Adding zero makes a rounded -0 a 0.
      return Math.round((head.value.time.getTime() - clock.now().getTime()) / MINUTE) + 0;
    },
  };
}

// billing-periods#node-with-a-wrong-clock
describe('a node with a wrong clock', () => {
  it.each([-60, -3, 3, 60])('is left out, and another is asked: %s minutes', async (minutes) => {
    const { read, wrong, clock, ahead } = chainOf(minutes, 0);
    for (let i = 0; i < 100; i++) {
      expect(await read()).toBe(0);
      expect(wrong()).toEqual([[minutes, null], null]);
      clock.advance(1_000);
    }
    ahead[0] = 0;
    clock.advance(30_000);
    expect(await read()).toBe(0);
    expect(wrong()).toEqual([[null, null], null]);
  });

  it.each([-2, 0, 2])('is used when it differs by %s minutes only', async (minutes) => {
    const { read, wrong } = chainOf(minutes, 0);
    expect(await read()).toBe(minutes);
    expect(wrong()).toEqual([[null, null], null]);
  });

  it('gets no other read either', async () => {
    const { read, chain } = chainOf(-60, 0);
    await read();
    expect(await chain.head()).toMatchObject({ ok: true, value: { slot: 2_000n } });
  });

  it('counts as one that does not answer while the others are down', async () => {
    const { read, ahead, clock } = chainOf(-60, 'down');
    expect(await read()).toBe(null);
    ahead[1] = 0;
    clock.advance(MINUTE);
    expect(await read()).toBe(0);
  });
});

// billing-periods#node-with-a-wrong-clock
describe('the host’s clock', () => {
  it.each([[[-10]], [[10, 11]], [[-10, -10]]])(
    'is named when every node differs by the same, and the response is used: %s',
    async (minutes) => {
      const { read, wrong, clock, ahead } = chainOf(...minutes);
      for (let i = 0; i < 100; i++) {
        expect(await read()).not.toBe(null);
        clock.advance(1_000);
      }
      expect(minutes).toContain(wrong()[1]);
      ahead.fill(0);
      for (let i = 0; i < 40; i++) {
        expect(await read()).not.toBe(null);
        clock.advance(1_000);
      }
      expect(await read()).toBe(0);
      expect(wrong()).toEqual([minutes.map(() => null), null]);
    },
  );

  it('is not named when the nodes differ from each other too', async () => {
    const { read, wrong } = chainOf(-60, 10);
    expect(await read()).toBe(null);
    expect(wrong()).toEqual([[-60, 10], null]);
  });
});
