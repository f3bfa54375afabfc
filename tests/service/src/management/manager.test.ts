import { createBilling, type ActWire, type OpenApiDocument, type ProjectBilling } from '@subrail/core';
import { createManager, isApiError, type Manager } from '@subrail/core/client';
import { RecordingSender } from '@subrail/core/testing';
import { sendTransaction, signTransaction } from '@subrail/localnet';
import { DAY, openTestWorld, type TestWorld } from '@subrail/test-world';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let world: TestWorld;
let overHttp: Manager;
let keyId: string;

beforeAll(async () => {
  world = await openTestWorld({
    store: 'sqlite',
    ports: {
      sender: new RecordingSender(),
      settings: { privateTargets: ['hooks.example.com'] },
    },
  });
  const { id, key } = await world.billing.management.createKey({ name: 'Dashboard', access: 'write' });
  keyId = id;
  await world.subscribe(await world.wallet(50_000_000n), 'reader');
  overHttp = createManager({ url: 'https://billing.test', key, fetch: world.billing.handler });
});

afterAll(() => world.close());

let made = 0;
const newName = (start: string) => `${start}-${String.fromCharCode(97 + (made++ % 26))}${made}`;

/** A service, in process or over HTTP, and its one project. */
interface Reached {
  readonly manager: Manager;
  readonly shop: ProjectBilling;
}

const newEndpoint = ({ shop }: Reached) =>
  shop.endpoints.create({
    url: `https://hooks.example.com/${newName('hook')}`,
    types: ['subscription.created'],
  });

const newPlan = ({ shop }: Reached) =>
  shop.plans.create({
    name: newName('plan'),
    owner: world.owner.address,
    mint: world.token.mint,
    amount: '5000000',
    period_hours: 24,
  });

async function newOnChain(reached: Reached): Promise<string> {
  const { slug } = await newPlan(reached);
  await land((await reached.shop.plans.publish(slug)).transaction);
  return slug;
}

const inDays = (days: number) => new Date(world.now().getTime() + days * DAY).toISOString();

const land = (transaction: string) =>
  world.inNewBlock(async () => {
    await sendTransaction(world.rpc, await signTransaction(world.owner, transaction));
  });

async function newPublished(reached: Reached): Promise<string> {
  const slug = await newOnChain(reached);
  await reached.shop.plans.confirmPublish(slug);
  return slug;
}

async function newEnded(reached: Reached): Promise<string> {
  const slug = await newPublished(reached);
  await land((await reached.shop.plans.shorten(slug, { ends_at: inDays(2) })).transaction);
  await reached.shop.plans.confirmUpdate(slug);
  world.advance(3 * DAY);
  return slug;
}

