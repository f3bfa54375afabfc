// Heavy: each reason of an attempt has a subscription of its own, which is played until it shows.

import { describe, expect, it } from 'vitest';
import type { OutsideActions } from '@subrail/test-world';
import { DAY, HOUR, MINUTE, PERIOD, PRICE, SECOND, type ScenarioOptions } from './scenario.js';
import { openSuite } from './suite.js';

const suite = openSuite('per test');

async function subscribed(options: ScenarioOptions = {}) {
  const scenario = await suite.scenario(options);
  const wallet = await scenario.wallet();
  const id = await scenario.subscribe(wallet);
  return { scenario, wallet, id, outside: await scenario.outside(wallet) };
}

type Subscribed = Awaited<ReturnType<typeof subscribed>>;

/** A subscription for each of these options, in one service. */
async function subscribedEach(all: readonly ScenarioOptions[]): Promise<readonly Subscribed[]> {
  const worlds: Subscribed[] = [];
  for (const options of all) worlds.push(await subscribed(options));
  return worlds;
}

type Act = (world: Subscribed) => Promise<unknown>;

describe('a rejected attempt', () => {
  const SHORT = ({ scenario, wallet }: Subscribed) => scenario.setHolding(wallet, PRICE - 1n);
  const REJECTIONS: readonly (readonly [reason: string, lateReason: string | null, act: Act])[] = [
    ['insufficient_balance', 'insufficient_balance', SHORT],
    ['insufficient_balance', 'insufficient_balance', ({ outside }) => outside.closeTokenAccount()],
    ['token_account_reassigned', null, ({ outside }) => outside.reassignTokenAccount()],
    ['token_account_frozen', null, ({ outside }) => outside.freeze('wallet')],
    ['program_4', 'approval_revoked', ({ outside }) => outside.revokeApproval()],
    ['program_1', null, ({ outside }) => outside.approveLittle()],
  ];

  // attempts#late-reason, attempts#one-read-before-a-charge, invariants#only-rejections-spend-retries
  it('makes it unpaid with its late_reason, and spends one retry', async () => {
    const worlds = await subscribedEach(REJECTIONS.map(() => ({})));
    for (const [index, [, , act]] of REJECTIONS.entries()) await act(worlds[index] as Subscribed);
    await suite.control.pass(PERIOD);
    const inOrder = worlds.map((world, index) => [world, ...(REJECTIONS[index] ?? [])] as const);
    for (const [{ scenario, id }, reason, lateReason] of inOrder) {
      expect(await scenario.outcomes(id)).toEqual([`rejected ${String(reason)}`]);
      expect(await scenario.read(id), String(reason)).toMatchObject({
        status: 'unpaid',
        payment_status: 'late',
        access: true,
        late_reason: lateReason,
        next_retry_number: 1,
        retries_allowed: 3,
      });
      expect((await scenario.attempts(id)).at(-1)).toMatchObject({
        amount: PRICE.toString(),
        amount_received: null,
        signature: null,
      });
    }
    await suite.control.pass(DAY);
    for (const [{ scenario, id }, reason] of inOrder)
      expect((await scenario.attempts(id)).at(-1)).toMatchObject({
        reason,
        retry: true,
        retry_number: 1,
        retries_allowed: 3,
      });
  });

  const CLOSURES: readonly (readonly [reason: string, act: Act])[] = [
    ['program_103', ({ outside }) => outside.closeAuthority()],
    [
      'program_136',
      async ({ outside }) => {
        await outside.closeAuthority();
        await outside.reopenAuthority();
      },
    ],
    [
      'authority_closed',
      async ({ outside, scenario, wallet }) => {
        await outside.closeAuthority();
        await scenario.setHolding(wallet, 0n);
      },
    ],
  ];

  // attempts#closed-authority-stops
  it('stops it at once with stop_reason authority_closed, whatever retries are left, when its authority is closed', async () => {
    const worlds = await subscribedEach(CLOSURES.map(() => ({})));
    for (const [index, [, act]] of CLOSURES.entries()) await act(worlds[index] as Subscribed);
    await suite.control.pass(PERIOD);
    for (const [index, { scenario, id }] of worlds.entries()) {
      expect(await scenario.outcomes(id)).toEqual([`rejected ${String(CLOSURES[index]?.[0])}`]);
      expect(await scenario.read(id)).toMatchObject({
        status: 'stopped',
        stop_reason: 'authority_closed',
        late_reason: 'authority_closed',
        access: false,
        closable: true,
      });
      expect((await scenario.eventTypes(id)).slice(2)).toEqual([
        'renewal_upcoming',
        'payment_failed',
        'stopped',
        'access_revoked',
      ]);
    }
  });

  // attempts#authority-error-needs-a-read, blocks#blocked-reason-from-an-attempt
  it('program_136 that no read confirms is blocked and retried, without spending a retry', async () => {
    const { scenario, id } = await subscribed();
    suite.control.refuseNextSend(136);
    await suite.control.pass(PERIOD);
    expect(await scenario.outcomes(id)).toEqual(['blocked program_136']);
    expect(await scenario.read(id)).toMatchObject({
      status: 'active',
      access: true,
      late_reason: null,
      blocked_reason: 'mesub',
    });
    await suite.control.pass(10 * MINUTE);
    expect(await scenario.outcomes(id)).toEqual(['blocked program_136', 'paid null']);
  });

  it('program_508 is rejected', async () => {
    const { scenario, id } = await subscribed();
    suite.control.refuseNextSend(508);
    await suite.control.pass(PERIOD);
    expect(await scenario.outcomes(id)).toEqual(['rejected program_508']);
    expect(await scenario.read(id)).toMatchObject({ status: 'unpaid', late_reason: null });
  });
});

