// Heavy: a service works second by second through two renewals for each row of the table
import { createClock } from '@subrail/adapters/web';
import type { Clock, HttpSender } from '@subrail/core/ports';
import { OK } from '@subrail/core/testing';
import { verifyWebhook } from '@subrail/core/webhooks';
import {
  SECOND,
  MINUTE,
  HOUR,
  DAY,
  openTestWorld,
  PRICE,
  type TestClock,
  type TestWorld,
} from '@subrail/test-world';
import { describe, expect, it } from 'vitest';

/** A machine whose clock can be wrong, in a world whose time is right. */
interface Machine {
  /** How far its clock is ahead of the world's time. */
  aheadMs: number;
  /** The time that it stood, with its timers: it was suspended, or its state was saved and restored. */
  stoodMs: number;
}

/** What happens to the clock of a machine that runs a host. */
interface Row {
  readonly name: string;
  /** The clock is wrong by this for so many seconds, in which a renewal is due after 30; then it is right. */
  readonly aheadMs?: number;
  readonly seconds?: number;
  /** The machine stands for so long before that, while the world goes on. */
  readonly standsMs?: number;
  /** Whether the system tells for how long the machine stood. */
  readonly tellsSleep?: boolean;
}

const ROWS: readonly Row[] = [
  { name: 'set back by 30 seconds', aheadMs: -30 * SECOND, seconds: 90 },
  { name: 'set back by an hour', aheadMs: -HOUR, seconds: 70 },
  { name: 'set back by a day', aheadMs: -DAY, seconds: 130 },
  { name: 'a day ahead for less than a second', aheadMs: DAY, seconds: 0 },
  { name: 'a second ahead, for a minute and a half', aheadMs: SECOND, seconds: 90 },
  { name: 'set forward by 8 hours', aheadMs: 8 * HOUR, seconds: 70 },
  { name: 'set forward by 30 days', aheadMs: 30 * DAY, seconds: 130 },
  { name: 'suspended for 8 hours, and the system tells', standsMs: 8 * HOUR, tellsSleep: true },
  { name: 'suspended for 8 hours, and the system does not tell', standsMs: 8 * HOUR },
  // A virtual machine gets the time of its host only when its own time server has asked.
  { name: 'restored after a day, its clock wrong for a while', standsMs: DAY, aheadMs: -DAY, seconds: 20 },
  // Without a clock that runs on a battery, a small board wakes up in the past until the network is there.
  { name: 'back in 1970 until its time server answers', aheadMs: -56 * 365 * DAY, seconds: 90 },
  // A dual boot keeps local time in the hardware clock.
  { name: 'ahead by its time zone', aheadMs: 5.5 * HOUR, seconds: 90 },
  // A leap second that is stepped back, and one that is smeared twice.
  { name: 'a leap second back', aheadMs: -SECOND, seconds: 90 },
];

const UNAVAILABLE = { ok: false, unavailable: { kind: 'transport' } } as const;
const SILENT = async () => UNAVAILABLE;

let world: TestWorld;

/** A host, with an endpoint that accepts what was signed within five minutes of the world's time. */
async function openHost(machine: Machine, tellsSleep = false) {
  const received: { readonly type: string; readonly at: Date }[] = [];
  const refusals: string[] = [];
  let secret = '';
  const sender: HttpSender = {
    async post({ url, headers, body }) {
      try {
        const { event } = await verifyWebhook(new Request(url, { method: 'POST', headers, body }), secret, {
          now: world.now(),
        });
        received.push({ type: event.type, at: world.now() });
        return OK;
      } catch (error) {
        refusals.push(String(error));
        return { ...OK, status: 400 };
      }
    },
  };
  const makeClock = (moved: TestClock): Clock => {
    const begun = moved.now().getTime();
    const uptime = () => moved.now().getTime() - begun;
    const clock = createClock({
      wall: () => moved.now().getTime() + machine.aheadMs,
      elapsed: () => uptime() - machine.stoodMs,
      ...(tellsSleep ? { uptime } : {}),
    });
    return { ...clock, sleep: (ms, signal) => moved.sleep(ms, signal) };
  };
  world = await openTestWorld({ periodHours: 1, makeClock, ports: { sender } });
  const project = world.billing.project(world.projectId);
  const types = [
    'subscription.renewed',
    'subscription.access_revoked',
    'subscription.payment_failed',
  ] as const;
  ({ secret } = await project.endpoints.create({ url: 'https://shop.example.com/', types: [...types] }));
  return { received, refusals };
}

/** The worker works once a second. */
async function work(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    world.advance(SECOND);
    for (const { name, run } of world.billing.worker.passes())
      await (name === 'deliveries' ? world.deliver() : run());
  }
}

/** Goes on to so many seconds before the next renewal, without any work. */
function goOnToBefore(renewal: Date, seconds: number): void {
  world.advance(renewal.getTime() - world.now().getTime() - seconds * SECOND);
}

const subscription = async (id: string) => (await world.call('GET', `/subscriptions/${id}`)).body;

const nextRenewal = async (id: string) => new Date(String((await subscription(id))['next_charge_at']));

