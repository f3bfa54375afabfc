import type { AlertNotification } from '@subrail/core/ports';
import {
  MINUTE,
  actionsOf,
  DAY,
  openTestWorld,
  PRICE,
  type ChainFault,
  type TestWorld,
} from '@subrail/test-world';
import type { KeyPairSigner } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';

let world: TestWorld;
let wallet: KeyPairSigner;
let subscription: string;
let told: string[];

beforeEach(async () => {
  told = [];
  const alertNotifier = {
    async notify({ change, key }: AlertNotification) {
      told.push(`${key} ${change}`);
    },
  };
  world = await openTestWorld({ ports: { alertNotifier } });
  wallet = await world.wallet(10n * PRICE);
  subscription = await world.subscribe(wallet);
  await watch();
});

async function watch(): Promise<void> {
  await world.billing.worker.watch();
  // The notifications are told after the pass.
  await new Promise((resolve) => setImmediate(resolve));
}

async function health(): Promise<Record<string, unknown>> {
  const response = await world.billing.handler(new Request('http://localhost/health'));
  return (await response.json()) as Record<string, unknown>;
}

const alertsIn = (body: Record<string, unknown>) =>
  (body['alerts'] as { readonly kind: string }[]).map(({ kind }) => kind);

async function openAlerts(): Promise<readonly string[]> {
  return (await world.billing.metrics()).alerts.map(({ key }) => key);
}

async function attempts(): Promise<readonly (string | null)[]> {
  const { body } = await world.call('GET', `/subscriptions/${subscription}/attempts`);
  const { data } = body as unknown as { readonly data: { outcome: string; reason: string | null }[] };
  return [...data].reverse().map(({ outcome, reason }) => (outcome === 'paid' ? outcome : reason));
}

/** Lets a payment fail for want of tokens, which the wallet has again then, and reads the subscription. */
async function lateSubscription(): Promise<Record<string, unknown>> {
  await world.take(wallet, 9n * PRICE);
  world.advance(30 * DAY);
  await pass(1);
  await world.give(wallet, 9n * PRICE);
  return (await world.call('GET', `/subscriptions/${subscription}`)).body;
}

const holdCharger = (lamports: bigint) => world.localnet.setAccount(world.charger.address, { lamports });

/** Moves time on, minute by minute, as the host does: the watch looks on, and what is due is charged. */
async function pass(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    world.advance(MINUTE);
    await watch();
    await world.work();
    await watch();
  }
}

const unreachable: ChainFault = () => {
  const unavailable = { ok: false, unavailable: { kind: 'transport' } } as const;
  const silent = async () => unavailable;
  return {
    ...{ head: silent, readPlan: silent, readCharger: silent, signCharges: silent },
    readCharges: async (targets) => targets.map(() => unavailable),
    resolve: async (queries) => queries.map(() => ({ kind: 'unknown' as const })),
  };
};

it('tells of nothing while everything works', async () => {
  world.advance(30 * DAY);
  await pass(15);
  expect(await attempts()).toEqual(['paid', 'paid']);
  expect([told, alertsIn(await health()), await openAlerts()]).toEqual([[], [], []]);
  expect((await health())['charger']).toBe('ok');
});

// alerts#charger
describe('a charger that runs out of SOL', () => {
  it('is told of when it gets low, and when it is empty before a charge is due, once each', async () => {
    holdCharger(890_880n + 5_000n * 999n);
    await pass(12);
    expect(told).toEqual(['charger_low began']);
    expect((await health())['charger']).toBe('low');
    holdCharger(890_880n + 4_999n);
    await pass(12);
    expect(told).toEqual(['charger_low began', 'charger_empty began']);
    expect(await attempts()).toEqual(['paid']);
    const body = await health();
    expect([body['charger'], body['status'], alertsIn(body)]).toEqual([
      'empty',
      'ok',
      ['charger_low', 'charger_empty'],
    ]);
    const { charger } = await world.billing.metrics();
    expect(charger).toMatchObject({ balance: 895_879n, chargeFee: 5_000n, charges: 0n });

    holdCharger(10_000_000_000n);
    await pass(6);
    expect(told.slice(2).sort()).toEqual(['charger_empty ended', 'charger_low ended']);
    expect((await health())['charger']).toBe('ok');
  });

  // blocks#charger-that-was-refilled
  it('charges within a minute of a refill what its SOL did not pay for', async () => {
    world.advance(30 * DAY);
    holdCharger(890_880n + 4_999n);
    await pass(3);
    expect(await attempts()).toEqual(['paid', expect.stringMatching(/^solana_/)]);
    holdCharger(10_000_000_000n);
    await pass(1);
    await world.work();
    expect(await attempts()).toEqual(['paid', expect.stringMatching(/^solana_/), 'paid']);
  });

  it('brings forward no retry of the plan after one by hand', async () => {
    const { next_retry_at: planned } = await lateSubscription();
    holdCharger(890_880n + 4_999n);
    await world.call('POST', `/subscriptions/${subscription}/retry`);
    await pass(2);
    holdCharger(10_000_000_000n);
    await pass(3);
    expect(await attempts()).toEqual(['paid', 'insufficient_balance', expect.stringMatching(/^solana_/)]);
    expect((await world.call('GET', `/subscriptions/${subscription}`)).body).toMatchObject({
      payment_status: 'late',
      next_retry_at: planned,
    });
  });

  it('leaves alone what was cancelled meanwhile', async () => {
    world.advance(30 * DAY);
    holdCharger(890_880n + 4_999n);
    await pass(2);
    await actionsOf(world, wallet, subscription).act('cancel');
    holdCharger(10_000_000_000n);
    await pass(3);
    expect(await attempts()).toEqual(['paid', expect.stringMatching(/^solana_/)]);
    const { body } = await world.call('GET', `/subscriptions/${subscription}`);
    expect(body).toMatchObject({ status: 'cancelled', blocked_reason: null });
  });

  it('blocks charges with the code of the chain, which is told of once, and ends half an hour after the last', async () => {
    world.advance(30 * DAY);
    holdCharger(890_880n + 4_999n);
    await watch();
    await pass(25);
    const [first, reason, ...more] = await attempts();
    expect([first, more.length]).toEqual(['paid', 2]);
    expect(reason).toMatch(/^solana_\d+$/);
    expect([...told].sort()).toEqual([`charges_blocked:${reason} began`, 'charger_empty began'].sort());

    holdCharger(10_000_000_000n);
    await pass(12);
    expect((await attempts()).at(-1)).toBe('paid');
    expect(told.slice(2)).toEqual(['charger_empty ended']);
    await pass(30);
    expect(told.slice(3)).toEqual([`charges_blocked:${reason} ended`]);
    const { attempts: counted } = await world.billing.metrics();
    expect(counted).toContainEqual({ outcome: 'blocked', reason, count: 3 });
    expect(counted).toContainEqual({ outcome: 'paid', reason: null, count: 2 });
  });
});