/**
 * Lets time pass while a charge is blocked, with the worker in its last hour only: each try finds the same
 * block, and there is one every ten minutes.
 */
async function passBlocked(ms: number): Promise<void> {
  await suite.during('worker_stopped', () => suite.control.pass(ms - HOUR));
  await suite.control.pass(HOUR);
}

/** Each reason that blocks a charge, with the act that causes it. */
const BLOCKS: readonly (readonly [string, ScenarioOptions, Act])[] = [
  ['puller_not_allowed', {}, ({ outside }) => outside.removeCharger()],
  ['receiver_not_allowed', { ownerOnly: true }, ({ outside }) => outside.reassignReceiver()],
  ['receiver_account_missing', {}, ({ outside }) => outside.remove('receiver')],
  ['receiver_account_frozen', {}, ({ outside }) => outside.freeze('owner')],
  ['receiver_account_needs_memo', { extended: true }, ({ scenario }) => scenario.extend({ memo: true })],
  [
    'receiver_account_confidential_only',
    { extended: true },
    ({ scenario }) => scenario.extend({ confidentialOnly: true }),
  ],
  ['mint_gone', {}, ({ outside }) => outside.remove('mint')],
  ['mint_paused', { extended: true }, ({ scenario }) => scenario.extend({ paused: true })],
  ['mint_transfer_hook', { extended: true }, ({ scenario }) => scenario.extend({ hook: true })],
];

const REASONS_OF_THE_ISSUER = ['mint_paused', 'mint_transfer_hook'];

