// Heavy: each refusal has a service and a chain of its own.

import { describe, expect, it } from 'vitest';

import {
  MINUTE,
  MONTH,
  actionsOf,
  changeOutcomes,
  openSubscriber,
  outcomesUnknown,
  PRICE,
  type Subscriber,
  type TestWorldOptions,
} from '@subrail/test-world';

let opened: Subscriber;

const read = async () => (await opened.world.call('GET', `/subscriptions/${opened.id}`)).body;

async function attempts(): Promise<readonly Record<string, unknown>[]> {
  const { body } = await opened.world.call('GET', `/subscriptions/${opened.id}/attempts`);
  return [...(body['data'] as Record<string, unknown>[])].reverse();
}

/** Every attempt after the first payment, as `outcome reason`. */
const outcomes = async () =>
  (await attempts()).slice(1).map(({ outcome, reason }) => `${String(outcome)} ${String(reason)}`);

/**
 * Somebody acts once, after the chain was read for the next charge and before that is sent.
 * @param code of the program's refusal, where the act takes so long that the blockhash would expire
 */
function onTheWay(act: () => Promise<unknown>, code: number | null = null): void {
  let isDone = false;
  opened.world.injectFaults((chain) => ({
    async send(wires) {
      if (isDone) return chain.send(wires);
      isDone = true;
      await act();
      if (code === null) return chain.send(wires);
      return wires.map(() => ({ kind: 'refused', refusal: { kind: 'program', code } }));
    },
  }));
}

async function pass(ms: number): Promise<void> {
  opened.world.advance(ms);
  await opened.world.work();
}

// attempts#refused-charge-keeps-its-code
describe('a charge that the chain refuses keeps its code, and the read that explains it decides', () => {
  /** The last charge is due just before the last two minutes of the plan. */
  const ENDING: TestWorldOptions = { endsAfter: 2 * MONTH + 3 * MINUTE };
  const afterTheEnd = async (act: () => Promise<unknown>) => {
    opened.world.advance(4 * MINUTE);
    await act();
  };

  it.each<[number, string, TestWorldOptions, () => Promise<unknown>, readonly string[], object]>([
    [
      501,
      'when the plan ended',
      ENDING,
      () => afterTheEnd(async () => undefined),
      ['blocked program_501', 'skipped plan_ended'],
      { status: 'ended', end_reason: 'plan_ended' },
    ],
    [
      516,
      'when the plan was deleted',
      ENDING,
      () => afterTheEnd(() => opened.outside.deletePlan()),
      ['blocked program_516', 'skipped plan_removed'],
      { status: 'ended', end_reason: 'plan_removed' },
    ],
    [
      519,
      'when another plan has its place',
      ENDING,
      () =>
        afterTheEnd(async () => {
          await opened.outside.deletePlan();
          await opened.outside.recreatePlan();
        }),
      ['blocked program_519', 'skipped plan_replaced'],
      { status: 'ended', end_reason: 'plan_replaced' },
    ],
    [
      400,
      'when somebody else pulled the period',
      {},
      () => opened.outside.pullAsOwner(),
      ['blocked program_400', 'skipped period_already_paid'],
      { status: 'active', payment_status: 'paid', blocked_since: null },
    ],
    [
      17,
      'when the wallet was frozen',
      {},
      () => opened.outside.freeze('wallet'),
      ['blocked program_17', 'rejected token_account_frozen'],
      { status: 'unpaid', next_retry_number: 1, blocked_since: null },
    ],
    [
      4,
      'when its approval was revoked',
      {},
      () => opened.outside.revokeApproval(),
      ['rejected program_4'],
      { status: 'unpaid', late_reason: 'approval_revoked' },
    ],
    [
      103,
      'when the authority was closed, which ends all retries',
      {},
      () => opened.outside.closeAuthority(),
      ['rejected program_103'],
      { status: 'stopped', stop_reason: 'authority_closed' },
    ],
    [
      130,
      'when the charger was taken off the plan',
      {},
      () => opened.outside.removeCharger(),
      ['blocked program_130'],
      { status: 'active', blocked_reason: 'puller_not_allowed' },
    ],
  ])('%i, %s', async (code, _, options, act, expected, state) => {
    opened = await openSubscriber('paid', options);
    if (options.endsAfter !== undefined) await pass(MONTH);
    onTheWay(act, options.endsAfter === undefined ? null : code);
    await pass(MONTH);
    await pass(2 * MINUTE);
    const seen = await outcomes();
    expect(options.endsAfter === undefined ? seen : seen.slice(1)).toEqual(expected);
    expect(await read()).toMatchObject(state);
  });

  it('a built-in error too, when the account is gone: it is read twice, and shows no other attempt', async () => {
    opened = await openSubscriber('paid');
    onTheWay(() => opened.outside.remove('subscription'));
    await pass(MONTH);
    const [refused] = await outcomes();
    expect(refused).toMatch(/^blocked solana_\d+$/);
    expect(await read()).toMatchObject({ status: 'active', blocked_reason: 'mesub' });
    await pass(2 * MINUTE);
    expect(await outcomes()).toEqual([refused, 'skipped closed_elsewhere']);
  });

  // retries#manual-retry-keeps-the-schedule
  it("and spends none of the plan's retries when it was made by hand", async () => {
    opened = await openSubscriber('paid');
    const { world, wallet, id, outside } = opened;
    const all = await world.holding(wallet);
    await world.take(wallet, all);
    await pass(MONTH);
    const { next_retry_at } = await read();
    await world.give(wallet, all);
    await world.call('POST', `/subscriptions/${id}/retry`);
    onTheWay(() => outside.freeze('wallet'));
    await pass(MINUTE);
    const byHand = { retry: true, retry_number: null, retries_allowed: null };
    expect((await attempts()).slice(2)).toMatchObject([
      { outcome: 'blocked', reason: 'program_17', ...byHand },
      { outcome: 'rejected', reason: 'token_account_frozen', ...byHand },
    ]);
    expect(await read()).toMatchObject({ next_retry_at, next_retry_number: 1 });
  });

  it('also when a confirmation is the first to learn of it', async () => {
    opened = await openSubscriber('paid');
    const { world, wallet, id, outside } = opened;
    const { signed, confirm } = actionsOf(world, wallet, id);
    const { signature } = await signed('cancel');
    world.injectFaults(outcomesUnknown);
    world.advance(MONTH);
    await world.billing.worker.charge();
    await outside.cancel();
    world.injectFaults(
      changeOutcomes((outcome, query) =>
        query.signature === signature
          ? outcome
          : { kind: 'failed', slot: 1n, refusal: { kind: 'program', code: 501 } },
      ),
    );
    expect(await confirm('cancel', signature)).toMatchObject({
      body: { subscription: { status: 'cancelled' } },
    });
    expect(await outcomes()).toEqual(['blocked program_501']);
  });
});