// alerts#rpc-servers
it('tells once that no RPC server answers, and once that one does again', async () => {
  world.injectFaults(unreachable);
  await pass(8);
  expect(told).toEqual(['chain_unavailable began']);
  expect(alertsIn(await health())).toEqual(['chain_unavailable']);
  world.clearFaults();
  await pass(2);
  expect(told).toEqual(['chain_unavailable began', 'chain_unavailable ended']);
  expect(alertsIn(await health())).toEqual([]);
  const { chainCalls } = await world.billing.metrics();
  expect(chainCalls.find(({ method }) => method === 'readCharger')?.failures).toBeGreaterThan(1);
});

// alerts#plans
it('tells once that a plan no longer lists the charger, and once that it does again', async () => {
  const outside = await world.outside(wallet);
  await outside.removeCharger();
  world.advance(30 * DAY);
  await pass(25);
  const { id } = await world.plan('pro');
  expect((await attempts()).slice(1)).toEqual([
    'puller_not_allowed',
    'puller_not_allowed',
    'puller_not_allowed',
  ]);
  expect(told).toEqual([`plan_without_charger:${id} began`]);
  await outside.addCharger();
  await pass(12);
  expect(told).toEqual([`plan_without_charger:${id} began`, `plan_without_charger:${id} ended`]);
  expect((await attempts()).at(-1)).toBe('paid');
});

// alerts#signer
it('tells once that the signer fails, and once that it signs again', async () => {
  world.injectFaults(() => ({ signCharges: () => Promise.reject(new Error('the signer is gone')) }));
  world.advance(30 * DAY);
  await pass(15);
  expect(told).toEqual(['signer_failing began']);
  world.clearFaults();
  await pass(12);
  expect(told).toEqual(['signer_failing began', 'signer_failing ended']);
  expect((await attempts()).at(-1)).toBe('paid');
  world.forgiveErrors('The signer failed');
});

// attempts#repeated-losses
it('tells once that transactions are lost, and that they no longer are half an hour after the last', async () => {
  world.injectFaults(() => ({
    send: (wires) => Promise.resolve(wires.map(() => ({ kind: 'sent' as const }))),
  }));
  world.advance(30 * DAY);
  // One pass at a time: the service sends again as time moves on, and again after each block.
  for (let halfMinute = 0; halfMinute < 60; halfMinute += 1) {
    world.advance(MINUTE / 2);
    await world.billing.worker.charge();
    await watch();
  }
  expect(new Set(told)).toEqual(
    new Set(['transactions_lost:share began', 'transactions_lost:in_a_row began']),
  );
  expect(told).toHaveLength(2);
  expect((await world.billing.metrics()).transfers.lost).toBeGreaterThan(2);
  world.clearFaults();
  await pass(42);
  expect([...told.slice(2)].sort()).toEqual([
    'transactions_lost:in_a_row ended',
    'transactions_lost:share ended',
  ]);
});

// alerts#notifications
it('charges on time while the notifications of alerts hang', async () => {
  world = await openTestWorld({ ports: { alertNotifier: { notify: () => new Promise(() => undefined) } } });
  wallet = await world.wallet(10n * PRICE);
  subscription = await world.subscribe(wallet);
  holdCharger(890_880n + 5_000n * 50n);
  world.advance(30 * DAY);
  await watch();
  await world.work();
  expect(await attempts()).toEqual(['paid', 'paid']);
  expect(await openAlerts()).toEqual(['charger_low']);
});