describe('a blocked attempt', () => {
  // blocks#status-while-blocked, blocks#causes-of-a-block, invariants#only-rejections-spend-retries
  it('keeps status and payment_status, ends access at its date, and spends no retry', async () => {
    const worlds = await subscribedEach(BLOCKS.map(([, options]) => options));
    const blocked = [];
    for (const [index, [reason, , act]] of BLOCKS.entries()) {
      const world = worlds[index] as Subscribed;
      const { current_period_end } = await world.scenario.read(world.id);
      // access#access-by-state: the plan's own setup, or the issuer's.
      const lasts = REASONS_OF_THE_ISSUER.includes(reason) ? PERIOD : 3 * DAY;
      await act(world);
      blocked.push({ ...world, reason, lasts, until: Date.parse(String(current_period_end)) + lasts });
    }
    await suite.control.pass(PERIOD);
    for (const { scenario, id, reason, until } of blocked) {
      expect(await scenario.outcomes(id)).toEqual([`blocked ${reason}`]);
      expect(await scenario.read(id), reason).toMatchObject({
        status: 'active',
        payment_status: 'paid',
        access: true,
        blocked_reason: reason,
        retries_allowed: null,
        access_until: new Date(until).toISOString(),
      });
    }
    for (const length of [3 * DAY, PERIOD]) {
      const over = blocked.filter(({ lasts }) => lasts === length);
      await passBlocked(Math.max(...over.map(({ until }) => until)) - suite.control.now().getTime());
      for (const { scenario, id, reason, until } of over) {
        expect(await scenario.read(id), reason).toMatchObject({
          status: 'active',
          payment_status: 'paid',
          access: false,
          blocked_reason: reason,
        });
        expect((await scenario.events(id)).at(-1)).toMatchObject({
          type: 'subscription.access_revoked',
          created_at: new Date(until).toISOString(),
          detail: { blocked_reason: reason, access_until: new Date(until).toISOString() },
        });
      }
    }
  });

  // blocks#what-ends-a-block, blocks#status-while-blocked
  it('access returns with the first charge that pays, without a signature of the customer', async () => {
    const { scenario, id, outside } = await subscribed();
    await outside.freeze('owner');
    await suite.control.pass(PERIOD);
    await passBlocked(4 * DAY);
    expect(await scenario.read(id)).toMatchObject({
      access: false,
      blocked_reason: 'receiver_account_frozen',
    });
    await outside.thaw('owner');
    await suite.control.pass(PERIOD / 4);
    expect(await scenario.read(id)).toMatchObject({
      status: 'active',
      access: true,
      blocked_since: null,
      blocked_reason: null,
    });
    expect((await scenario.eventTypes(id)).slice(2)).toEqual([
      ...['renewal_upcoming', 'access_revoked'],
      ...['renewed', 'access_granted', 'renewal_upcoming'],
    ]);
  });

  // blocks#wait-between-blocked-tries
  it('is made again every ten minutes', async () => {
    const { scenario, id, outside } = await subscribed();
    await outside.freeze('owner');
    await suite.control.pass(PERIOD + HOUR);
    const dates = (await scenario.attempts(id))
      .slice(1)
      .map((attempt) => new Date(String(attempt['attempted_at'])).getTime());
    expect(dates.length).toBeGreaterThan(5);
    for (const [index, date] of dates.slice(1).entries())
      expect(date - (dates[index] ?? 0)).toBe(10 * MINUTE);
  });

  // blocks#program-refusal-explained-by-a-read
  it.each<[string, string, (outside: OutsideActions) => Promise<void>]>([
    ['program_130', 'puller_not_allowed', (outside) => outside.removeCharger()],
    ['program_17', 'receiver_account_frozen', (outside) => outside.freeze('owner')],
    ['program_110', 'receiver_account_missing', (outside) => outside.remove('receiver')],
    ['program_109', 'mint_gone', (outside) => outside.remove('mint')],
  ])('%s while a charge was on its way is explained by a read as %s', async (reason, blocked, act) => {
    const { scenario, id, outside } = await subscribed();
    suite.control.before('send', () => act(outside));
    await suite.control.pass(PERIOD);
    expect(await scenario.outcomes(id)).toEqual([`blocked ${reason}`]);
    expect(await scenario.read(id)).toMatchObject({ status: 'active', blocked_reason: blocked });
  });

  // blocks#blocked-reason-from-an-attempt
  it('program_501, 506, 516, 519 and 400 are blocked as mesub when no read explains them', async () => {
    const { scenario, id } = await subscribed();
    for (const code of [501, 506, 516, 519, 400]) {
      const { next_charge_at } = await scenario.read(id);
      suite.control.refuseNextSend(code);
      await suite.control.pass(Date.parse(String(next_charge_at)) - suite.control.now().getTime());
      expect((await scenario.outcomes(id)).at(-1)).toBe(`blocked program_${code}`);
      expect(await scenario.read(id)).toMatchObject({ status: 'active', blocked_reason: 'mesub' });
      await suite.control.pass(10 * MINUTE);
      expect((await scenario.outcomes(id)).at(-1)).toBe('paid null');
    }
  });

  it.each([
    ['transport', 'chain_unreachable'],
    ['solana_-32005', 'chain_error'],
  ] as const)('%s when the chain does not answer, or answers with an error', async (reason, fault) => {
    const { scenario, id } = await subscribed();
    await suite.control.pass(PERIOD - HOUR);
    await suite.during(fault, () => suite.control.pass(HOUR));
    expect(await scenario.outcomes(id)).toEqual([`blocked ${reason}`]);
    expect((await scenario.attempts(id)).at(-1)).toMatchObject({ period_start: null });
    expect(await scenario.read(id)).toMatchObject({
      status: 'active',
      access: true,
      blocked_reason: 'mesub',
    });
    await suite.control.pass(10 * MINUTE);
    expect((await scenario.outcomes(id)).at(-1)).toBe('paid null');
  });

  // blocks#access-under-other-blocks
  it('a block by mesub ends access one period after the paid end', async () => {
    const { scenario, id } = await subscribed();
    const { current_period_end } = await scenario.read(id);
    const until = new Date(new Date(String(current_period_end)).getTime() + PERIOD);
    await suite.control.pass(PERIOD - HOUR);
    await suite.during('chain_unreachable', async () => {
      await suite.control.pass(HOUR);
      expect(await scenario.read(id)).toMatchObject({ access: true, access_until: until.toISOString() });
      await passBlocked(PERIOD);
    });
    expect(await scenario.events(id)).toContainEqual(
      expect.objectContaining({ type: 'subscription.access_revoked', created_at: until.toISOString() }),
    );
  });

  // attempts#long-wait-recorded-once, attempts#lost-transaction
  it('send_unconfirmed while a transfer may still land; when it never lands the period is charged again', async () => {
    const { scenario, wallet, id } = await subscribed();
    await suite.during('blocks_stopped', () => suite.control.pass(PERIOD + 3 * MINUTE));
    expect(await scenario.outcomes(id)).toEqual(['blocked send_unconfirmed']);
    expect(await scenario.read(id)).toMatchObject({ access: true, blocked_reason: 'mesub' });
    await suite.control.pass(5 * MINUTE);
    expect(await scenario.outcomes(id)).toEqual(['blocked send_unconfirmed', 'paid null']);
    expect(await scenario.holding(wallet)).toBe(8n * PRICE);
  });

  // attempts#long-wait-recorded-once
  it('landing_unknown while the outcome of a transfer is unknown; a paid attempt follows when it landed', async () => {
    const { scenario, wallet, id } = await subscribed();
    await suite.during('outcomes_unknown', () => suite.control.pass(PERIOD + 3 * MINUTE));
    expect(await scenario.outcomes(id)).toEqual(['blocked landing_unknown']);
    expect((await scenario.attempts(id)).at(-1)).toMatchObject({
      amount: PRICE.toString(),
      period_start: null,
    });
    expect(await scenario.read(id)).toMatchObject({ access: true, blocked_reason: 'mesub' });
    await suite.control.pass(MINUTE);
    expect(await scenario.outcomes(id)).toEqual(['blocked landing_unknown', 'paid null']);
    expect(await scenario.holding(wallet)).toBe(8n * PRICE);
  });
});

