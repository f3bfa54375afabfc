import type { KeyPairSigner } from '@solana/kit';
import { createHandler, type FetchHandler } from '@subrail/core';
import { sendTransaction, signTransaction } from '@subrail/localnet';
import {
  actionsOf,
  type ChainFault,
  createCall,
  DAY,
  MINUTE,
  type IssuedCheckout,
  missSecondMonth,
  openSubscriber,
  outcomesPending,
  type OutsideActions,
  PRICE,
  sendsLost,
  signatureOf,
  storedSubscription,
  submitCheckout,
  type TestWorld,
  type TestWorldOptions,
} from '@subrail/test-world';
import { beforeEach, describe, expect, it } from 'vitest';

type Action = 'cancel' | 'resume' | 'close';

let world: TestWorld;
let wallet: KeyPairSigner;
let id: string;
let outside: OutsideActions;
let handler: FetchHandler;

async function begin(options: TestWorldOptions = {}): Promise<void> {
  ({ world, wallet, id, outside } = await openSubscriber('paid', options));
  handler = createHandler(world.billing, {
    walletRoutes: true,
    clientAddress: (request) => request.headers.get('x-client'),
  });
}

beforeEach(() => begin());

async function request(method: 'GET' | 'POST', path: string, body?: object, client = '203.0.113.7') {
  const answer = await handler(
    new Request(`http://subrail.test/wallet/v1/${path}`, {
      method,
      headers: { 'x-client': client, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

const list = (query = '', of: string = wallet.address) => request('GET', `${of}/subscriptions${query}`);
const post = (step: string, body: object, subscription = id) =>
  request('POST', `${wallet.address}/subscriptions/${subscription}/${step}`, body);

/** The only subscription of the wallet, as the list shows it. */
async function shown(): Promise<Record<string, unknown>> {
  const { body } = await list();
  return (body['data'] as Record<string, unknown>[])[0] ?? {};
}

/** Builds an action and signs it as the wallet. */
async function signed(action: Action, by = wallet): Promise<string> {
  world.advance(1000);
  const { status, body } = await post('transaction', { action });
  expect(status, JSON.stringify(body)).toBe(201);
  return signTransaction(by, String(body['transaction']));
}

/** The whole of an action, as the page does it. */
async function act(action: Action) {
  const { status, body } = await post('submit', { transaction: await signed(action) });
  expect(status, JSON.stringify(body)).toBe(201);
  return post('confirm', { action, signature: body['signature'] });
}

describe('what the routes of a wallet show', () => {
  // cancel-page#what-the-page-shows, cancel-page#no-key-and-no-signature-to-look
  // portal#portal-without-a-session
  it('is what is on chain and what the wallet signed, and nothing else', async () => {
    const { status, body } = await list();
    expect(status).toBe(200);
    const { plan, ...record } = { plan: await world.plan('pro'), ...(await storedSubscription(world, id)) };
    expect(body).toEqual({
      data: [
        {
          id,
          name: 'Pro, Night Library',
          status: 'active',
          actions: ['cancel'],
          address: record.address,
          plan_address: plan.address,
          paid_to: world.owner.address,
          mint: world.token.mint,
          symbol: null,
          amount: PRICE.toString(),
          amount_display: '5',
          period_hours: 720,
          began_at: record.confirmedAt?.toISOString(),
          paid_until: record.paidPeriodEnd?.toISOString(),
          next_charge_at: record.paidPeriodEnd?.toISOString(),
          ends_at: null,
          plan_ends_at: null,
          payments: {
            count: 1,
            amount: PRICE.toString(),
            amount_display: '5',
            latest: [
              {
                signature: expect.stringMatching(/^[1-9A-Za-z]{86,88}$/) as string,
                amount: PRICE.toString(),
                amount_display: '5',
                paid_at: expect.stringMatching(/Z$/) as string,
              },
            ],
          },
        },
      ],
      has_more: false,
    });
  });

  // cancel-page#what-the-page-shows
  it('has no customer reference, no checkout that was never paid, and the name that was signed', async () => {
    const other = await world.wallet(10n * PRICE);
    await world.subscribe(other, 'reader-17');
    await world.call('POST', '/subscriptions', {
      plan: 'pro',
      wallet: (await world.wallet(0n)).address,
      email: 'reader@example.test',
    });
    await world.billing.project(world.projectId).update({ name: 'Renamed' });
    const { body } = await list('', other.address);
    expect(body['data']).toMatchObject([{ name: 'Pro, Night Library' }]);
    expect(JSON.stringify(body)).not.toMatch(/reader|Renamed|proj_/);
    expect((await list('', world.owner.address)).body).toEqual({ data: [], has_more: false });
  });

  // cancel-page#what-the-page-shows
  it('comes in pages of at most 20, over every project', async () => {
    const path = '/subscriptions';
    const project = await world.billing.projects.create({ name: 'Day Library' });
    await world.publishPlan(project.id, 'team');
    const { key } = await world.billing.project(project.id).keys.create();
    const call = createCall(world.billing, key);
    world.advance(1000);
    const { body } = await call('POST', path, {
      plan: 'team',
      wallet: wallet.address,
      external_id: '1',
    });
    await submitCheckout({ call }, wallet, body as unknown as IssuedCheckout);
    const { id: newer } = body['subscription'] as { readonly id: string };
    expect((await list('?limit=1')).body).toMatchObject({ data: [{ id: newer }], has_more: true });
    expect((await list(`?limit=1&starting_after=${newer}`)).body).toMatchObject({
      data: [{ id }],
      has_more: false,
    });
    expect((await list(`?starting_after=${id}`)).body).toEqual({ data: [], has_more: false });
    expect((await list('?limit=21')).status).toBe(400);
    expect((await list('?starting_after=sub_none')).status).toBe(400);
    expect((await request('GET', `nobody${path}`)).body).toMatchObject({ code: 'invalid_request' });
  });

  it('is served only where it is asked for, and described', async () => {
    const served = (path: string) => handler(new Request(`http://subrail.test${path}`));
    const document = (await (await served('/wallet/openapi.json')).json()) as { paths: object };
    expect(Object.keys(document.paths)).toHaveLength(4);
    const plain = createHandler(world.billing);
    const path = `http://subrail.test/wallet/v1/${wallet.address}/subscriptions`;
    expect((await plain(new Request(path))).status).toBe(404);
    expect((await served('/wallet/v1/none')).status).toBe(404);
  });
});

describe('what a wallet does', () => {
  // cancel-page#actions-of-a-wallet, cancel-page#callers-change-nothing
  it('cancels, resumes, cancels again and closes, and the record follows', async () => {
    expect(await act('cancel')).toMatchObject({
      status: 201,
      body: { subscription: { status: 'cancelled', actions: ['resume'] }, reason_code: null },
    });
    expect(await act('resume')).toMatchObject({
      body: { subscription: { status: 'active' }, reason_code: null },
    });
    expect(await act('cancel')).toMatchObject({ body: { subscription: { status: 'cancelled' } } });
    expect((await shown())['ends_at']).not.toBeNull();
    world.advance(30 * DAY);
    await world.work();
    expect(await shown()).toMatchObject({ status: 'ended', actions: ['close'], ends_at: null });
    expect(await act('close')).toMatchObject({ body: { subscription: { status: 'ended', actions: [] } } });
    expect((await storedSubscription(world, id)).endReason).toBe('closed');
    expect((await world.events()).slice(2)).toEqual([
      ...['cancelled', 'resumed', 'cancelled', 'access_revoked', 'ended'],
    ]);
  });

  // cancel-page#actions-of-a-wallet
  it('cancels what stopped, without an end that is ahead for a resume', async () => {
    const stopped = await world.wallet(10n * PRICE);
    id = await missSecondMonth(world, stopped, 4);
    wallet = stopped;
    expect(await shown()).toMatchObject({ status: 'stopped', actions: ['cancel'] });
    expect(await act('cancel')).toMatchObject({
      body: { subscription: { status: 'cancelled', actions: [] } },
    });
  });

  // cancel-page#actions-of-a-wallet
  it('is refused what the chain does not allow', async () => {
    const build = (action: Action) => post('transaction', { action });
    expect((await build('resume')).body).toMatchObject({ code: 'subscription_not_cancelled' });
    expect((await build('close')).body).toMatchObject({ code: 'subscription_not_cancelled' });
    await outside.cancel();
    expect((await build('cancel')).body).toMatchObject({ code: 'subscription_cancelled' });
    expect((await post('transaction', { action: 'cancel' }, 'sub_none')).body).toMatchObject({
      code: 'subscription_not_found',
    });
  });

  // cancel-page#callers-change-nothing
  // plan-changes#one-change-at-a-time
  it('is no cancel while a change of its plan may still land', async () => {
    await world.publishPlan(world.projectId, 'basic');
    const change = { plan: 'basic', wallet: wallet.address, replaces: id };
    const { body } = await world.call('POST', '/subscriptions', change);
    world.injectFaults(sendsLost, outcomesPending);
    await submitCheckout(world, wallet, body as unknown as IssuedCheckout);
    expect(await post('transaction', { action: 'cancel' })).toMatchObject({
      status: 409,
      body: { code: 'change_in_flight' },
    });
    // Two reads that do not find a transaction make it lost.
    world.clearFaults();
    for (const _ of [1, 2]) {
      world.advance(2 * MINUTE);
      await world.work();
    }
    await act('cancel');
    expect(await shown()).toMatchObject({ status: 'cancelled' });
  });

  it('stores nothing when it builds, so that the confirm of a project is not disturbed', async () => {
    const { wire, signature } = await actionsOf(world, wallet, id).signed('cancel');
    const before = await storedSubscription(world, id);
    await signed('cancel');
    expect(await storedSubscription(world, id)).toEqual(before);
    await sendTransaction(world.rpc, wire);
    expect(await actionsOf(world, wallet, id).confirm('cancel', signature)).toMatchObject({ status: 201 });
  });

  // cancel-page#callers-change-nothing
  it('is recorded by what the chain shows, whatever a caller says', async () => {
    const { body } = await list();
    const [payment] =
      (body['data'] as { payments: { latest: { signature: string }[] } }[])[0]?.payments.latest ?? [];
    const signature = payment?.signature;
    expect(await post('confirm', { action: 'cancel', signature })).toMatchObject({
      status: 201,
      body: { subscription: { status: 'active' }, reason_code: 'cancellation_not_landed' },
    });
    await outside.cancel();
    expect(await post('confirm', { action: 'cancel', signature })).toMatchObject({
      body: { subscription: { status: 'cancelled' }, reason_code: null },
    });
  });

  // cancel-page#transactions-that-are-sent
  it('is sent only when the wallet signed it and it is about its subscription', async () => {
    const stranger = await world.wallet(10n * PRICE);
    const foreign = await signed('cancel').then(async (transaction) => {
      const own = { wallet, id };
      wallet = stranger;
      id = await world.subscribe(stranger);
      const refused = await post('submit', { transaction });
      const mine = await signed('cancel');
      ({ wallet, id } = own);
      return { refused, mine };
    });
    expect(foreign.refused.body).toMatchObject({ code: 'not_our_transaction' });
    const unsigned = String((await post('transaction', { action: 'cancel' })).body['transaction']);
    for (const transaction of [foreign.mine, unsigned, 'AAAA'])
      expect((await post('submit', { transaction })).body).toMatchObject({ code: 'not_our_transaction' });
    expect((await post('submit', { transaction: 'no base64' })).status).toBe(400);
    const transaction = await signed('cancel');
    world.injectFaults(sendsLost);
    expect((await post('submit', { transaction })).body).toMatchObject({ code: 'network_unavailable' });
    world.clearFaults();
    world.injectFaults(sendsRefused);
    expect((await post('submit', { transaction })).body).toMatchObject({ code: 'transaction_refused' });
    world.clearFaults();
    world.forgiveErrors('The chain does not answer.');
    expect(await post('submit', { transaction })).toEqual({
      status: 201,
      body: { signature: signatureOf(transaction) },
    });
  });
});

/** The chain refuses every transaction that the service sends. */
const sendsRefused: ChainFault = () => ({
  send: async (wires) =>
    wires.map(() => ({ kind: 'refused' as const, refusal: { kind: 'chain' as const, code: 7050012 } })),
});

describe('the limit', () => {
  // cancel-page#limit-of-the-page
  it('counts the calls of each address on each route', async () => {
    const calls = (count: number, client: string) =>
      Promise.all(
        Array.from({ length: count }, () =>
          request('GET', `${wallet.address}/subscriptions`, undefined, client),
        ),
      );
    expect((await calls(60, '198.51.100.1')).every(({ status }) => status === 200)).toBe(true);
    const [refused] = await calls(1, '198.51.100.1');
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect((await calls(1, '198.51.100.2'))[0]?.status).toBe(200);
    const builds = Array.from({ length: 21 }, () => post('transaction', { action: 'resume' }));
    const statuses = (await Promise.all(builds)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });
});
