import type { KeyPairSigner } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  MONTH,
  attemptReasons,
  DAY,
  openSubscriber,
  storedSubscription,
  type TestWorld,
  withOutages,
} from '@subrail/test-world';

let world: TestWorld;
let id: string;
let wallet: KeyPairSigner;
let unreachable = false;

beforeEach(async () => {
  unreachable = false;
  ({ world, wallet, id } = await openSubscriber('paid', {
    wrapChain: (chain) => withOutages(chain, () => (unreachable ? { kind: 'transport' } : null)),
  }));
});

const read = async () => (await world.call('GET', `/subscriptions/${id}`)).body;
const reasons = () => attemptReasons(world, id);

/** Writes what a record of another release may lack. */
async function loseTerms(): Promise<void> {
  const stored = await storedSubscription(world, id);
  const subscription = { ...stored, version: stored.version + 1, termsSigned: false };
  const nothing = {
    attempts: [],
    transfers: [],
    events: [],
    deliveries: [],
    movements: [],
    mails: [],
    signedTerms: null,
  };
  expect(await world.store.commit([{ subscription, ...nothing }])).toBe('committed');
}

async function setPlanCreation(createdOnChainAt: Date | null): Promise<void> {
  const plan = await world.plan('pro');
  expect(await world.store.updatePlan({ ...plan, version: plan.version + 1, createdOnChainAt })).toBe(
    'updated',
  );
}

async function passOn(ms: number): Promise<void> {
  world.advance(ms);
  await world.work();
}

// attempts#charges-need-signed-terms, access#access-without-signed-terms
describe('a subscription without signed terms', () => {
  it.each<[string, () => Promise<void>]>([
    [
      'the chain does not answer',
      async () => {
        unreachable = true;
      },
    ],
    ['the record of its plan is incomplete', () => setPlanCreation(null)],
  ])('is blocked for its terms also when %s', async (_, fault) => {
    await loseTerms();
    await fault();
    await passOn(MONTH);
    expect(await reasons()).toEqual(['paid', 'terms_missing']);
  });

  it('is not tried while its seat is parked', async () => {
    await loseTerms();
    await world.inNewBlock(() => world.billing.project(world.projectId).update({ subscriber_limit: 0 }));
    await passOn(MONTH);
    expect(await reasons()).toEqual(['paid']);
  });
});

// attempts#incomplete-plan-record, blocks#blocked-reason-from-an-attempt
describe('a plan whose record is incomplete', () => {
  it('does not keep a cancellation from its end', async () => {
    const outside = await world.outside(wallet);
    await outside.cancel();
    await passOn(28 * DAY);
    expect((await read())['status']).toBe('cancelled');
    await setPlanCreation(null);
    await passOn(3 * DAY);
    expect(await reasons()).toEqual(['paid']);
    expect(await read()).toMatchObject({ status: 'ended', end_reason: 'cancelled' });
  });
});