/** How far the service's clock is ahead of the world's time. */
const aheadOfWorld = () => world.billing.service.clock.now().getTime() - world.now().getTime();

const alerts = () => world.billing.service.alerts.open().map(({ key }) => key);

/** The attempts of a subscription, the oldest first. */
async function attemptsOf(id: string) {
  const { body } = await world.call('GET', `/subscriptions/${id}/attempts`);
  const attempts = body['data'] as readonly Readonly<
    Record<'attempted_at' | 'period_start' | 'outcome', string>
  >[];
  return [...attempts].reverse().map(({ attempted_at: at, period_start: start, outcome }) => ({
    outcome,
    at: new Date(at),
    dueAt: new Date(start),
  }));
}

// clocks#step-of-the-machines-clock, deliveries#timestamp-from-the-wall-clock,
// billing-periods#chain-clock-decides-due
describe('a host whose clock steps charges and sends on time, and nothing that it sends is refused', () => {
  it.each(ROWS)('$name', async (row) => {
    const { aheadMs = 0, seconds = 0, standsMs = 0, tellsSleep } = row;
    const machine: Machine = { aheadMs: 0, stoodMs: 0 };
    const { received, refusals } = await openHost(machine, tellsSleep);
    const id = await world.subscribe(await world.wallet(100n * PRICE));
    await work(5);
    goOnToBefore(await nextRenewal(id), 40);
    await work(10);

    world.advance(standsMs);
    machine.stoodMs = standsMs;
    machine.aheadMs = aheadMs;
    const resumedAt = world.now();
    // A request looks at the clock, however shortly it is wrong.
    await subscription(id);
    await work(seconds);
    machine.aheadMs = 0;
    // The first look at it is a second later.
    await work(61);
    expect(Math.abs(aheadOfWorld())).toBeLessThanOrEqual(SECOND);
    goOnToBefore(await nextRenewal(id), 5);
    await work(65);

    const [subscribed, ...attempts] = await attemptsOf(id);
    expect(subscribed?.outcome).toBe('paid');
    const renewals = attempts.filter(({ outcome }) => outcome === 'paid');
    // While a machine stands, nobody can charge. It wakes up in a period, half a minute before the next.
    expect(attempts.length - renewals.length).toBe(standsMs === 0 ? 0 : 1);
    expect(renewals).toHaveLength(standsMs === 0 ? 2 : 3);
    for (const { at, dueAt } of renewals) {
      expect(at.getTime()).toBeGreaterThanOrEqual(dueAt.getTime());
      const possibleAt = Math.max(dueAt.getTime(), resumedAt.getTime());
      expect(at.getTime() - possibleAt).toBeLessThanOrEqual(MINUTE);
    }
    expect(refusals).toEqual([]);
    const told = (type: string) => received.filter((webhook) => webhook.type === `subscription.${type}`);
    expect(told('renewed')).toHaveLength(renewals.length);
    for (const [index, { at }] of told('renewed').entries())
      expect(at.getTime() - (renewals[index]?.at.getTime() ?? 0)).toBeLessThanOrEqual(10 * SECOND);
    // Access was not paid for while periods passed that nobody charged.
    expect(told('access_revoked')).toHaveLength(standsMs === 0 ? 0 : 1);
    expect(told('payment_failed')).toEqual([]);
    expect((await subscription(id))['access']).toBe(true);
    expect(alerts()).toEqual([]);
  });
});

// clocks#step-of-the-machines-clock, billing-periods#node-with-a-wrong-clock
describe('a machine whose clock the chain contradicts', () => {
  it.each([
    ['an hour back', -HOUR],
    ['8 hours ahead', 8 * HOUR],
  ])('is told of by its name after a minute, and its time is shown nowhere: %s', async (_, aheadMs) => {
    const machine: Machine = { aheadMs: 0, stoodMs: 0 };
    await openHost(machine);
    await world.subscribe(await world.wallet(PRICE));
    await work(5);
    machine.aheadMs = aheadMs;
    await work(60);
    expect(alerts()).toEqual([]);
    await work(5);
    expect(alerts()).toEqual(['host_clock']);
    const [told] = world.billing.service.alerts.open();
    // By the seconds of the chain's time.
    expect(Math.abs(Number(told?.facts['ahead_seconds']) + aheadMs / SECOND)).toBeLessThanOrEqual(1);
    expect(world.billing.service.chain.servers().servers).toMatchObject([{ condition: 'ok' }]);
    await work(600);
    expect(Math.abs(aheadOfWorld())).toBeLessThanOrEqual(SECOND);
    machine.aheadMs = 0;
    await work(5);
    expect(alerts()).toEqual([]);
  });
});

