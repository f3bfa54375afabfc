import { createHandler } from '@subrail/core';
import { describe, expect, it } from 'vitest';

import { refusal, openTestWorld, type TestWorld } from '@subrail/test-world';

let world: TestWorld;

async function open(): Promise<void> {
  world = await openTestWorld({ store: 'sqlite' });
}

function draft(name: string) {
  return world.billing.project(world.projectId).plans.create({
    name,
    owner: world.owner.address,
    mint: world.token.mint,
    amount: '5000000',
    period_hours: 24,
  });
}

describe('projects', () => {
  // management#project-functions, seats-and-tiers#default-tier-of-projects
  it('are created with the business tier unless another is named, listed and retrieved', async () => {
    await open();
    const { projects } = world.billing;
    const usual = await projects.create({ name: 'Usual' });
    const free = await projects.create({ name: 'Free', tier: 'free', cancel_url: 'https://example.com/bye' });
    expect([usual.tier, free.tier]).toEqual(['business', 'free']);
    expect(await world.billing.project(free.id).detail()).toEqual(free);
    expect(free).toMatchObject(await world.billing.project(free.id).retrieve());
    expect(await projects.list()).toEqual(expect.arrayContaining([usual, free]));
    const unknown = world.billing.project('proj_unknown').retrieve();
    expect(await refusal(unknown)).toBe('not_found');
    await expect(unknown).rejects.toThrow(
      'There is no project "proj_unknown". List the projects to see those that exist.',
    );
    expect(await refusal(projects.create({ name: '' }))).toBe('invalid_request');
  });
});

/** What `GET /v1/project` answers to whoever holds a key. */
async function statusWith(key: string): Promise<number> {
  const request = new Request('http://subrail.test/v1/project', {
    headers: { authorization: `Bearer ${key}` },
  });
  return (await createHandler(world.billing)(request)).status;
}

describe('API keys', () => {
  // management#api-key-listing
  it('are listed without their text, newest first, with name, last use and end', async () => {
    await open();
    const { id: projectId } = await world.billing.projects.create({ name: 'Shop' });
    const { keys } = world.billing.project(projectId);
    expect(await keys.list()).toEqual([]);
    const { key, ...web } = await keys.create({ name: ' Web server ' });
    world.advance(60_000);
    const { key: other, ...unnamed } = await keys.create();
    expect(await statusWith(key)).toBe(200);
    expect(await statusWith(other)).toBe(200);
    expect([web.name, unnamed.name]).toEqual(['Web server', null]);
    const used = world.now().toISOString();
    // The use is noted beside the call.
    await expect
      .poll(() => keys.list())
      .toEqual([
        { ...unnamed, last_used_at: used },
        { ...web, last_used_at: used },
      ]);
    await keys.revoke(web.id);
    expect(await keys.list()).toMatchObject([{ revoked_at: null }, { revoked_at: used }]);
    for (const name of ['', 'x'.repeat(65), 'a\u202eb'])
      expect(await refusal(keys.create({ name }))).toBe('invalid_request');
  });

  // management#api-key-functions, requests#api-key-revocation
  it('are revoked by an id of their project only, so that a typo is no revocation', async () => {
    await open();
    const { keys } = world.billing.project(world.projectId);
    const { id, key } = await keys.create();
    expect(await refusal(world.billing.project('proj_unknown').keys.create())).toBe('not_found');
    const { id: other } = await world.billing.projects.create({ name: 'Other' });
    expect(await refusal(world.billing.project(other).keys.revoke(id))).toBe('not_found');
    expect(await refusal(keys.revoke(`${id}x`))).toBe('not_found');
    expect(await statusWith(key)).toBe(200);
    await keys.revoke(id);
    expect(await statusWith(key)).toBe(401);
    const [revoked] = await keys.list();
    world.advance(60_000);
    await keys.revoke(id);
    expect((await keys.list())[0]).toEqual(revoked);
  });

  // requests#api-key-rotation
  it('are rotated: the old one ends at once, for good, or after the overlap', async () => {
    await open();
    const { keys } = world.billing.project(world.projectId);
    const first = await keys.create({ name: 'Web server' });
    const second = await keys.rotate(first.id);
    expect(second).toMatchObject({ name: 'Web server', expires_at: null, revoked_at: null });
    expect([await statusWith(first.key), await statusWith(second.key)]).toEqual([401, 200]);
    expect((await keys.list()).find(({ id }) => id === first.id)?.revoked_at).not.toBeNull();
    const third = await keys.rotate(second.id, { overlap_hours: 1 });
    expect([await statusWith(second.key), await statusWith(third.key)]).toEqual([200, 200]);
    world.advance(3_599_000);
    expect(await statusWith(second.key)).toBe(200);
    world.advance(1_000);
    expect([await statusWith(second.key), await statusWith(third.key)]).toEqual([401, 200]);
    for (const ended of [first, second]) expect(await refusal(keys.rotate(ended.id))).toBe('conflict');
    expect(await refusal(keys.rotate('key_unknown'))).toBe('not_found');
    for (const overlap_hours of [-1, 25])
      expect(await refusal(keys.rotate(third.id, { overlap_hours }))).toBe('invalid_request');
  });

  // requests#api-key-rotation
  it('are rotated once by several calls at once', async () => {
    await open();
    const { keys } = world.billing.project(world.projectId);
    const { id } = await keys.create();
    const before = (await keys.list()).length;
    const rotations = await Promise.all(
      [1, 2, 3].map((overlap_hours) => refusal(keys.rotate(id, { overlap_hours }))),
    );
    expect(rotations.toSorted()).toEqual(['conflict', 'conflict', null]);
    expect(await keys.list()).toHaveLength(before + 1);
  });
});

