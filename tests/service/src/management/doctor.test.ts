import type { KeyPairSigner } from '@solana/kit';
import {
  Unavailable,
  type Attempt,
  type Commit,
  type Delivery,
  type EventId,
  type ProjectId,
  type Subscription,
  type SubscriptionEvent,
  type SubscriptionId,
  type Transfer,
} from '@subrail/core/ports';
import { aCommit, aDelivery, anAttempt, anEndpoint, aTransfer } from '@subrail/core/testing';
import { attemptReasons, DAY, MINUTE, MONTH, openSubscriber, type TestWorld } from '@subrail/test-world';
import { beforeEach, describe, expect, it } from 'vitest';

let world: TestWorld;
let id: SubscriptionId;
let wallet: KeyPairSigner;
/** The errors of operations of the store that fail. */
let failing: Partial<Record<'listTransfers' | 'listPlans', Error>>;

beforeEach(async () => {
  failing = {};
  const unlessFailing = <T>(name: keyof typeof failing, run: () => Promise<T>) =>
    failing[name] === undefined ? run() : Promise.reject(failing[name]);
  const subscriber = await openSubscriber('paid', {
    ...{ store: 'memory', customer: 'reader' },
    wrapStore: (store) => ({
      ...store,
      listTransfers: (...given) => unlessFailing('listTransfers', () => store.listTransfers(...given)),
      listPlans: (...given) => unlessFailing('listPlans', () => store.listPlans(...given)),
    }),
  });
  ({ world, wallet } = subscriber);
  id = subscriber.id as SubscriptionId;
});

const shop = () => world.billing.project(world.projectId);

/** The names of the checks that found something. */
async function findings(): Promise<readonly string[]> {
  const { findings } = await shop().doctor.examine();
  for (const { rows, what, remedy } of findings) {
    expect(rows.length).toBeGreaterThan(0);
    expect(`${what} ${remedy}`).toMatch(/^[A-Z].*\. [A-Z].*\.$/);
  }
  return [...new Set(findings.map(({ check }) => check))];
}

const projectId = () => world.projectId as ProjectId;

function theOnly<Row>(row: Row | null | undefined): Row {
  if (row === null || row === undefined) throw new Error('The row is not stored.');
  return row;
}

/** The stored rows of the one subscription, which a test changes past the service. */
const rows = {
  subscription: async () => theOnly(await world.store.findSubscription(projectId(), id)),
  async change(fields: Partial<Subscription>, more: Partial<Commit> = {}) {
    const stored = await rows.subscription();
    const changed = { ...stored, ...fields, version: stored.version + 1 };
    expect(await world.store.commit([aCommit(changed, more)])).toBe('committed');
  },
  put: (more: Partial<Commit>) => rows.change({}, more),
  async attempt(): Promise<Attempt> {
    const page = await world.store.listAttempts(id, { limit: 1, startingAfter: null });
    return theOnly(page === 'unknown_cursor' ? null : page.data[0]);
  },
  transfer: async (): Promise<Transfer> => theOnly((await world.store.listTransfers(id, 1))[0]),
  lastEvent: async (): Promise<SubscriptionEvent> => theOnly((await world.storedEvents()).at(-1)),
  async event(fields: Partial<SubscriptionEvent>) {
    const last = await rows.lastEvent();
    await rows.put({ events: [{ ...last, id: `evt_${last.sequence}x` as EventId, ...fields }] });
  },
};

