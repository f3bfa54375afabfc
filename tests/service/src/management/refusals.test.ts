// Heavy: every refusal of every management operation is made.

import type { KeyPairSigner } from '@solana/kit';
import { extension } from '@solana-program/token-2022';
import type { ErrorCode, OpenApiDocument, ProjectBilling } from '@subrail/core';
import { createManager, isApiError, type Manager } from '@subrail/core/client';
import type { Chain } from '@subrail/core/ports';
import { aSignature, RecordingMailer, RecordingSender } from '@subrail/core/testing';
import { sendTransaction, signTransaction } from '@subrail/localnet';
import {
  MONTH,
  aroundStore,
  createMintWith,
  DAY,
  issueCheckout,
  openSubscriber,
  PRICE,
  withOutages,
  type OutsideActions,
  type TestWorld,
  type TestWorldOptions,
} from '@subrail/test-world';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FROM, subscribeByMail } from '../mails/mail-world.js';

// management#management-routes

const NOTHING = 'dlv_000000000000000000000000';

let world: TestWorld;
let outside: OutsideActions;
let wallet: KeyPairSigner;
let isDown = false;
let chargerIsMissing = false;
let commitsConflict = false;

/** A chain that can be down, and on which no plan lists the charger. */
const faulty = (chain: Chain): Chain =>
  withOutages(
    {
      ...chain,
      async readPlan(address) {
        const read = await chain.readPlan(address);
        if (!chargerIsMissing || !read.ok || read.value === null) return read;
        return { ...read, value: { ...read.value, pullers: [] } };
      },
    },
    () => (isDown ? { kind: 'transport' } : null),
  );

async function closeWorld(): Promise<void> {
  isDown = false;
  chargerIsMissing = false;
  commitsConflict = false;
  world.log.forgiveErrors('network_unavailable');
  await world.close();
}

/** The shop that a case is about, over HTTP. Its plan `pro` is published and has a subscription. */
interface Shop extends ProjectBilling {
  readonly manager: Manager;
}

/** How a refusal is brought about: what happens first, and the call. */
interface Case extends TestWorldOptions {
  readonly before?: (shop: Shop) => Promise<unknown>;
  readonly call: (shop: Shop) => Promise<unknown>;
}

const inDays = (days: number) => new Date(world.chainTime(world.now()).getTime() + days * DAY).toISOString();
const planInput = (name: string) => ({
  ...{ name, owner: world.owner.address, mint: world.token.mint, amount: '5000000', period_hours: 24 },
});
const draft = ({ plans }: Shop) => plans.create(planInput('Daily'));
const oldDraft = async ({ plans }: Shop) => {
  await plans.create({ ...planInput('Daily'), ends_at: inDays(2) });
  world.advance(DAY);
};
const land = (transaction: string) =>
  world.inNewBlock(async () => {
    await sendTransaction(world.rpc, await signTransaction(world.owner, transaction));
  });
const landed = async (shop: Shop) => {
  await draft(shop);
  await land((await shop.plans.publish('daily')).transaction);
};
const goDown = () => Promise.resolve((isDown = true));
const newEndpoint = async ({ endpoints }: Shop, path = '') =>
  (await endpoints.create({ url: `https://hooks.example.com/${path}`, types: ['subscription.created'] })).id;
const newest = async ({ endpoints }: Shop) => (await endpoints.list())[0]?.id ?? '';

const refundOfNothing = async ({ payments }: Shop) => {
  const { data } = await payments.list({ outcome: 'paid' });
  return payments.recordRefund(data[0]?.id ?? '', { signature: aSignature() });
};

const ENDED = {
  endsAfter: MONTH + DAY,
  before: async () => world.advance(MONTH + DAY + 5_000),
};
const REMOVED = {
  endsAfter: MONTH + DAY,
  before: async () => {
    world.advance(MONTH + DAY + 5_000);
    await outside.deletePlan();
    await world.work();
    world.advance(60_000);
  },
};
const REPLACED = {
  endsAfter: MONTH + DAY,
  before: async () => {
    world.advance(MONTH + DAY + 5_000);
    await outside.deletePlan();
    await outside.recreatePlan();
  },
};
const KNOWN_SUNSET = {
  endsAfter: 3 * MONTH,
  before: async ({ plans }: Shop) => {
    await outside.sunset();
    await plans.confirmUpdate('pro', {});
  },
};
const DOWN = { before: goDown };
const SUNSET = { endsAfter: 3 * MONTH, before: () => outside.sunset() };

