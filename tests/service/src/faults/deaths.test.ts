// Heavy: a pass dies at each of its steps in turn, and is run again.

import { Unavailable, type Chain, type FullStore, type SubscriptionId } from '@subrail/core/ports';
import {
  MINUTE,
  aroundStore,
  DAY,
  openTestWorld,
  PRICE,
  storedSubscription,
  type TestWorld,
} from '@subrail/test-world';
import { describe, expect, it } from 'vitest';

import { expectInvariants } from '../invariants/expect-invariants.js';

// Each test plays some forty periods.
const PERIOD = 10 * DAY;
const SUBSCRIBERS = 2;
/** More calls of the store and the chain than one pass makes. */
const MOST_STEPS = 60;

/** What a pass asks the chain. */
const STEPS_OF_THE_CHAIN: ReadonlySet<string> = new Set([
  'head',
  'readCharges',
  'signCharges',
  'send',
  'resolve',
]);

class Death extends Error {
  override readonly name = 'Death';
}

/** Ends what runs at one call of a port, counted from the last `at`. */
interface Interruption {
  /** At which call; 0 for none. */
  step: number;
  /** Whether the call at which it ends still takes effect. */
  after: boolean;
  /** Makes the error of the call at which it ends, and of those after it. */
  error: () => Error;
  /** Whether every later call fails as well, as in a process that is dead. */
  lasts: boolean;
}

/** A world with three subscribers, in which any call of the store or the chain can be the last. */
async function openInterrupted(portOfSteps: 'store' | 'both') {
  const none: Interruption = { step: 0, after: false, error: () => new Death(), lasts: true };
  let interruption = none;
  let calls = 0;
  async function step(call: () => Promise<unknown>): Promise<unknown> {
    calls += 1;
    const { step: last, after, error, lasts } = interruption;
    if (last === 0 || calls < last || (calls > last && !lasts)) return call();
    if (calls === last && after) await call();
    throw error();
  }
  const aroundChain = (chain: Chain): Chain =>
    new Proxy(chain, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function' || portOfSteps === 'store' || !STEPS_OF_THE_CHAIN.has(String(name)))
          return member;
        return (...parameters: unknown[]) =>
          step(() => Promise.resolve(Reflect.apply(member, target, parameters) as unknown));
      },
    });
  const world = await openTestWorld({
    store: 'sqlite',
    periodHours: 240,
    wrapChain: aroundChain,
    wrapStore: (store: FullStore) => aroundStore(store, (_, call) => step(call)),
  });
  const ids: string[] = [];
  for (let number = 0; number < SUBSCRIBERS; number++) {
    ids.push(await world.subscribe(await world.wallet(1_000n * PRICE), `customer-${number}`));
  }
  return {
    world,
    ids,
    /** Runs one pass that ends at a step; returns whether it reached the step. */
    passUntil: async (given: Partial<Interruption>): Promise<boolean> => {
      calls = 0;
      interruption = { ...none, ...given };
      await world.billing.worker.charge().catch(() => undefined);
      const reached = calls >= interruption.step;
      interruption = none;
      return reached;
    },
  };
}

/** After everything is well again, each subscriber has paid this many periods, and nothing is in flight. */
async function expectSettled(world: TestWorld, ids: readonly string[], paid: number): Promise<void> {
  for (const minutes of [1, 1, 10, 1]) {
    world.advance(minutes * MINUTE);
    await world.billing.worker.charge();
  }
  await world.work();
  for (const id of ids) {
    expect(await storedSubscription(world, id)).toMatchObject({ status: 'active', paidCount: paid });
    const transfers = await world.store.listTransfers(id as SubscriptionId, 99);
    expect(transfers.filter(({ state }) => state === 'open')).toEqual([]);
  }
}

/** Interrupts a pass at its first step, then at its second, and so on, each in a period of its own. */
async function interruptEveryStep(
  portOfSteps: 'store' | 'both',
  given: Partial<Interruption>,
): Promise<number> {
  const { world, ids, passUntil } = await openInterrupted(portOfSteps);
  let step = 1;
  for (; step < MOST_STEPS; step++) {
    world.advance(PERIOD - (world.now().getTime() % 1000));
    // The first pass sends, the second settles: the step may be in either.
    const reached = await passUntil({ ...given, step });
    await expectSettled(world, ids, step + 1);
    if (!reached) break;
  }
  await expectInvariants(world, ids);
  for (const text of ['Death', 'the database is unavailable']) world.forgiveErrors(text);
  return step - 1;
}

// invariants#one-payment-per-period, invariants#landed-transfers-match-paid-attempts
describe('every due subscription is paid once, and nothing stays in flight, when a pass', () => {
  it.each([
    ['dies before any of its steps', { after: false }],
    ['dies after any of its steps', { after: true }],
  ])('%s', async (_, given) => {
    expect(await interruptEveryStep('both', given)).toBeGreaterThan(5);
  });

  it.each([
    ['finds the store unavailable at one of its calls', { after: false, lasts: false }],
    ['loses the answer of the store to one of its calls', { after: true, lasts: false }],
  ])('%s', async (_, given) => {
    const error = () => new Unavailable('the database is unavailable');
    expect(await interruptEveryStep('store', { ...given, error })).toBeGreaterThan(2);
  });
});
