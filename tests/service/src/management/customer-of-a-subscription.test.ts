import { beforeEach, expect, it } from 'vitest';
import { openSubscriber, DAY, type TestWorld } from '@subrail/test-world';

let world: TestWorld;
let id: string;

beforeEach(async () => {
  ({ world, id } = await openSubscriber('paid', { store: 'memory', customer: 'mistyped' }));
});

const { call, shop } = {
  call: async (path: string) => (await world.call('GET', path)).body,
  shop: () => world.billing.project(world.projectId),
};
const access = async (query: string) => (await call(`/access?plan=pro&${query}`))['access'];
const listed = async (query: string) => ((await call(`/subscriptions?${query}`))['data'] as unknown[]).length;

// management#customer-of-a-subscription
it('is corrected: access, lists and later events go by the right one at once', async () => {
  expect([await access('external_id=mistyped'), await access('external_id=right')]).toEqual([true, false]);
  const changed = await shop().subscriptions.update(id, { external_id: 'right', email: 'Ada@Example.org' });
  expect(changed).toMatchObject({ id, external_id: 'right', email: 'ada@example.org', status: 'active' });
  expect([await access('external_id=mistyped'), await access('external_id=right')]).toEqual([false, true]);
  expect([await listed('external_id=mistyped'), await listed('external_id=right')]).toEqual([0, 1]);
  expect([await access('email=ada@example.org'), await listed('email=ada@example.org')]).toEqual([true, 1]);

  world.advance(30 * DAY + 60_000);
  await world.work();
  const customers = (await world.storedEvents()).map(({ type, data }) => [
    type.replace('subscription.', ''),
    (data as { external_id: string }).external_id,
  ]);
  expect(customers).toEqual([
    ['created', 'mistyped'],
    ['access_granted', 'mistyped'],
    ['renewed', 'right'],
  ]);
});

// management#customer-of-a-subscription
it('is removed by null, kept where it is left out, and the same again changes nothing', async () => {
  const { version } = (await shop().subscriptions.detail(id)).internals;
  await shop().subscriptions.update(id, {});
  await shop().subscriptions.update(id, { external_id: 'mistyped' });
  expect((await shop().subscriptions.detail(id)).internals.version).toBe(version);
  await shop().subscriptions.update(id, { email: 'ada@example.org' });
  expect(await shop().subscriptions.update(id, { external_id: null })).toMatchObject({
    external_id: null,
    email: 'ada@example.org',
  });
  await expect(shop().subscriptions.update(id, { email: 'no address' })).rejects.toMatchObject({
    code: 'invalid_request',
  });
});