describe('a skipped attempt', () => {
  const ENDING = { endsAfter: PERIOD + 2 * DAY };

  /** Acts a minute before the boundary, so that the charge is the first read of it, not a notice or check. */
  const justBeforeTheBoundary =
    (act: Act): Act =>
    (world) =>
      suite.during('worker_stopped', async () => {
        await suite.control.pass(PERIOD - MINUTE);
        await act(world);
        await suite.control.pass(2 * MINUTE);
      });

  // attempts#attempt-period-start
  it.each<[string, ScenarioOptions, Act]>([
    ['cancelled', {}, justBeforeTheBoundary(({ outside }) => outside.cancel())],
    ['plan_ended', ENDING, () => suite.control.pass(ENDING.endsAfter)],
    [
      'plan_removed',
      ENDING,
      ({ outside }) =>
        suite.during('worker_stopped', async () => {
          await suite.control.pass(ENDING.endsAfter + SECOND);
          await outside.deletePlan();
        }),
    ],
    [
      'plan_replaced',
      ENDING,
      ({ outside }) =>
        suite.during('worker_stopped', async () => {
          await suite.control.pass(ENDING.endsAfter + SECOND);
          await outside.deletePlan();
          await outside.recreatePlan();
        }),
    ],
    ['closed_elsewhere', {}, justBeforeTheBoundary(({ outside }) => outside.remove('subscription'))],
  ])('%s: ended with that end_reason', async (reason, options, act) => {
    const world = await subscribed(options);
    const { scenario, id } = world;
    await act(world);
    await suite.control.pass(PERIOD + 5 * MINUTE);
    const outcomes = await scenario.outcomes(id);
    expect(outcomes.at(-1)).toBe(`skipped ${reason}`);
    // attempts#first-finding-decides: what reads as gone is read again before it counts.
    if (reason === 'plan_removed' || reason === 'closed_elsewhere')
      expect(outcomes.at(-2)).toBe('blocked gone_unconfirmed');
    expect((await scenario.attempts(id)).at(-1)).toMatchObject({
      period_start: null,
      amount: PRICE.toString(),
    });
    expect(await scenario.read(id)).toMatchObject({
      status: 'ended',
      end_reason: reason,
      access: false,
      payment_status: 'none',
    });
    expect((await scenario.eventTypes(id)).slice(-2)).toEqual(['access_revoked', 'ended']);
  });

  // attempts#period-already-paid
  it('period_already_paid has the amount 0 and is no failure', async () => {
    const { scenario, id, outside } = await subscribed();
    await suite.during('worker_stopped', async () => {
      await suite.control.pass(PERIOD);
      await outside.pullAsOwner();
    });
    await suite.control.pass(SECOND);
    expect((await scenario.attempts(id)).at(-1)).toMatchObject({
      outcome: 'skipped',
      reason: 'period_already_paid',
      amount: '0',
    });
    expect(await scenario.read(id)).toMatchObject({ status: 'active', access: true, payment_status: 'paid' });
    const { body } = await scenario.api.get(`/subscriptions/${id}/attempts`);
    expect(body['paid']).toEqual({ count: 1, amount: PRICE.toString() });
  });

  it('period_missed records a whole missed period, which is never collected, and the current one is charged', async () => {
    const { scenario, wallet, id } = await subscribed();
    await suite.during('worker_stopped', () => suite.control.pass(3 * PERIOD + HOUR));
    await suite.control.pass(MINUTE);
    expect(await scenario.outcomes(id)).toEqual(['skipped period_missed', 'paid null']);
    expect(await scenario.holding(wallet)).toBe(8n * PRICE);
    expect((await scenario.eventTypes(id)).slice(-3)).toEqual([
      'access_revoked',
      'renewed',
      'access_granted',
    ]);
  });
});

