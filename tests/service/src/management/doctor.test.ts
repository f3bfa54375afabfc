import { createMemoryStore, type MemoryStore } from '@subrail/adapters/memory';
import {
  Unavailable,
  type Attempt,
  type Delivery,
  type EventId,
  type Subscription,
  type SubscriptionEvent,
  type SubscriptionId,
  type Transfer,
} from '@subrail/core/ports';
import { aDelivery, aDeliveryAttempt, anAttempt, anEndpoint, aTransfer } from '@subrail/core/testing';
import { openTestWorld, type TestWorld } from '@subrail/test-world';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const DAY = 24 * 3_600_000;

let world: TestWorld;
let store: MemoryStore;
let id: SubscriptionId;

beforeEach(async () => {
  store = createMemoryStore();
  world = await openTestWorld({ store });
  id = (await world.subscribe(await world.wallet(50_000_000n), 'reader')) as SubscriptionId;
});

afterEach(() => world.close());

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

/** The stored rows of the one subscription, which a test changes past the service. */
const rows = {
  subscription: () => store.tables.subscriptions.get(id) as Subscription,
  change(fields: Partial<Subscription>) {
    store.tables.subscriptions.put([{ ...rows.subscription(), ...fields }]);
  },
  attempt: () => store.tables.attempts.where('subscription', id)[0] as Attempt,
  transfer: () => store.tables.transfers.where('subscription', id)[0] as Transfer,
  events: () =>
    store.tables.events.where('subscription', id).toSorted((one, other) => one.sequence - other.sequence),
  event: (fields: Partial<SubscriptionEvent>) => {
    const last = rows.events().at(-1) as SubscriptionEvent;
    store.tables.events.put([{ ...last, id: `evt_${last.sequence}x` as EventId, ...fields }]);
  },
};

/** A second payment of the period, in both tables, past the indexes of the store. */
function payTwice(): void {
  const { id: _attempt, ...attempt } = rows.attempt();
  const { id: _transfer, ...transfer } = rows.transfer();
  const later = new Date((attempt.periodStart?.getTime() ?? 0) + 1);
  store.tables.attempts.put([anAttempt({ ...attempt, signature: 'Second', periodStart: later })]);
  store.tables.transfers.put([aTransfer({ ...transfer, signature: 'Second', periodStart: later })]);
  for (const table of [store.tables.attempts, store.tables.transfers])
    for (const row of table.where('subscription', id))
      if (row.signature === 'Second') Object.assign(row, { periodStart: attempt.periodStart });
}

/** What no service would write, by what the doctor has to call it. */
const PLANTED: readonly [check: string, fault: string, plant: () => void][] = [
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
    () => store.tables.transfers.put([openTransfer(new Date(world.now().getTime() - 2 * DAY))]),
  ],
  ['events_are_released', 'a held event', () => rows.change({ hasHeldEvents: true })],
  ['one_payment_per_period', 'two payments of one period', payTwice],
  [
    'landed_transfers_are_paid',
    'a landed transfer without an attempt',
    () => store.tables.transfers.put([{ ...openTransfer(new Date(0)), state: 'landed' }]),
  ],
  [
    'paid_attempts_have_landed',
    'a paid attempt whose transfer failed',
    () => store.tables.transfers.put([{ ...rows.transfer(), state: 'failed' }]),
  ],
  ['paid_totals_match', 'another count of payments', () => rows.change({ paidCount: 2 })],
  ['paid_totals_match', 'another sum of payments', () => rows.change({ paidAmount: 1n })],
  [
    'no_charge_out_of_turn',
    'a payment before its period',
    () =>
      store.tables.attempts.put([{ ...rows.attempt(), attemptedAt: new Date(world.now().getTime() - DAY) }]),
  ],
  [
    'no_charge_out_of_turn',
    'a charge without terms',
    () => {
      rows.change({ termsSigned: false });
      store.tables.transfers.put([{ ...rows.transfer(), kind: 'charge' }]);
    },
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
    () => store.tables.events.put([{ ...(rows.events()[1] as SubscriptionEvent), createdAt: new Date(0) }]),
  ],
  [
    'access_events_alternate',
    'two grants in a row',
    () => rows.event({ sequence: rows.subscription().lastSequence + 1, type: 'subscription.access_granted' }),
  ],
  ['access_is_announced', 'no access on record', () => rows.change({ lastAnnouncedAccess: false })],
  [
    'disabled_endpoints_wait_for_nothing',
    'a delivery that waits for a disabled endpoint',
    () => {
      const projectId = rows.subscription().projectId;
      const endpoint = anEndpoint({ projectId, enabled: false });
      store.tables.endpoints.put([endpoint]);
      const delivery: Delivery = aDelivery({
        projectId,
        endpointId: endpoint.id,
        eventId: rows.events()[0]?.id ?? null,
        type: 'subscription.created',
        nextAttemptAt: null,
      });
      store.tables.deliveries.put([delivery]);
      store.tables.deliveryAttempts.put([aDeliveryAttempt({ deliveryId: delivery.id })]);
    },
  ],
  [
    'chain_payments_are_recorded',
    'a payment of the period that is not on record',
    () => {
      const { paidPeriodStart, paidPeriodEnd } = rows.subscription();
      const earlier = (date: Date | null) => new Date((date?.getTime() ?? 0) - 30 * DAY);
      rows.change({ paidPeriodStart: earlier(paidPeriodStart), paidPeriodEnd: earlier(paidPeriodEnd) });
    },
  ],
  [
    'recorded_payments_are_on_chain',
    'a paid period that the chain has not',
    () => {
      const { paidPeriodStart, paidPeriodEnd } = rows.subscription();
      const later = (date: Date | null) => new Date((date?.getTime() ?? 0) + 30 * DAY);
      rows.change({ paidPeriodStart: later(paidPeriodStart), paidPeriodEnd: later(paidPeriodEnd) });
    },
  ],
  [
    'account_exists',
    'an account that is not the one on record',
    () => {
      const { incarnation } = rows.subscription();
      rows.change({ incarnation: incarnation && { ...incarnation, generation: 99n } });
    },
  ],
];