// attempts#refused-charge-keeps-its-code, attempts#authority-error-needs-a-read,
// attempts#closed-authority-stops
describe('a charge that the chain refuses, after which a read finds the authority closed', () => {
  const close = () => opened.outside.closeAuthority();

  it.each<[number, string, () => Promise<unknown>, readonly string[]]>([
    [17, 'which is not about the authority', close, ['blocked program_17', 'rejected program_103']],
    [130, 'which is not about the authority', close, ['blocked program_130', 'rejected program_103']],
    [400, 'which is not about the authority', close, ['blocked program_400', 'rejected program_103']],
    [
      501,
      'by a wallet that is short as well',
      async () => {
        await opened.world.take(opened.wallet, await opened.world.holding(opened.wallet));
        await close();
      },
      ['blocked program_501', 'rejected authority_closed'],
    ],
    [136, 'which the read confirms', close, ['rejected program_136']],
  ])('%i, %s', async (code, _, act, expected) => {
    opened = await openSubscriber('paid');
    onTheWay(act, code);
    await pass(MONTH);
    await pass(2 * MINUTE);
    expect(await outcomes()).toEqual(expected);
    expect(await read()).toMatchObject({
      status: 'stopped',
      stop_reason: 'authority_closed',
      late_reason: 'authority_closed',
    });
  });
});

// attempts#late-reason, management#subscription-explained
it('an approval that is used up to its last unit is late as one that was taken back, and it is told so', async () => {
  opened = await openSubscriber('paid');
  const { world, id, outside } = opened;
  const { subscriptions } = world.billing.project(world.projectId);
  await outside.approveLittle(PRICE);
  await pass(MONTH);
  await pass(MONTH);
  expect(await outcomes()).toEqual(['paid null', 'rejected program_4']);
  const { state, to_do } = await subscriptions.explain(id);
  expect(state.join(' ')).toContain('took back the approval with which it is charged, or it is used up');
  expect(to_do).toContainEqual({
    who: 'customer',
    what: expect.stringMatching(/^Approve the charges again in the wallet before/) as string,
  });
  await outside.approveLittle(PRICE);
  await subscriptions.retry(id);
  await world.work();
  expect((await outcomes()).at(-1)).toBe('paid null');
});

// attempts#refused-charge-keeps-its-code
it('what a read found of a refused charge is stored though the next one is due and can be paid', async () => {
  opened = await openSubscriber('paid');
  let isDone = false;
  opened.world.injectFaults((chain) => ({
    async send(wires) {
      const sent = await chain.send(wires);
      if (isDone) return sent;
      isDone = true;
      // It lands, and a period passes before the answer comes, which is a refusal.
      opened.world.advance(MONTH);
      return wires.map(() => ({ kind: 'refused', refusal: { kind: 'program', code: 400 } }));
    },
  }));
  opened.world.advance(MONTH);
  await opened.world.billing.worker.charge();
  expect(await outcomes()).toEqual(['blocked program_400', 'paid null']);
});