/** The refusals of whatever changes a published plan. */
const ofChange = (call: (shop: Shop, slug: string) => Promise<unknown>) => {
  const pro = { call: (shop: Shop) => call(shop, 'pro') };
  return {
    plan_not_found: { call: (shop) => call(shop, 'unknown') },
    plan_not_on_chain: { before: draft, call: (shop) => call(shop, 'daily') },
    plan_removed: { ...REMOVED, ...pro },
    plan_replaced: { ...REPLACED, ...pro },
    network_unavailable: { ...DOWN, ...pro },
  } satisfies Refusals;
};

/** The refusals of whatever offers a plan. */
const ofOffer = (call: (shop: Shop, slug: string) => Promise<unknown>) =>
  ({
    plan_not_found: { call: (shop) => call(shop, 'unknown') },
    plan_not_on_chain: { before: draft, call: (shop) => call(shop, 'daily') },
    plan_ended: { ...ENDED, call: (shop) => call(shop, 'pro') },
    plan_sunset: { ...KNOWN_SUNSET, call: (shop) => call(shop, 'pro') },
  }) satisfies Refusals;

/** The refusals of whatever gives a plan another end. */
const ofEnd = (call: (shop: Shop, slug: string, ends_at: string) => Promise<unknown>) =>
  ({
    ...ofChange((shop, slug) => call(shop, slug, inDays(60))),
    conflict: { ...SUNSET, call: (shop) => call(shop, 'pro', inDays(60)) },
    plan_ended: { ...ENDED, call: (shop) => call(shop, 'pro', inDays(60)) },
    end_date_stale: {
      before: () => outside.endAt(new Date(inDays(100))),
      call: (shop) => call(shop, 'pro', inDays(60)),
    },
    end_date_too_soon: { call: (shop) => call(shop, 'pro', inDays(1)) },
    end_date_too_far: { endsAfter: 2 * MONTH, call: (shop) => call(shop, 'pro', inDays(70)) },
  }) satisfies Refusals;

type Refusals = { readonly [Code in ErrorCode]?: Case };

const unknownEndpoint = (call: (shop: Shop) => Promise<unknown>) => ({ not_found: { call } });

