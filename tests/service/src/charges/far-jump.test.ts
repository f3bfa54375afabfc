import type { KeyPairSigner } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import {
  MINUTE,
  actionsOf,
  DAY,
  HOUR,
  openSubscriber,
  type OutsideActions,
  PRICE,
  storedSubscription,
  type TestWorld,
  type CustomerOptions,
} from '@subrail/test-world';

const YEAR = 365 * DAY;

let world: TestWorld;
let wallet: KeyPairSigner;
let id: string;
let outside: OutsideActions;
/** When the subscription began, and when its first period ended. */
let begunAt: number;
let paidEnd: number;

async function begin(options?: CustomerOptions): Promise<void> {
  ({ world, wallet, id, outside } = await openSubscriber('paid', options));
  const { paidPeriodStart, paidPeriodEnd } = await storedSubscription(world, id);
  begunAt = Number(paidPeriodStart);
  paidEnd = Number(paidPeriodEnd);
}

/** Moves time in one jump to this long after the subscription began, and only then does the work. */
async function jumpTo(afterBegin: number): Promise<void> {
  world.advance(begunAt + afterBegin - world.now().getTime());
  await world.work();
}

const read = async () => (await world.call('GET', `/subscriptions/${id}`)).body;
const iso = (afterBegin: number) => new Date(begunAt + afterBegin).toISOString();

/** Every attempt after the first payment, oldest first: what it came to, and how long after the beginning its period starts. */
async function attempts(): Promise<readonly string[]> {
  const { body } = await world.call('GET', `/subscriptions/${id}/attempts?limit=100`);
  return (body['data'] as Record<string, string | null>[])
    .reverse()
    .slice(1)
    .map(({ outcome, reason, period_start }) => {
      const hours = period_start == null ? null : (Date.parse(period_start) - begunAt) / HOUR;
      return `${String(outcome)} ${reason ?? ''}${reason === null ? '' : ' '}${hours === null ? '-' : `${hours}h`}`;
    });
}

/** Every event after those of the first payment, in order. */
async function events(): Promise<readonly string[]> {
  const stored = (await world.storedEvents()).filter(({ subscriptionId }) => subscriptionId === id);
  const inOrder = stored.sort((one, other) => one.sequence - other.sequence);
  return inOrder.slice(2).map(({ type }) => type.replace('subscription.', ''));
}

const eventAt = async (name: string) =>
  (await world.storedEvents()).find(({ type }) => type === `subscription.${name}`)?.createdAt.toISOString();