describe('a paid attempt', () => {
  // attempts#attempt-amount, attempts#one-attempt-per-try
  it('has what moved, what arrived, its signature and its period', async () => {
    const { scenario, id } = await subscribed();
    await suite.control.pass(PERIOD);
    const { current_period_start } = await scenario.read(id);
    const [attempt] = [...(await scenario.attempts(id))].reverse();
    expect(attempt).toMatchObject({
      outcome: 'paid',
      reason: null,
      amount: PRICE.toString(),
      amount_received: PRICE.toString(),
      amount_usd: null,
      retry: false,
      retry_number: null,
      retries_allowed: null,
      period_start: current_period_start,
    });
    expect(attempt?.['signature']).toMatch(/^[1-9A-HJ-NP-Za-km-z]{86,88}$/);
    const { body } = await scenario.api.get(`/subscriptions/${id}/attempts`);
    expect(body['paid']).toEqual({ count: 2, amount: (2n * PRICE).toString() });
  });

  // attempts#amount-in-us-dollars
  it('amount_usd is the price at the charge and never rewritten', async () => {
    const scenario = await suite.scenario();
    suite.control.setPrice(scenario.token.mint, '1.5');
    const id = await scenario.subscribe(await scenario.wallet());
    suite.control.setPrice(scenario.token.mint, '2');
    await suite.control.pass(PERIOD);
    expect((await scenario.attempts(id)).map(({ amount_usd }) => amount_usd)).toEqual(['7.50', '10.00']);
  });
});