/** Each refusal of each operation of management, besides those that every route has. */
const REFUSALS: Readonly<Record<string, Refusals>> = {
  'projects.delete': { conflict: { call: (shop) => shop.delete() } },
  'keys.rotate': {
    not_found: { call: ({ keys }) => keys.rotate('key_000000000000000000000000') },
    conflict: {
      call: async ({ keys }) => {
        const { id } = await keys.create();
        await keys.rotate(id);
        return keys.rotate(id);
      },
    },
  },
  'keys.revoke': { not_found: { call: ({ keys }) => keys.revoke('key_000000000000000000000000') } },
  'plans.create': {
    forbidden: {
      before: (shop) => shop.update({ tier: 'free' }),
      call: ({ plans }) => plans.create({ ...planInput('Daily'), retry_attempts: 3, retry_wait_minutes: 60 }),
    },
    end_date_too_soon: {
      call: ({ plans }) => plans.create({ ...planInput('Daily'), ends_at: inDays(1) }),
    },
    end_date_too_far: {
      call: ({ plans }) => plans.create({ ...planInput('Daily'), ends_at: inDays(40_000) }),
    },
    mint_not_on_chain: {
      call: ({ plans }) => plans.create({ ...planInput('Daily'), mint: wallet.address }),
    },
    mint_not_transferable: {
      call: async ({ plans }) => {
        const mint = await createMintWith(world.rpc, world.owner, extension('NonTransferable', {}));
        return plans.create({ ...planInput('Daily'), mint });
      },
    },
    mint_amount_scaled: {
      call: async ({ plans }) => {
        const interest = {
          rateAuthority: world.owner.address,
          initializationTimestamp: 0n,
          lastUpdateTimestamp: 0n,
        };
        const mint = await createMintWith(
          world.rpc,
          world.owner,
          extension('InterestBearingConfig', { ...interest, preUpdateAverageRate: 0, currentRate: 500 }),
        );
        return plans.create({ ...planInput('Daily'), mint });
      },
    },
    mint_transfer_hook: {
      token: 'extended',
      before: () => world.extendedToken.setHook(),
      call: ({ plans }) => plans.create(planInput('Daily')),
    },
    plan_name_taken: {
      before: draft,
      call: ({ plans }) => plans.create({ ...planInput('Daily'), slug: 'other' }),
    },
    slug_taken: {
      before: draft,
      call: ({ plans }) => plans.create({ ...planInput('Each day'), slug: 'daily' }),
    },
    network_unavailable: { ...DOWN, call: draft },
  },
  'plans.publish': {
    plan_not_found: { call: ({ plans }) => plans.publish('unknown') },
    conflict: { call: ({ plans }) => plans.publish('pro') },
    forbidden: {
      before: async (shop) => {
        await draft(shop);
        await shop.update({ published_plans_limit: 1 });
      },
      call: ({ plans }) => plans.publish('daily'),
    },
    // plans#end-date-of-a-plan
    end_date_too_soon: { before: oldDraft, call: ({ plans }) => plans.publish('daily') },
    // errors#chain-unavailable
    network_unavailable: {
      before: async (shop) => {
        await draft(shop);
        await goDown();
      },
      call: ({ plans }) => plans.publish('daily'),
    },
  },
  'plans.confirmPublish': {
    plan_not_found: { call: ({ plans }) => plans.confirmPublish('unknown') },
    plan_not_on_chain: { before: draft, call: ({ plans }) => plans.confirmPublish('daily') },
    // errors#plan-mismatch
    plan_mismatch: {
      before: async (shop) => {
        await landed(shop);
        chargerIsMissing = true;
      },
      call: ({ plans }) => plans.confirmPublish('daily'),
    },
    network_unavailable: {
      before: async (shop) => {
        await landed(shop);
        await goDown();
      },
      call: ({ plans }) => plans.confirmPublish('daily'),
    },
  },
  'plans.detail': { plan_not_found: { call: ({ plans }) => plans.detail('unknown') } },
  'plans.update': {
    plan_not_found: { call: ({ plans }) => plans.update('unknown', {}) },
    conflict: { call: ({ plans }) => plans.update('pro', { name: 'Another' }) },
    plan_name_taken: {
      before: async (shop) => {
        await draft(shop);
        await shop.plans.create(planInput('Weekly'));
      },
      call: ({ plans }) => plans.update('weekly', { name: 'Daily' }),
    },
  },
  'plans.discard': {
    plan_not_found: { call: ({ plans }) => plans.discard('unknown') },
    conflict: { before: landed, call: ({ plans }) => plans.discard('daily') },
    network_unavailable: {
      before: async (shop) => {
        await draft(shop);
        await goDown();
      },
      call: ({ plans }) => plans.discard('daily'),
    },
  },
  'plans.sunset': ofEnd(({ plans }, slug, ends_at) => plans.sunset(slug, { ends_at })),
  'plans.shorten': ofEnd(({ plans }, slug, ends_at) => plans.shorten(slug, { ends_at })),
  'plans.changePullers': {
    ...ofChange(({ plans }, slug) => plans.changePullers(slug, { pullers: [world.charger.address] })),
    conflict: {
      ...SUNSET,
      call: ({ plans }) => plans.changePullers('pro', { pullers: [world.charger.address, wallet.address] }),
    },
    plan_ended: {
      ...ENDED,
      call: ({ plans }) => plans.changePullers('pro', { pullers: [world.charger.address] }),
    },
  },
  'plans.submit': {
    plan_not_found: { call: ({ plans }) => plans.submit('unknown', { transaction: 'AQAB' }) },
    // management#plan-functions
    not_our_transaction: {
      before: draft,
      call: async ({ plans }) => {
        // Of another plan of the same owner.
        const { transaction } = await plans.publish('daily');
        return plans.submit('pro', { transaction: await signTransaction(world.owner, transaction) });
      },
    },
    transaction_expired: {
      before: draft,
      call: async ({ plans }) => {
        const transaction = await signTransaction(world.owner, (await plans.publish('daily')).transaction);
        world.advance(5 * 60_000);
        return plans.submit('daily', { transaction });
      },
    },
    transaction_refused: {
      before: draft,
      call: async ({ plans }) => {
        const transaction = await signTransaction(world.owner, (await plans.publish('daily')).transaction);
        await plans.submit('daily', { transaction });
        return plans.submit('daily', { transaction });
      },
    },
    network_unavailable: {
      before: draft,
      call: async ({ plans }) => {
        const transaction = await signTransaction(world.owner, (await plans.publish('daily')).transaction);
        await goDown();
        return plans.submit('daily', { transaction });
      },
    },
  },
  'plans.confirmUpdate': {
    ...ofChange(({ plans }, slug) => plans.confirmUpdate(slug, {})),
    plan_mismatch: { call: ({ plans }) => plans.confirmUpdate('pro', { status: 'sunset' }) },
  },
  'plans.delete': {
    ...ofChange(({ plans }, slug) => plans.delete(slug)),
    conflict: { call: ({ plans }) => plans.delete('pro') },
  },
  'plans.confirmDelete': {
    plan_not_found: { call: ({ plans }) => plans.confirmDelete('unknown') },
    plan_not_on_chain: { before: draft, call: ({ plans }) => plans.confirmDelete('daily') },
    conflict: { call: ({ plans }) => plans.confirmDelete('pro') },
    network_unavailable: { ...DOWN, call: ({ plans }) => plans.confirmDelete('pro') },
  },
  'payments.list': {
    plan_not_found: { call: ({ payments }) => payments.list({ plan: 'unknown' }) },
  },
  'payments.recordRefund': {
    conflict: { call: (shop) => refundOfNothing(shop) },
    network_unavailable: { ...DOWN, call: (shop) => refundOfNothing(shop) },
  },
  'payments.export': {
    plan_not_found: { call: ({ payments }) => payments.export({ format: 'csv', plan: 'unknown' }) },
  },
  'subscriptions.export': {
    plan_not_found: { call: ({ subscriptions }) => subscriptions.export({ format: 'csv', plan: 'unknown' }) },
  },
  'subscriptions.count': {
    plan_not_found: { call: ({ subscriptions }) => subscriptions.count({ plan: 'unknown' }) },
  },
  'subscriptions.failing': {
    plan_not_found: { call: ({ subscriptions }) => subscriptions.failing({ plan: 'unknown' }) },
  },
  'subscriptions.cannotPay': {
    plan_not_found: { call: ({ subscriptions }) => subscriptions.cannotPay({ plan: 'unknown' }) },
    network_unavailable: { ...DOWN, call: ({ subscriptions }) => subscriptions.cannotPay() },
  },
  'subscriptions.search': {
    plan_not_found: { call: ({ subscriptions }) => subscriptions.search({ plan: 'unknown' }) },
  },
  'subscriptions.detail': {
    subscription_not_found: { call: ({ subscriptions }) => subscriptions.detail('sub_unknown') },
  },
  'subscriptions.update': {
    subscription_not_found: { call: ({ subscriptions }) => subscriptions.update('sub_unknown', {}) },
    conflict: {
      call: async ({ subscriptions }) => {
        const { subscription } = await issueCheckout(world, await world.wallet(PRICE), 'pending');
        return subscriptions.update(subscription.id, { email: 'ada@example.org' });
      },
    },
    subscription_changed: {
      wrapStore: (store) =>
        aroundStore(store, async (name, call) => (name === 'commit' && commitsConflict ? 'lost' : call())),
      call: async ({ subscriptions }) => {
        const { data } = await subscriptions.search();
        commitsConflict = true;
        return subscriptions.update(data[0]?.id ?? '', { email: 'ada@example.org' });
      },
    },
  },
  'subscriptions.explain': {
    subscription_not_found: { call: ({ subscriptions }) => subscriptions.explain('sub_unknown') },
  },
  'checkouts.create': ofOffer(({ checkouts }, plan) => checkouts.create({ plan })),
  'checkouts.retrieve': { session_not_found: { call: ({ checkouts }) => checkouts.retrieve('chk_unknown') } },
  'portal.create': {
    subscription_not_found: { call: ({ portal }) => portal.create({ subscription: 'sub_unknown' }) },
  },
  'reports.figures': { plan_not_found: { call: ({ reports }) => reports.figures({ plan: 'unknown' }) } },
  'reports.cohorts': { plan_not_found: { call: ({ reports }) => reports.cohorts({ plan: 'unknown' }) } },
  'reports.export': {
    plan_not_found: { call: ({ reports }) => reports.export({ format: 'csv', plan: 'unknown' }) },
  },
  'links.create': ofOffer(({ links }, plan) => links.create({ plan })),
  'links.end': { link_not_found: { call: ({ links }) => links.end('lnk_unknown') } },
  'endpoints.create': { conflict: { before: newEndpoint, call: (shop) => newEndpoint(shop) } },
  'endpoints.retrieve': unknownEndpoint(({ endpoints }) => endpoints.retrieve('we_unknown')),
  'endpoints.update': unknownEndpoint(({ endpoints }) =>
    endpoints.update('we_unknown', { types: ['subscription.ended'] }),
  ),
  'endpoints.enable': unknownEndpoint(({ endpoints }) => endpoints.enable('we_unknown')),
  'endpoints.disable': unknownEndpoint(({ endpoints }) => endpoints.disable('we_unknown')),
  'endpoints.delete': unknownEndpoint(({ endpoints }) => endpoints.delete('we_unknown')),
  'endpoints.rotateSecret': unknownEndpoint(({ endpoints }) => endpoints.rotateSecret('we_unknown')),
  'endpoints.test': {
    ...unknownEndpoint(({ endpoints }) => endpoints.test('we_unknown')),
    conflict: {
      before: async (shop) => shop.endpoints.disable(await newEndpoint(shop)),
      call: async (shop) => shop.endpoints.test(await newest(shop)),
    },
    rate_limited: {
      before: async (shop) => {
        const id = await newEndpoint(shop);
        for (let sent = 0; sent < 5; sent += 1) await shop.endpoints.test(id);
      },
      call: async (shop) => shop.endpoints.test(await newest(shop)),
    },
  },
  'endpoints.recover': {
    ...unknownEndpoint(({ endpoints }) => endpoints.recover('we_unknown', { since: inDays(-1) })),
    conflict: {
      before: async (shop) => shop.endpoints.disable(await newEndpoint(shop)),
      call: async (shop) => shop.endpoints.recover(await newest(shop), { since: inDays(-1) }),
    },
  },
  'deliveries.retrieve': { not_found: { call: ({ deliveries }) => deliveries.retrieve(NOTHING) } },
  'deliveries.resend': {
    not_found: {
      call: async ({ deliveries, events }) =>
        deliveries.resend({ event: (await events.list()).data[0]?.id ?? '', endpoint: 'we_unknown' }),
    },
    event_not_found: {
      before: newEndpoint,
      call: async (shop) =>
        shop.deliveries.resend({ event: 'evt_000000000000000000000000', endpoint: await newest(shop) }),
    },
    conflict: {
      before: async (shop) => shop.endpoints.disable(await newEndpoint(shop)),
      call: async (shop) =>
        shop.deliveries.resend({
          event: (await shop.events.list()).data[0]?.id ?? '',
          endpoint: await newest(shop),
        }),
    },
  },
  'mails.retrieve': { not_found: { call: ({ mails }) => mails.retrieve('eml_unknown') } },
  'mails.resend': {
    not_found: { call: ({ mails }) => mails.resend('eml_unknown') },
    conflict: {
      before: () => subscribeByMail(world),
      call: async ({ mails }) => mails.resend((await mails.list()).data[0]?.id ?? ''),
    },
  },
  'mails.acceptAddress': {
    not_found: { call: ({ mails }) => mails.acceptAddress({ address: 'ada@example.com' }) },
  },
  'mails.test': {
    rate_limited: {
      before: async ({ mails }) => {
        for (let sent = 0; sent < 5; sent += 1) await mails.test({ to: 'desk@example.com' });
      },
      call: ({ mails }) => mails.test({ to: 'desk@example.com' }),
    },
  },
  'management.revokeKey': {
    not_found: { call: ({ manager }) => manager.management.revokeKey('mkey_unknown') },
  },
};