/** How each operation of management is called, on what it makes itself. */
const CALLS: Readonly<Record<string, (reached: Reached) => Promise<unknown>>> = {
  'projects.create': ({ manager }) => manager.projects.create({ name: newName('project') }),
  'projects.list': ({ manager }) => manager.projects.list(),
  'projects.detail': ({ shop }) => shop.detail(),
  'projects.update': ({ shop }) => shop.update({ name: 'Renamed' }),
  'projects.delete': async ({ manager }) =>
    manager.project((await manager.projects.create({ name: newName('trial') })).id).delete(),
  'keys.create': ({ shop }) => shop.keys.create({ name: 'Web server' }),
  'keys.list': ({ shop }) => shop.keys.list(),
  'keys.rotate': async ({ shop }) => shop.keys.rotate((await shop.keys.create()).id, { overlap_hours: 1 }),
  'keys.revoke': async ({ shop }) => shop.keys.revoke((await shop.keys.create()).id),
  'plans.create': newPlan,
  'plans.publish': async (reached) => reached.shop.plans.publish((await newPlan(reached)).slug),
  'plans.confirmPublish': async (reached) => reached.shop.plans.confirmPublish(await newOnChain(reached)),
  'plans.all': ({ shop }) => shop.plans.all(),
  'plans.detail': async (reached) => reached.shop.plans.detail((await newPlan(reached)).slug),
  'plans.update': async (reached) =>
    reached.shop.plans.update((await newPlan(reached)).slug, { description: 'For a day' }),
  'plans.discard': async (reached) => reached.shop.plans.discard((await newPlan(reached)).slug),
  'plans.sunset': async (reached) =>
    reached.shop.plans.sunset(await newPublished(reached), { ends_at: inDays(9) }),
  'plans.shorten': async (reached) =>
    reached.shop.plans.shorten(await newPublished(reached), { ends_at: inDays(9) }),
  'plans.changePullers': async (reached) =>
    reached.shop.plans.changePullers(await newPublished(reached), { pullers: [world.charger.address] }),
  'plans.confirmUpdate': async (reached) =>
    reached.shop.plans.confirmUpdate(await newPublished(reached), { status: 'active' }),
  'plans.delete': async (reached) => reached.shop.plans.delete(await newEnded(reached)),
  'plans.confirmDelete': async (reached) => {
    const slug = await newEnded(reached);
    await land((await reached.shop.plans.delete(slug)).transaction);
    return reached.shop.plans.confirmDelete(slug);
  },
  'endpoints.create': newEndpoint,
  'endpoints.list': ({ shop }) => shop.endpoints.list(),
  'endpoints.retrieve': async (reached) => reached.shop.endpoints.retrieve((await newEndpoint(reached)).id),
  'endpoints.update': async (reached) =>
    reached.shop.endpoints.update((await newEndpoint(reached)).id, { types: ['subscription.ended'] }),
  'endpoints.disable': async (reached) => reached.shop.endpoints.disable((await newEndpoint(reached)).id),
  'endpoints.enable': async (reached) => reached.shop.endpoints.enable((await newEndpoint(reached)).id),
  'endpoints.delete': async (reached) => reached.shop.endpoints.delete((await newEndpoint(reached)).id),
  'endpoints.rotateSecret': async (reached) =>
    reached.shop.endpoints.rotateSecret((await newEndpoint(reached)).id, { overlap_hours: 1 }),
  'endpoints.test': async (reached) => reached.shop.endpoints.test((await newEndpoint(reached)).id),
  'endpoints.recover': async (reached) =>
    reached.shop.endpoints.recover((await newEndpoint(reached)).id, { since: world.now().toISOString() }),
  'deliveries.list': ({ shop }) => shop.deliveries.list({ limit: 5 }),
  'deliveries.retrieve': async (reached) => reached.shop.deliveries.retrieve((await resend(reached)).id),
  'deliveries.resend': (reached) => resend(reached),
  'subscriptions.explain': async ({ shop }) => {
    const { data } = await shop.subscriptions.list({ external_id: 'reader' });
    return shop.subscriptions.explain(data[0]?.id ?? '');
  },
  'subscriptions.update': async ({ shop }) => {
    const { data } = await shop.subscriptions.search();
    return shop.subscriptions.update(data[0]?.id ?? '', { email: 'ada@example.org' });
  },
  'subscriptions.search': ({ shop }) => shop.subscriptions.search({ plan: 'pro', late: false }),
  'subscriptions.detail': async ({ shop }) => {
    const { data } = await shop.subscriptions.search();
    return shop.subscriptions.detail(data[0]?.id ?? '');
  },
  'reports.upcoming': ({ shop }) => shop.reports.upcoming({ limit: 5 }),
  'reports.schedule': ({ shop }) => shop.reports.schedule({ days: 60 }),
  'reports.overview': ({ shop }) => shop.reports.overview({ days: 90 }),
  'doctor.examine': ({ shop }) => shop.doctor.examine(),
  'secrets.reseal': ({ manager }) => manager.secrets.reseal(),
  'management.createKey': ({ manager }) => newKey(manager),
  'management.listKeys': ({ manager }) => manager.management.listKeys(),
  'management.revokeKey': async ({ manager }) => manager.management.revokeKey((await newKey(manager)).id),
  'management.acts': ({ manager }) => manager.management.acts({ limit: 5 }),
};

const newKey = (manager: Manager) => manager.management.createKey({ name: 'Monitor', access: 'read' });

async function resend(reached: Reached) {
  const endpoint = await newEndpoint(reached);
  const { data } = await reached.shop.events.list({ limit: 1 });
  return reached.shop.deliveries.resend({ event: data[0]?.id ?? '', endpoint: endpoint.id });
}

/** What an answer has, without what differs between two calls: the type of each field. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])];
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shapeOf(field)]));
}

/** The whole audit log, read in pages. */
async function actsOf({ management }: Pick<Manager, 'management'>): Promise<readonly ActWire[]> {
  const acts: ActWire[] = [];
  for (let after: string | undefined; ;) {
    const page = await management.acts({
      limit: 20,
      ...(after === undefined ? {} : { starting_after: after }),
    });
    acts.push(...page.data);
    after = page.data.at(-1)?.id;
    if (!page.has_more) return acts;
  }
}

async function deleteEndpoints(): Promise<void> {
  const { endpoints } = world.billing.project(world.projectId);
  for (const { id } of await endpoints.list()) await endpoints.delete(id);
}