// billing-periods#missed-periods, billing-periods#late-payment-keeps-the-grid
describe('after a jump over many periods', () => {
  it.each([
    [1, YEAR + 30 * MINUTE, 8_760],
    [168, YEAR, 8_736],
    [8_760, 3 * YEAR + DAY, 26_280],
  ])(
    'a plan of %i hours has one missed attempt, and its current period is charged',
    async (hours, jump, current) => {
      await begin({ periodHours: hours });
      await jumpTo(jump);
      expect(await attempts()).toEqual([`skipped period_missed ${hours}h`, `paid ${current}h`]);
      expect(await events()).toEqual(['access_revoked', 'renewed', 'access_granted']);
      expect(await eventAt('access_revoked')).toBe(iso(2 * hours * HOUR));
      expect(await read()).toMatchObject({
        ...{ status: 'active', payment_status: 'paid', access: true },
        current_period_start: iso(current * HOUR),
        next_charge_at: iso((current + hours) * HOUR),
      });
      expect(await world.holding(world.owner)).toBe(2n * PRICE);
      const { body } = await world.call('GET', `/subscriptions/${id}/attempts`);
      expect((body['data'] as Record<string, unknown>[])[1]).toMatchObject({
        ...{ amount: PRICE.toString(), retry: false, signature: null },
      });
    },
  );

  it('to just before the end of the next period, nothing is missed and access did not blink', async () => {
    await begin();
    await jumpTo(60 * DAY - MINUTE);
    expect(await attempts()).toEqual(['paid 720h']);
    expect(await events()).toEqual(['renewed', 'renewal_upcoming']);
  });

  it('the grid is that of the beginning at the next charge too', async () => {
    await begin({ periodHours: 168 });
    await jumpTo(YEAR);
    await jumpTo(8_904 * HOUR);
    expect((await attempts()).at(-1)).toBe('paid 8904h');
  });

  // retries#first-rejected-charge
  it('a wallet that is short is late for the current period only', async () => {
    await begin({ tokens: PRICE });
    await jumpTo(YEAR);
    expect(await attempts()).toEqual(['skipped period_missed 720h', 'rejected insufficient_balance 8640h']);
    expect(await events()).toEqual(['access_revoked', 'payment_failed']);
    expect(await read()).toMatchObject({
      ...{ status: 'unpaid', access: false, next_retry_number: 1, retries_allowed: 3 },
    });
  });

  // retries#retry-deadline-on-free
  it('a wallet that is short on Free gets the deadline of the current period', async () => {
    await begin({ tier: 'free', tokens: PRICE });
    await jumpTo(YEAR);
    expect(await events()).toEqual(['access_revoked', 'payment_failed']);
    expect(await read()).toMatchObject({
      status: 'unpaid',
      next_retry_at: null,
      retry_deadline: iso((8_640 + 720) * HOUR - 2 * MINUTE),
    });
  });

  // retries#second-missed-period
  it('one that was late is charged for the current period, and its missed one is not collected', async () => {
    await begin({ tokens: PRICE });
    await jumpTo(30 * DAY);
    await world.give(wallet, 9n * PRICE);
    await jumpTo(YEAR);
    expect(await attempts()).toEqual([
      'rejected insufficient_balance 720h',
      'skipped period_missed 720h',
      'paid 8640h',
    ]);
    expect(await events()).toEqual(['payment_failed', 'access_revoked', 'renewed', 'access_granted']);
    expect(await eventAt('access_revoked')).toBe(iso(60 * DAY));
  });

  it('one that was late and is still short begins its retries anew, without access', async () => {
    await begin({ tokens: PRICE });
    await jumpTo(30 * DAY);
    await jumpTo(YEAR);
    expect(await attempts()).toEqual([
      'rejected insufficient_balance 720h',
      'skipped period_missed 720h',
      'rejected insufficient_balance 8640h',
    ]);
    expect(await events()).toEqual(['payment_failed', 'access_revoked', 'payment_failed']);
    expect(await read()).toMatchObject({ next_retry_number: 1, access: false });
  });

  it('one that was late on Free has stopped at its deadline', async () => {
    await begin({ tier: 'free', tokens: PRICE });
    await jumpTo(30 * DAY);
    await world.give(wallet, 9n * PRICE);
    await jumpTo(YEAR);
    expect(await attempts()).toEqual(['rejected insufficient_balance 720h']);
    expect(await events()).toEqual(['payment_failed', 'access_revoked', 'stopped']);
    expect(await read()).toMatchObject({ status: 'stopped', stop_reason: 'retry_deadline_passed' });
  });

  // seats-and-tiers#charge-on-unparking
  it('a parked one is not charged, and on its return pays the current period only', async () => {
    await begin();
    const limit = (subscriber_limit: number | null) =>
      world.inNewBlock(() => world.billing.project(world.projectId).update({ subscriber_limit }));
    await limit(0);
    await jumpTo(YEAR);
    expect(await attempts()).toEqual([]);
    expect(await events()).toEqual(['paused', 'access_revoked']);
    expect(await eventAt('access_revoked')).toBe(iso(30 * DAY));
    await limit(null);
    await world.work();
    expect(await attempts()).toEqual(['skipped period_missed 720h', 'paid 8640h']);
    expect(await events()).toEqual(['paused', 'access_revoked', 'unpaused', 'renewed', 'access_granted']);
  });

  // retries#last-two-minutes-of-a-plan, access#access-stops-at-the-plan-end
  it('over the end of the plan ends it, with no charge and no missed period', async () => {
    await begin({ endsAfter: 100 * DAY });
    const { endsAt } = await world.plan('pro');
    await jumpTo(YEAR);
    expect(await attempts()).toEqual(['skipped plan_ended -']);
    expect(await events()).toEqual(['access_revoked', 'ended']);
    expect(await eventAt('access_revoked')).toBe(iso(60 * DAY));
    expect(await read()).toMatchObject({ status: 'ended', end_reason: 'plan_ended', access: false });
    expect(Number(endsAt)).toBeGreaterThan(paidEnd);
  });

  it('over the end of the plan within the due period has access until that end', async () => {
    await begin({ endsAfter: 40 * DAY });
    const { endsAt } = await world.plan('pro');
    await jumpTo(YEAR);
    expect(await attempts()).toEqual(['skipped plan_ended -']);
    expect(await events()).toEqual(['access_revoked', 'ended']);
    expect(await eventAt('access_revoked')).toBe(endsAt?.toISOString());
  });

  // cancel-resume-close#end-of-a-cancellation
  it('over the expiry of a cancellation ends it as cancelled, at its date', async () => {
    await begin();
    await actionsOf(world, wallet, id).act('cancel');
    await jumpTo(YEAR);
    expect(await attempts()).toEqual([]);
    expect(await events()).toEqual(['cancelled', 'access_revoked', 'ended']);
    expect(await eventAt('access_revoked')).toBe(iso(30 * DAY));
  });

  // billing-periods#missed-periods-under-a-block
  it('a block is recorded first, and the whole run of missed periods once it is over', async () => {
    await begin();
    await outside.freeze('owner');
    await jumpTo(100 * DAY);
    await outside.thaw('owner');
    await jumpTo(YEAR);
    expect(await attempts()).toEqual([
      'blocked receiver_account_frozen 2160h',
      'skipped period_missed 720h',
      'paid 8640h',
    ]);
    expect(await events()).toEqual(['access_revoked', 'renewed', 'access_granted']);
  });

  // attempts#unresolved-transfer-first
  it('a charge that was in flight is settled first, as the payment of its own period', async () => {
    await begin();
    world.advance(30 * DAY);
    await world.billing.worker.charge();
    await jumpTo(YEAR);
    expect(await attempts()).toEqual(['paid 720h', 'skipped period_missed 1440h', 'paid 8640h']);
    // What was paid late gives no access any more, and access ended at its date.
    expect(await events()).toEqual(['access_revoked', 'renewed', 'renewed', 'access_granted']);
    expect(await eventAt('access_revoked')).toBe(iso(60 * DAY));
    expect(await world.holding(world.owner)).toBe(3n * PRICE);
  });
});