async function openShop(options: TestWorldOptions): Promise<Shop> {
  ({ world, outside, wallet } = await openSubscriber('paid', {
    ports: {
      sender: new RecordingSender(),
      mailer: new RecordingMailer(),
      settings: { privateTargets: ['hooks.example.com'], mailFrom: FROM },
    },
    wrapChain: faulty,
    ...options,
  }));
  const { key } = await world.billing.management.createKey({ name: 'Dashboard', access: 'write' });
  const manager = createManager({
    url: 'https://billing.test',
    key,
    fetch: world.billing.handler,
    maxRetries: 0,
  });
  return { ...manager.project(world.projectId), manager };
}

/** A route of management, as the document describes it. */
interface Documented {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly codes: readonly string[];
}

let documented: Promise<readonly Documented[]> | null = null;

/** The routes of the document, which is the same in every world. */
function documentedRoutes(): Promise<readonly Documented[]> {
  return (documented ??= readRoutes());
}

async function readRoutes(): Promise<readonly Documented[]> {
  const answer = await world.billing.handler(new Request('https://billing.test/manage/openapi.json'));
  const { paths } = (await answer.json()) as Pick<OpenApiDocument, 'paths'>;
  return Object.entries(paths)
    .filter(([path]) => !path.includes('/v1/projects/{project}/v1/'))
    .flatMap(([path, { get, post }]) =>
      [get, post].flatMap((one) => {
        if (one === undefined) return [];
        const codes = Object.values(one.responses).flatMap(({ content }) =>
          Object.keys(content?.['application/json']?.examples ?? {}),
        );
        return [{ name: one.operationId, method: one === get ? 'GET' : 'POST', path, codes } as const];
      }),
    );
}