/** The management operations by name, and whether each one is an act, as the document says. */
async function managementOperations(): Promise<ReadonlyMap<string, boolean>> {
  const answer = await world.billing.handler(new Request('https://billing.test/manage/openapi.json'));
  const { paths } = (await answer.json()) as Pick<OpenApiDocument, 'paths'>;
  return new Map(
    Object.entries(paths)
      .filter(([path]) => !path.includes('/v1/projects/{project}/v1/'))
      .flatMap(([, { get, post }]) => [
        ...(get === undefined ? [] : [[get.operationId, false] as const]),
        ...(post === undefined ? [] : [[post.operationId, true] as const]),
      ]),
  );
}

it('has a call for every operation of management', async () => {
  expect([...(await managementOperations()).keys()].toSorted()).toEqual(Object.keys(CALLS).toSorted());
});

describe('a manager over HTTP', () => {
  // management#management-routes
  it.each(Object.entries(CALLS))(
    'answers %s as the function does, and every act is logged',
    async (name, call) => {
      const isAct = (await managementOperations()).get(name);
      const inProcess = await call({ manager: world.billing, shop: world.billing.project(world.projectId) });
      await deleteEndpoints();
      const answer = await call({ manager: overHttp, shop: overHttp.project(world.projectId) });
      expect(shapeOf(answer)).toEqual(shapeOf(inProcess));
      const logged = await actsOf(world.billing);
      const mine = logged.filter((act) => act.operation === name && act.actor === `Dashboard (${keyId})`);
      expect(mine.length > 0).toBe(isAct);
      for (const act of mine) expect(act).toMatchObject({ outcome: 'done', ended_at: act.created_at });
      await deleteEndpoints();
    },
  );

  it('calls the operations of the contract for any project', async () => {
    const other = await overHttp.projects.create({ name: 'Another' });
    expect(other).toMatchObject(await overHttp.project(other.id).retrieve());
    expect(await overHttp.project(world.projectId).plans.list()).toEqual(
      await world.billing.project(world.projectId).plans.list(),
    );
    expect(
      await overHttp.project(world.projectId).access.check({ external_id: 'reader', plan: 'pro' }),
    ).toMatchObject({ access: true });
  });

  // management#retry-by-management
  it('retries for a customer with the rules of the retry route, which is an act', async () => {
    const { data } = await overHttp.project(world.projectId).subscriptions.list({ external_id: 'reader' });
    const id = data[0]?.id ?? '';
    const refused = await overHttp
      .project(world.projectId)
      .subscriptions.retry(id)
      .catch((error: unknown) => error);
    expect(isApiError(refused, 'subscription_not_late')).toBe(true);
    const { data: acts } = await world.billing.management.acts({ subject: id });
    expect(acts.filter(({ operation }) => operation === 'subscriptions.retry')).toMatchObject([
      {
        operation: 'subscriptions.retry',
        project: world.projectId,
        outcome: 'refused',
        code: 'subscription_not_late',
      },
    ]);
  });

  it('is refused as the function is, with the code and the message', async () => {
    const refused = await overHttp
      .project('proj_unknown')
      .keys.create()
      .catch((error: unknown) => error);
    expect(isApiError(refused, 'not_found')).toBe(true);
    const invalid = await overHttp.projects.create({ name: '' }).catch((error: unknown) => error);
    expect(invalid).toMatchObject({
      code: 'invalid_request',
      sentences: ['"name" must be 1 to 64 characters.'],
    });
  });
});

describe('the audit log', () => {
  // management#audit-log
  it('has no secret of any act', async () => {
    const acts = await actsOf(world.billing);
    expect(acts.length).toBeGreaterThan(40);
    expect(JSON.stringify(acts)).not.toMatch(/SUBM?_|whsec_/);
  });

  // management#audit-log
  it('has under the slug of a plan what was done to it, also how it was made', async () => {
    const plan = await newPlan({ manager: overHttp, shop: overHttp.project(world.projectId) });
    await overHttp.project(world.projectId).plans.discard(plan.slug);
    const { data } = await overHttp.management.acts({ subject: plan.slug });
    // Both are of one moment, so their order is not promised.
    expect(data.map(({ operation, subject }) => [operation, subject]).toSorted()).toEqual([
      ['plans.create', plan.slug],
      ['plans.discard', plan.slug],
    ]);
  });

  it('names who calls the functions: the actor of the service, and else the process', async () => {
    await world.billing.projects.create({ name: 'By nobody' });
    const { store, chain, clock, random, crypto, sender } = world.billing.service;
    const named = createBilling({ store, chain, clock, random, crypto, sender, actor: 'alice' });
    await named.projects.create({ name: 'By Alice' });
    const actors = (await actsOf(named)).map(({ actor, input }) => [
      (input as { name?: string }).name,
      actor,
    ]);
    expect(Object.fromEntries(actors)).toMatchObject({ 'By Alice': 'alice', 'By nobody': 'process' });
  });
});