/** What no service would write, by what the doctor has to call it. */
const PLANTED: readonly [check: string, fault: string, plant: () => Promise<void>][] = [
  ['fields_agree', 'an end reason while it is active', () => rows.change({ endReason: 'closed' })],
  ['fields_agree', 'unpaid without a missed payment', () => rows.change({ status: 'unpaid' })],
  ['fields_agree', 'a block without a date', () => rows.change({ blockedReason: 'mint_paused' })],
  ['fields_agree', 'no account on record', () => rows.change({ incarnation: null })],
  [
    'no_access_once_over',
    'access announced after its end',
    () => rows.change({ status: 'ended', endReason: 'closed', wakeAt: null, nextTryAt: null }),
  ],
  ['timed_work_has_a_date', 'no wake date', () => rows.change({ wakeAt: null })],
  [
    'timed_work_is_done',
    'a wake date long ago',
    () => rows.change({ wakeAt: new Date(world.now().getTime() - DAY) }),
  ],
  [
    'transfers_are_resolved',
    'a transaction open for days',
    async () => rows.put({ transfers: [await openTransfer(new Date(world.now().getTime() - 2 * DAY))] }),
  ],
  ['held_by_an_open_change', 'a hold without a change', () => rows.change({ replacedById: id })],
  ['events_are_released', 'a held event', () => rows.change({ hasHeldEvents: true })],
  [
    'landed_transfers_are_paid',
    'a landed transfer without an attempt',
    async () => rows.put({ transfers: [{ ...(await openTransfer(new Date(0))), state: 'landed' }] }),
  ],
  [
    'paid_attempts_have_landed',
    'a paid attempt whose transfer failed',
    async () => rows.put({ transfers: [{ ...(await rows.transfer()), state: 'failed' }] }),
  ],
  ['paid_totals_match', 'another count of payments', () => rows.change({ paidCount: 2 })],
  ['paid_totals_match', 'another sum of payments', () => rows.change({ paidAmount: 1n })],
  [
    'no_charge_out_of_turn',
    'a payment before its period',
    async () => {
      const { id: _, ...attempt } = await rows.attempt();
      const early = { signature: 'Early', periodStart: new Date(world.now().getTime() + DAY) };
      await rows.put({ attempts: [anAttempt({ ...attempt, ...early })] });
    },
  ],
  [
    'no_charge_out_of_turn',
    'a charge without terms',
    async () =>
      rows.change({ termsSigned: false }, { transfers: [{ ...(await rows.transfer()), kind: 'charge' }] }),
  ],
  [
    'paid_period_is_the_last',
    'an earlier paid period on record',
    () => rows.change({ paidPeriodStart: new Date(0), paidPeriodEnd: world.now() }),
  ],
  [
    'only_rejections_spend_retries',
    'a retry that no rejection spent',
    () =>
      rows.change({
        status: 'unpaid',
        lateReason: 'insufficient_balance',
        late: {
          periodStart: world.now(),
          graceUntil: null,
          automatic: { spent: 1, allowed: 3, waitMs: DAY, nextAt: new Date(world.now().getTime() + DAY) },
          deadline: null,
          byHand: { count: 0, lastAt: null },
          queuedAt: null,
        },
      }),
  ],
  ['sequence_is_complete', 'a gap in the sequence', () => rows.event({ sequence: 9 })],
  ['sequence_is_complete', 'a last sequence that no event has', () => rows.change({ lastSequence: 7 })],
  [
    'events_are_in_order',
    'an event dated before the one that precedes it',
    async () => rows.event({ sequence: (await rows.lastEvent()).sequence + 1, createdAt: new Date(0) }),
  ],
  [
    'access_events_alternate',
    'two grants in a row',
    async () =>
      rows.event({
        sequence: (await rows.lastEvent()).sequence + 1,
        type: 'subscription.access_granted',
      }),
  ],
  ['access_is_announced', 'no access on record', () => rows.change({ lastAnnouncedAccess: false })],
  [
    'disabled_endpoints_wait_for_nothing',
    'a delivery that waits for a disabled endpoint',
    async () => {
      const endpoint = anEndpoint({ projectId: projectId(), enabled: false });
      await world.store.insertEndpoint(endpoint);
      const delivery: Delivery = aDelivery({
        projectId: projectId(),
        endpointId: endpoint.id,
        eventId: (await rows.lastEvent()).id,
        nextAttemptAt: null,
      });
      await rows.put({ deliveries: [delivery] });
    },
  ],
  [
    'chain_payments_are_recorded',
    'a payment of the period that is not on record',
    async () => {
      const { paidPeriodStart, paidPeriodEnd } = await rows.subscription();
      const earlier = (date: Date | null) => new Date((date?.getTime() ?? 0) - 30 * DAY);
      await rows.change({ paidPeriodStart: earlier(paidPeriodStart), paidPeriodEnd: earlier(paidPeriodEnd) });
    },
  ],
  [
    'recorded_payments_are_on_chain',
    'a paid period that the chain has not',
    async () => {
      const { paidPeriodStart, paidPeriodEnd } = await rows.subscription();
      const later = (date: Date | null) => new Date((date?.getTime() ?? 0) + 30 * DAY);
      await rows.change({ paidPeriodStart: later(paidPeriodStart), paidPeriodEnd: later(paidPeriodEnd) });
    },
  ],
  [
    'account_exists',
    'an account that is not the one on record',
    async () => {
      const { incarnation } = await rows.subscription();
      await rows.change({ incarnation: incarnation && { ...incarnation, generation: 99n } });
    },
  ],
];

async function openTransfer(createdAt: Date): Promise<Transfer> {
  const { id: _, ...transfer } = await rows.transfer();
  return aTransfer({ ...transfer, state: 'open', signature: 'Waiting', periodStart: createdAt, createdAt });
}

function silenceChain(): void {
  world.injectFaults(() => ({
    readCharges: (targets) =>
      Promise.resolve(targets.map(() => ({ ok: false, unavailable: { kind: 'transport' } }) as const)),
  }));
}