describe('a project', () => {
  // management#project-update
  it('is updated field by field, and shows its own limits and those that apply', async () => {
    await open();
    const { id } = await world.billing.projects.create({ name: 'Shop', tier: 'free' });
    const shop = world.billing.project(id);
    expect(await shop.detail()).toMatchObject({
      subscriber_limit: null,
      published_plans_limit: null,
      limits: { subscribers: 30, published_plans: 1 },
    });
    const logo_url = 'https://example.com/logo.png';
    expect(await shop.update({ logo_url, subscriber_limit: 0, published_plans_limit: 4 })).toMatchObject({
      name: 'Shop',
      logo_url,
      cancel_url: null,
      subscriber_limit: 0,
      limits: { subscribers: 0, published_plans: 4 },
    });
    expect(await shop.update({ tier: 'business', published_plans_limit: null })).toMatchObject({
      logo_url,
      limits: { subscribers: 0, published_plans: null },
    });
    expect(await refusal(shop.update({ published_plans_limit: -1 }))).toBe('invalid_request');
    const most = 2_147_483_647;
    const limits = { subscriber_limit: most, published_plans_limit: most };
    expect(await shop.update(limits)).toMatchObject(limits);
    expect(await refusal(shop.update({ subscriber_limit: most + 1 }))).toBe('invalid_request');
    expect(await refusal(shop.update({ published_plans_limit: most + 1 }))).toBe('invalid_request');
    expect(await refusal(world.billing.project('proj_unknown').update({}))).toBe('not_found');
  });

  // management#project-update
  it('keeps what each of two updates at once changes', async () => {
    await open();
    const shop = world.billing.project(world.projectId);
    await Promise.all([shop.update({ name: 'Renamed' }), shop.update({ subscriber_limit: 7 })]);
    expect(await shop.detail()).toMatchObject({ name: 'Renamed', subscriber_limit: 7 });
  });

  // seats-and-tiers#published-plan-limit
  it('publishes as many plans as its own limit says, in place of its tier’s', async () => {
    await open();
    const shop = world.billing.project(world.projectId);
    await draft('Daily');
    await shop.update({ published_plans_limit: 1 });
    await expect(shop.plans.publish('daily')).rejects.toThrow(
      'The project may have 1 published plan, and it has 1.',
    );
    await shop.update({ tier: 'free', published_plans_limit: 2 });
    expect(await refusal(shop.plans.publish('daily'))).toBeNull();
  });

  // management#project-functions
  it('is deleted with its keys only while it never had a plan or an endpoint', async () => {
    await open();
    const { id } = await world.billing.projects.create({ name: 'A trial' });
    const shop = world.billing.project(id);
    const { key } = await shop.keys.create();
    const endpoint = await shop.endpoints.create({
      url: 'https://example.com/hooks',
      types: ['subscription.created'],
    });
    await shop.endpoints.delete(endpoint.id);
    expect(await refusal(shop.delete())).toBe('conflict');
    expect(await refusal(world.billing.project(world.projectId).delete())).toBe('conflict');
    const { id: empty } = await world.billing.projects.create({ name: 'Another' });
    const unused = await world.billing.project(empty).keys.create();
    expect(await refusal(world.billing.project(empty).delete())).toBeNull();
    expect(await statusWith(unused.key)).toBe(401);
    expect(await statusWith(key)).toBe(200);
    expect(await refusal(world.billing.project(empty).delete())).toBe('not_found');
    expect((await world.billing.projects.list()).map((project) => project.id)).not.toContain(empty);
  });
});

describe('endpoints', () => {
  // management#endpoint-functions
  it('are created, listed, updated, disabled, enabled, and given another secret', async () => {
    await open();
    const { endpoints } = world.billing.project(world.projectId);
    const url = 'https://example.com/hooks';
    const { secret, ...created } = await endpoints.create({
      url,
      types: ['subscription.created'],
    });
    expect(await endpoints.list()).toEqual([created]);
    const types = ['subscription.renewed' as const];
    const updated = await endpoints.update(created.id, { types });
    expect(updated).toEqual({ ...created, types });
    expect(await endpoints.disable(created.id)).toEqual({ ...updated, enabled: false });
    expect(await endpoints.enable(created.id)).toEqual(updated);
    const rotated = await endpoints.rotateSecret(created.id);
    expect(rotated.secret).not.toBe(secret);
    expect(await endpoints.retrieve(created.id)).toEqual(updated);
  });
});