interface NamedCase extends Pick<Case, 'before' | 'call'> {
  readonly name: string;
  readonly code: string;
  readonly options: TestWorldOptions;
}

const cases: readonly NamedCase[] = Object.entries(REFUSALS).flatMap(([name, codes]) =>
  Object.entries(codes).map(([code, { before, call, ...options }]) => ({
    ...{ name, code, call, options },
    ...(before === undefined ? {} : { before }),
  })),
);
const needsWorld = ({ before, options }: NamedCase) =>
  before !== undefined || Object.keys(options).length > 0;

/** The audit entries that were not done, newest first. */
async function undoneEntries() {
  const { data } = await world.billing.management.auditEntries({ limit: 100 });
  return data.filter(({ outcome }) => outcome !== 'done');
}

async function expectRefused(shop: Shop, { name, code, call }: NamedCase): Promise<void> {
  const known = new Set((await undoneEntries()).map(({ id }) => id));
  const refused = await call(shop).catch((error: unknown) => error);
  expect(isApiError(refused) ? refused.code : refused).toBe(code);
  const undone = (await undoneEntries()).filter(({ id }) => !known.has(id));
  const outcome = code === 'network_unavailable' ? 'failed' : 'refused';
  const route = (await documentedRoutes()).find((route) => route.name === name);
  expect(undone).toMatchObject(route?.method === 'POST' ? [{ operation: name, outcome, code }] : []);
}