// management#doctor
describe('the doctor', () => {
  it('finds nothing in a store that is sound, and changes nothing', async () => {
    const before = await rows.subscription();
    expect(await shop().doctor.examine()).toEqual({
      ...{ examined: 1, findings: [], notes: [], not_compared: 0, next: null },
    });
    expect(await rows.subscription()).toEqual(before);
  });

  it.each(PLANTED)('finds %s: %s', async (check, _, plant) => {
    await plant();
    expect(await findings()).toContain(check);
  });

  // invariants#seats-within-the-limit
  it('finds more seats than the limit allows', async () => {
    await world.subscribe(await world.wallet(50_000_000n), 'other');
    const project = theOnly(await world.store.findProject(projectId()));
    await world.store.updateProject({ ...project, subscriberLimit: 1 });
    expect(await findings()).toEqual(['seats_within_the_limit']);
  });

  it('says how many subscriptions it could not compare with the chain', async () => {
    silenceChain();
    const part = await shop().doctor.examine();
    expect(part).toMatchObject({ examined: 1, findings: [], not_compared: 1 });
  });

  // attempts#first-finding-decides, blocks#wait-between-blocked-tries
  it('finds a cancellation that took effect while the chain was silent, until a worker reads it', async () => {
    await (await world.outside(wallet)).cancel();
    silenceChain();
    world.advance(MONTH + 2 * DAY);
    await world.work();
    world.clearFaults();
    expect(await findings()).toEqual(['cancellations_are_noticed']);
    world.advance(10 * MINUTE);
    await world.work();
    expect(await findings()).toEqual([]);
    expect(await rows.subscription()).toMatchObject({ status: 'ended', endReason: 'cancelled' });
    expect(await attemptReasons(world, id)).toEqual(['paid', 'transport', 'cancelled']);
  });

  // plans#damaged-plan
  it('finds a plan that cannot be read', async () => {
    failing.listPlans = new SyntaxError('Cannot convert many to a BigInt');
    expect(await findings()).toEqual(['rows_can_be_read']);
    world.forgiveErrors('A plan of a project cannot be read');
  });

  it('calls no row damaged because the store cannot serve now', async () => {
    failing = { listTransfers: new Unavailable('the database is busy') };
    await expect(shop().doctor.examine()).rejects.toThrow(Unavailable);
    failing = { listPlans: new Unavailable('the database is busy') };
    await expect(shop().doctor.examine()).rejects.toThrow(Unavailable);
  });

  it('notes a wallet whose subscription only the chain has, until it cancels', async () => {
    const other = await world.wallet(50_000_000n);
    const outside = await world.outside(other);
    await outside.subscribe();
    const { id: plan } = await world.plan('pro');
    expect(await shop().doctor.examine()).toMatchObject({
      findings: [],
      notes: [{ check: 'subscriptions_on_chain_are_on_record', rows: [plan, other.address] }],
    });
    await outside.cancel();
    expect(await shop().doctor.examine()).toMatchObject({ findings: [], notes: [] });
  });

  it.each([
    ['gone', 'because it answered 410'],
    ['failing', 'because it failed for three days'],
    [null, null],
  ] as const)(
    'notes an endpoint that the service turned off, and none of its owner: %s',
    async (reason, why) => {
      const endpoint = anEndpoint({ projectId: projectId(), enabled: false, disabledReason: reason });
      await world.store.insertEndpoint(endpoint);
      const { findings, notes } = await shop().doctor.examine();
      expect(findings).toEqual([]);
      expect(notes.map(({ check, rows }) => [check, ...rows])).toEqual(
        why === null ? [] : [['endpoints_are_not_turned_off', endpoint.id]],
      );
      for (const { what, remedy } of notes) {
        expect(what).toContain(why);
        expect(remedy).toContain('enable the endpoint, and recover what it missed');
      }
    },
  );

  it('notes that no server lists the subscriptions of a plan, which is no alert', async () => {
    world.injectFaults(() => ({
      readSubscribers: () => Promise.resolve({ ok: false, unavailable: { kind: 'rpc', code: -32010 } }),
    }));
    const { id: plan } = await world.plan('pro');
    expect(await shop().doctor.examine()).toMatchObject({
      ...{ findings: [], not_compared: 0 },
      notes: [{ check: 'subscriptions_on_chain_can_be_listed', rows: [plan] }],
    });
    expect((await world.billing.metrics()).alerts).toEqual([]);
  });

  it('examines a project a part at a time', async () => {
    await world.subscribe(await world.wallet(50_000_000n), 'other');
    const first = await shop().doctor.examine({ limit: 1 });
    expect([first.examined, first.next === null]).toEqual([1, false]);
    const second = await shop().doctor.examine({ limit: 1, starting_after: first.next ?? undefined });
    expect(second.examined).toBe(1);
  });
});
