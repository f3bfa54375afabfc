import type { Chain } from '@subrail/core/ports';
import type { KeyPairSigner } from '@solana/kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  MONTH,
  actionsOf,
  attemptReasons,
  DAY,
  openSubscriber,
  type TestWorld,
  type TestWorldOptions,
  withOutages,
} from '@subrail/test-world';

/** The faults of the chain, each until the test ends it, and what was sent. */
const faults: { unreachable: boolean; dropSends: boolean; sends: string[] } = {
  unreachable: false,
  dropSends: false,
  sends: [],
};

/** The real chain, with those faults. */
function faulty(chain: Chain): Chain {
  const below = withOutages(chain, () => (faults.unreachable ? { kind: 'transport' } : null));
  return {
    ...below,
    async send(wires) {
      faults.sends.push(...wires);
      return faults.dropSends ? wires.map(() => ({ kind: 'unknown' as const })) : below.send(wires);
    },
  };
}

let world: TestWorld;
let wallet: KeyPairSigner;
let id: string;

/** A subscription whose first period ends now. */
async function begin(options: TestWorldOptions = {}): Promise<void> {
  ({ world, wallet, id } = await openSubscriber('paid', { wrapChain: faulty, ...options }));
  faults.sends = [];
  world.advance(MONTH);
}

async function read() {
  return (await world.call('GET', `/subscriptions/${id}`)).body;
}

const attempts = () => attemptReasons(world, id);

beforeEach(async () => {
  Object.assign(faults, { unreachable: false, dropSends: false, sends: [] });
  await begin();
});

afterEach(async () => {
  // The tokens that moved on chain must equal the recorded payments (invariants#landed-transfers-match-paid-attempts).
  const { body } = await world.call('GET', `/subscriptions/${id}/attempts`);
  expect((body['paid'] as { amount: string }).amount).toBe((await world.holding(world.owner)).toString());
});

describe('a charge under faults of the chain', () => {
  // attempts#unresolved-transfer-first
  it('sends the same bytes again while a transfer may still land', async () => {
    faults.dropSends = true;
    await world.billing.worker.charge();
    faults.dropSends = false;
    await world.work();
    expect(new Set(faults.sends).size).toBe(1);
    expect(faults.sends.length).toBeGreaterThan(1);
    expect(await attempts()).toEqual(['paid', 'paid']);
  });

  // attempts#results-of-a-sent-transaction, attempts#lost-transaction
  it('charges the period again only when a transfer can no longer land and two reads agree', async () => {
    faults.dropSends = true;
    await world.billing.worker.charge();
    const [lost] = faults.sends;
    world.advance(2 * 60_000);
    await world.billing.worker.charge();
    expect(new Set(faults.sends)).toEqual(new Set([lost]));
    faults.dropSends = false;
    world.advance(30_000);
    await world.work();
    expect(new Set(faults.sends).size).toBe(2);
    expect(await attempts()).toEqual(['paid', 'paid']);
    expect(await world.events()).toEqual(['created', 'access_granted', 'renewed']);
  });

  it('is made once by two concurrent workers', async () => {
    await Promise.all([world.billing.worker.charge(), world.billing.worker.charge()]);
    expect(faults.sends.length).toBe(1);
    await world.work();
    expect(await attempts()).toEqual(['paid', 'paid']);
  });
});

// Where no charge is due, the chain is only read again: an attempt and a block would be about a payment that nobody owes.
describe('an end that is due while the chain is unreachable', () => {
  async function expectEnd(endReason: string, recorded: readonly string[]): Promise<void> {
    const before = await attempts();
    faults.unreachable = true;
    await world.work();
    expect(await attempts()).toEqual(before);
    expect(await read()).toMatchObject({ access: false, blocked_since: null, blocked_reason: null });
    faults.unreachable = false;
    world.advance(10 * 60_000);
    await world.work();
    expect(await read()).toMatchObject({ status: 'ended', end_reason: endReason });
    expect(await attempts()).toEqual([...before, ...recorded]);
  }

  // attempts#one-attempt-per-try
  it('of a cancelled subscription, waits without an attempt', async () => {
    await world.work();
    await actionsOf(world, wallet, id).act('cancel');
    world.advance(MONTH);
    await expectEnd('cancelled', []);
  });

  // retries#last-two-minutes-of-a-plan
  it('of a plan, waits without an attempt', async () => {
    await begin({ endsAfter: MONTH + DAY });
    await world.work();
    world.advance(DAY + 1_000);
    await expectEnd('plan_ended', ['plan_ended']);
  });
});