describe('a management operation over HTTP that nothing comes before', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop({});
  });
  afterAll(closeWorld);

  it.each(cases.filter((one) => !needsWorld(one)))('$name is refused with $code, and is logged so', (one) =>
    expectRefused(shop, one),
  );
});

describe('a management operation over HTTP', () => {
  afterEach(closeWorld);

  it.each(cases.filter(needsWorld))('$name is refused with $code, and is logged so', async (one) => {
    const shop = await openShop(one.options);
    await one.before?.(shop);
    await expectRefused(shop, one);
  });

  it('has a case for each refusal that the document names', async () => {
    await openShop({});
    const routes = await documentedRoutes();
    const everywhere = routes.reduce(
      (common, { codes }) => common.filter((code) => codes.includes(code)),
      routes[0]?.codes ?? [],
    );
    const named = (codes: readonly string[]) =>
      [...new Set(codes)].filter((code) => !everywhere.includes(code)).toSorted();
    for (const { name, method, path, codes } of routes) {
      const ofGate = [
        ...(method === 'POST' ? ['forbidden'] : []),
        ...(path.includes('{project}') ? ['not_found'] : []),
      ];
      expect([name, named(codes)]).toEqual([name, named([...ofGate, ...Object.keys(REFUSALS[name] ?? {})])]);
    }
  });

  it.each([
    ['not_found for a project that does not exist', 'write', 'not_found'],
    ['forbidden when it is a change and the key may only read', 'read', 'forbidden'],
  ] as const)('is refused with %s', async (_, access, code) => {
    await openShop({});
    const { key } = await world.billing.management.createKey({ name: 'Other', access });
    const routes = (await documentedRoutes()).filter(({ method, path }) =>
      access === 'write' ? path.includes('{project}') : method === 'POST',
    );
    expect(routes.length).toBeGreaterThan(20);
    for (const { method, path } of routes) {
      const url = path.replace('{project}', 'proj_unknown').replace(/\{\w+\}/g, 'any');
      const answer = await world.billing.handler(
        new Request(`https://billing.test${url}`, {
          method,
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          ...(method === 'POST' ? { body: '{}' } : {}),
        }),
      );
      expect([path, ((await answer.json()) as { code: string }).code]).toEqual([path, code]);
    }
  });
});