// clocks#step-of-the-machines-clock
describe('a host that begins while the clock of its machine is wrong', () => {
  it.each([
    ['a day back', -DAY],
    ['8 hours ahead', 8 * HOUR],
  ])('charges on time, and is right within a second after the machine is: %s', async (_, aheadMs) => {
    const machine: Machine = { aheadMs, stoodMs: 0 };
    const { received, refusals } = await openHost(machine);
    const wallet = await world.wallet(10n * PRICE);
    machine.aheadMs = 0;
    await work(61);
    const id = await world.subscribe(wallet);
    await work(5);
    goOnToBefore(await nextRenewal(id), 5);
    await work(30);
    expect((await attemptsOf(id)).map(({ outcome }) => outcome)).toEqual(['paid', 'paid']);
    expect(received.map(({ type }) => type)).toEqual(['subscription.renewed']);
    expect(refusals).toEqual([]);
    expect(Math.abs(aheadOfWorld())).toBeLessThanOrEqual(SECOND);
    expect(alerts()).toEqual([]);
  });
});

// clocks#chain-asked-after-a-step, access#access-stops-at-its-date
describe('a process without a worker, on a machine that stands', () => {
  it.each([
    [
      'for half an hour between two requests',
      { times: 5, awakeMs: 5 * SECOND, standsMs: 30 * MINUTE, behindMs: SECOND },
    ],
    [
      'for two hours between two requests',
      { times: 3, awakeMs: 20 * SECOND, standsMs: 2 * HOUR, behindMs: SECOND },
    ],
    // The chain tells apart no less than two minutes.
    [
      'for a minute after each second',
      { times: 140, awakeMs: SECOND, standsMs: MINUTE, behindMs: 3 * MINUTE },
    ],
  ])('shows no access past its date: %s', async (_, { times, awakeMs, standsMs, behindMs }) => {
    const machine: Machine = { aheadMs: 0, stoodMs: 0 };
    await openHost(machine);
    const wallet = await world.wallet(PRICE);
    const id = await world.subscribe(wallet);
    const { access } = world.billing.project(world.projectId);
    let answer = await subscription(id);
    for (let time = 0; time < times; time += 1) {
      world.advance(awakeMs);
      await subscription(id);
      world.advance(standsMs);
      machine.stoodMs += standsMs;
      // Over HTTP and as a function, by turns.
      answer =
        time % 2 === 0
          ? await subscription(id)
          : { ...(await access.check({ wallet: wallet.address, plan: 'pro' })) };
      if (answer['access'] === true)
        expect(world.now().getTime() - behindMs).toBeLessThan(Date.parse(String(answer['access_until'])));
      expect(Math.abs(aheadOfWorld())).toBeLessThanOrEqual(behindMs);
    }
    expect(answer['access']).toBe(false);
  });
});

// clocks#dates-of-a-clock-that-was-ahead
describe('a host that began ahead and sent, so that each receiver refused it', () => {
  it.each([10 * MINUTE, 8 * HOUR, 40 * DAY])(
    'delivers within a minute of its clock being right: %d ms ahead',
    async (aheadMs) => {
      const machine: Machine = { aheadMs, stoodMs: 0 };
      const { received, refusals } = await openHost(machine);
      const id = await world.subscribe(await world.wallet(10n * PRICE));
      await work(5);
      goOnToBefore(await nextRenewal(id), 5);
      await work(20);
      expect(refusals).toHaveLength(1);
      machine.aheadMs = 0;
      await work(60);
      expect(received.map(({ type }) => type)).toEqual(['subscription.renewed']);
      await work(120);
      expect(received).toHaveLength(1);
      expect(refusals).toHaveLength(1);
      expect(alerts()).toEqual([]);
    },
  );
});

describe('a host whose clock is set forward by 30 days while no RPC server answers', () => {
  // clocks#step-of-the-machines-clock, events#event-retention
  it('believes it after a minute, and deletes, ends, charges and postpones nothing by it', async () => {
    const machine: Machine = { aheadMs: 0, stoodMs: 0 };
    const { received } = await openHost(machine);
    const id = await world.subscribe(await world.wallet(10n * PRICE));
    await work(5);
    const { events, deliveries } = world.billing.project(world.projectId);
    const kept = async () => {
      const [listed, sent] = [await events.list({ limit: 100 }), await deliveries.list({})];
      return [...listed.data, ...sent.data].map((one) => one.id);
    };
    goOnToBefore(await nextRenewal(id), 5);
    await work(20);
    const before = await kept();
    expect(received).toHaveLength(1);
    world.injectFaults(() => ({
      head: SILENT,
      readCharges: async (targets) => targets.map(() => UNAVAILABLE),
    }));
    machine.aheadMs = 31 * DAY;
    await work(40);
    expect(Math.abs(aheadOfWorld())).toBeLessThanOrEqual(SECOND);
    await work(60);
    expect(aheadOfWorld()).toBe(31 * DAY);
    await work(120);
    machine.aheadMs = 0;
    world.clearFaults();
    await work(3);
    expect(Math.abs(aheadOfWorld())).toBeLessThanOrEqual(SECOND);
    await work(70);
    expect(await kept()).toEqual(before);
    expect((await attemptsOf(id)).map(({ outcome }) => outcome)).toEqual(['paid', 'paid']);
    expect((await nextRenewal(id)).getTime() - world.now().getTime()).toBeLessThan(HOUR);
    goOnToBefore(await nextRenewal(id), 5);
    await work(65);
    expect(received.map(({ type }) => type)).toEqual(['subscription.renewed', 'subscription.renewed']);
    expect(alerts()).toEqual([]);
  });
});