function openTransfer(createdAt: Date): Transfer {
  const { id: _, ...transfer } = rows.transfer();
  return aTransfer({ ...transfer, state: 'open', signature: 'Waiting', periodStart: createdAt, createdAt });
}

// management#doctor
describe('the doctor', () => {
  it('finds nothing in a store that is sound, and changes nothing', async () => {
    const before = JSON.stringify(store.tables.subscriptions.all(), (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(await shop().doctor.examine()).toEqual({ examined: 1, findings: [], not_compared: 0, next: null });
    const after = JSON.stringify(store.tables.subscriptions.all(), (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(after).toBe(before);
  });

  it.each(PLANTED)('finds %s: %s', async (check, _, plant) => {
    plant();
    expect(await findings()).toContain(check);
  });

  // invariants#seats-within-the-limit
  it('finds more seats than the limit allows', async () => {
    await world.subscribe(await world.wallet(50_000_000n), 'other');
    const project = store.tables.projects.get(world.projectId);
    if (project !== null) store.tables.projects.put([{ ...project, subscriberLimit: 1 }]);
    expect(await findings()).toEqual(['seats_within_the_limit']);
  });

  it('says how many subscriptions it could not compare with the chain', async () => {
    world.injectFaults(() => ({
      readCharges: (targets) =>
        Promise.resolve(targets.map(() => ({ ok: false, unavailable: { kind: 'transport' } }) as const)),
    }));
    const part = await shop().doctor.examine();
    expect(part).toMatchObject({ examined: 1, findings: [], not_compared: 1 });
  });

  // plans#damaged-plan
  it('finds a plan that cannot be read', async () => {
    store.listPlans = () => Promise.reject(new SyntaxError('Cannot convert many to a BigInt'));
    expect(await findings()).toEqual(['rows_can_be_read']);
    world.forgiveErrors('A plan of a project cannot be read');
  });

  it('calls no row damaged because the store cannot serve now', async () => {
    store.listTransfers = () => Promise.reject(new Unavailable('the database is busy'));
    await expect(shop().doctor.examine()).rejects.toThrow(Unavailable);
    store.listPlans = store.listTransfers;
    await expect(shop().doctor.examine()).rejects.toThrow(Unavailable);
  });

  it('examines a project a part at a time', async () => {
    await world.subscribe(await world.wallet(50_000_000n), 'other');
    const first = await shop().doctor.examine({ limit: 1 });
    expect([first.examined, first.next === null]).toEqual([1, false]);
    const second = await shop().doctor.examine({ limit: 1, starting_after: first.next ?? undefined });
    expect(second.examined).toBe(1);
  });
});
