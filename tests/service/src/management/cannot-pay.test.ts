import { createManager } from '@subrail/core/client';
import type { SubscriptionId } from '@subrail/core/ports';
import { DAY, MINUTE, MONTH, openTestWorld, PRICE, withOutages, type TestWorld } from '@subrail/test-world';
import { beforeAll, describe, expect, it } from 'vitest';

let world: TestWorld;
let isDown = false;
let overHttp: ReturnType<ReturnType<typeof createManager>['project']>;

beforeAll(async () => {
  world = await openTestWorld({
    store: 'sqlite',
    wrapChain: (chain) => withOutages(chain, () => (isDown ? { kind: 'transport' } : null)),
  });
  const { key } = await world.billing.management.createKey({ name: 'Desk', access: 'read' });
  const options = { url: 'https://billing.test', key, fetch: world.billing.handler, maxRetries: 0 };
  overHttp = createManager(options).project(world.projectId);
});

/** A customer, and what its wallet or the plan's owner does after the first payment. */
async function customer(
  name: string,
  act: (outside: Awaited<ReturnType<TestWorld['outside']>>) => Promise<unknown> = () => Promise.resolve(),
  funds = 10n * PRICE,
): Promise<string> {
  const wallet = await world.wallet(funds);
  const id = await world.subscribe(wallet, name);
  await act(await world.outside(wallet));
  world.advance(1000);
  return id;
}

// payments#who-cannot-pay
describe('those who cannot pay', () => {
  it('are listed with the reason that their next charge then has, soonest first', async () => {
    await customer('pays');
    const half = PRICE / 2n;
    const ids = {
      poor: await customer('poor', undefined, PRICE + half),
      revoked: await customer('revoked', (outside) => outside.revokeApproval()),
      little: await customer('little', (outside) => outside.approveLittle(half)),
      emptied: await customer('emptied', (outside) => outside.closeTokenAccount()),
      frozen: await customer('frozen', (outside) => outside.freeze('wallet')),
      reassigned: await customer('reassigned', (outside) => outside.reassignTokenAccount()),
      closed: await customer('closed', (outside) => outside.closeAuthority()),
      cancelled: await customer('cancelled', (outside) => outside.cancel()),
      gone: await customer('gone', (outside) => outside.remove('subscription')),
    };
    const page = await overHttp.subscriptions.cannotPay();
    expect(page).toMatchObject({ has_more: false, next: null, unreadable: [] });
    expect(await world.billing.project(world.projectId).subscriptions.cannotPay()).toEqual(page);
    const reasons = new Map(page.data.map((one) => [one.external_id, [one.outcome, one.reason]]));
    expect(Object.fromEntries(reasons)).toEqual({
      poor: ['rejected', 'insufficient_balance'],
      revoked: ['rejected', 'program_4'],
      little: ['rejected', 'program_1'],
      emptied: ['rejected', 'insufficient_balance'],
      frozen: ['rejected', 'token_account_frozen'],
      reassigned: ['rejected', 'token_account_reassigned'],
      closed: ['rejected', 'program_103'],
      cancelled: ['skipped', 'cancelled'],
      gone: ['skipped', 'closed_elsewhere'],
    });
    // Each subscribed after the one before, so each is charged after it.
    expect(page.data.map(({ external_id }) => external_id)).toEqual(Object.keys(ids));
    expect(page.data.filter(({ to_do }) => to_do.length === 0)).toEqual([]);
    const [poor, revoked, little] = page.data;
    const { next_charge_at } = await overHttp.subscriptions.retrieve(ids.poor);
    expect(poor).toMatchObject({
      ...{ subscription: ids.poor, plan: 'pro', status: 'active', kind: 'charge', due_at: next_charge_at },
      ...{ amount: PRICE.toString(), balance: half.toString(), missing: half.toString() },
      why: expect.stringContaining('the wallet held less than is due') as string,
      to_do: [
        {
          who: 'customer',
          what: expect.stringMatching(/^Put at least .+ into the wallet before /) as string,
        },
      ],
    });
    expect(revoked).toMatchObject({ approved: '0', missing: '0' });
    expect(little).toMatchObject({ approved: half.toString(), missing: '0' });

    const none = await overHttp.subscriptions.cannotPay({ days: 20 });
    expect(none).toMatchObject({ data: [], next: null });
    let next: string | undefined;
    const paged: unknown[] = [];
    do {
      const part = await overHttp.subscriptions.cannotPay({ limit: 4, plan: 'pro', starting_after: next });
      paged.push(...part.data);
      next = part.next ?? undefined;
    } while (next !== undefined);
    expect(paged).toEqual(page.data);

    // The charges come, and fail as was said.
    world.advance(MONTH + DAY);
    await world.work();
    // That an account is gone takes a second read.
    world.advance(10 * MINUTE);
    await world.work();
    for (const { subscription, outcome, reason } of page.data) {
      const { data } = await overHttp.subscriptions.attempts(subscription);
      expect(data.map((attempt) => [attempt.outcome, attempt.reason])).toContainEqual([outcome, reason]);
    }
    const { data: late } = await overHttp.subscriptions.cannotPay();
    expect(late.find(({ external_id }) => external_id === 'poor')).toMatchObject({ kind: 'retry' });
  });

  it('are all whom the owner or the issuer keeps from being charged', async () => {
    const { data } = await overHttp.subscriptions.cannotPay();
    const outside = await world.outside(await world.wallet(PRICE));
    await outside.removeCharger();
    const blocked = await overHttp.subscriptions.cannotPay();
    expect(blocked.data.length).toBeGreaterThan(data.length);
    expect(blocked.data.find(({ external_id }) => external_id === 'pays')).toMatchObject({
      ...{ outcome: 'blocked', reason: 'puller_not_allowed', missing: '0' },
      to_do: [{ who: 'plan_owner', what: expect.stringContaining(world.charger.address) as string }],
    });
    await outside.addCharger();
  });

  // management#unreadable-records-in-reports
  it('are read in bounded pages, without a record that cannot be read, which is named', async () => {
    const { store, projectId } = world;
    const { data } = await overHttp.subscriptions.cannotPay();
    const [first] = data;
    const limits: number[] = [];
    const host = world.host({
      ...store,
      // Everybody at once, and then always more of whom nothing is due.
      async listByNextTry(project, _, limit) {
        const page = await store.listByNextTry(project, null, limits.push(limit) === 1 ? limit : 0);
        return { ...page, next: { at: world.now(), id: first?.subscription as SubscriptionId } };
      },
      findSubscription: async (project, id) =>
        id === first?.subscription
          ? Promise.reject(new SyntaxError('not a number'))
          : store.findSubscription(project, id),
    });
    const page = await host.billing.project(projectId).subscriptions.cannotPay({ limit: 100 });
    expect(limits).toEqual([100, 100, 100, 100, 100]);
    expect([page.data.map((one) => one.subscription), page.unreadable]).toEqual([
      data.slice(1).map((one) => one.subscription),
      [first?.subscription],
    ]);
    expect([page.has_more, typeof page.next]).toEqual([true, 'string']);
    world.forgiveErrors('because the store cannot read it');
  });

  it('are not known while the chain is silent', async () => {
    isDown = true;
    await expect(overHttp.subscriptions.cannotPay()).rejects.toMatchObject({
      code: 'network_unavailable',
      message: 'The chain does not answer. Try again in a few seconds.',
    });
    isDown = false;
  });
});
