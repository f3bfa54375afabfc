import { createHandler, ServiceError } from '@subrail/core';
import type { Chain } from '@subrail/core/ports';
import { afterEach, describe, expect, it } from 'vitest';

import { sendTransaction, signTransaction } from '@subrail/localnet';
import { openTestWorld, type TestWorld } from '@subrail/test-world';

let world: TestWorld;
const chainFaults = { unreachable: false, withoutPuller: false };

function faulty(chain: Chain): Chain {
  return {
    ...chain,
    build: (request) =>
      chainFaults.unreachable
        ? Promise.resolve({ ok: false, unavailable: { kind: 'transport' } })
        : chain.build(request),
    async readPlan(address) {
      const read = await chain.readPlan(address);
      if (!chainFaults.withoutPuller || !read.ok || read.value === null) return read;
      return { ...read, value: { ...read.value, pullers: [] } };
    },
  };
}

async function open(): Promise<void> {
  Object.assign(chainFaults, { unreachable: false, withoutPuller: false });
  world = await openTestWorld({ store: 'sqlite', wrapChain: faulty });
}

afterEach(() => world.close());

/** The code of a refusal; null when nothing was refused. */
async function refusal(work: Promise<unknown>): Promise<string | null> {
  return work.then(
    () => null,
    (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
  );
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

async function publish(slug: string): Promise<void> {
  const { transaction } = await world.billing.project(world.projectId).plans.publish(slug);
  await sendTransaction(world.rpc, await signTransaction(world.owner, transaction));
}

describe('projects', () => {
  // management#project-functions
  it('are created with the business tier unless another is named, listed and retrieved', async () => {
    await open();
    const { projects } = world.billing;
    const usual = await projects.create({ name: 'Usual' });
    const free = await projects.create({ name: 'Free', tier: 'free', cancel_url: 'https://example.com/bye' });
    expect([usual.tier, free.tier]).toEqual(['business', 'free']);
    expect(await world.billing.project(free.id).retrieve()).toEqual(free);
    expect(await projects.list()).toEqual(expect.arrayContaining([usual, free]));
    const unknown = world.billing.project('proj_unknown').retrieve();
    expect(await refusal(unknown)).toBe('not_found');
    await expect(unknown).rejects.toThrow(
      'There is no project "proj_unknown". `billing.projects.list()` lists those that exist.',
    );
    expect(await refusal(projects.create({ name: '' }))).toBe('invalid_request');
  });
});

describe('API keys', () => {
  // management#api-key-functions
  // requests#api-key-revocation
  it('open the routes of their project until they are revoked', async () => {
    await open();
    const { id, key } = await world.billing.project(world.projectId).keys.create();
    const handler = createHandler(world.billing);
    const call = async () => {
      const headers = { authorization: `Bearer ${key}` };
      const response = await handler(new Request('http://subrail.test/v1/project', { headers }));
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    expect(await call()).toMatchObject({ status: 200, body: { id: world.projectId } });
    await world.billing.keys.revoke(id);
    expect(await call()).toMatchObject({ status: 401, body: { code: 'invalid_api_key' } });
    expect(await refusal(world.billing.project('proj_unknown').keys.create())).toBe('not_found');
  });
});

describe('plans', () => {
  // management#plan-functions
  it('are drafted, published by their owner, confirmed, listed and retrieved', async () => {
    await open();
    const { plans } = world.billing.project(world.projectId);
    expect(await draft('Daily')).toMatchObject({ slug: 'daily', status: 'draft' });
    expect(await refusal(plans.retrieve('daily'))).toBe('plan_not_found');
    expect(await refusal(plans.confirmPublish('daily'))).toBe('plan_not_on_chain');
    await publish('daily');
    expect(await plans.confirmPublish('daily')).toMatchObject({ status: 'active' });
    expect((await plans.list()).plans.map(({ slug }) => slug)).toEqual(['daily', 'pro']);
    expect(await plans.retrieve('daily')).toMatchObject({ period_hours: 24 });
    expect(await refusal(plans.publish('daily'))).toBe('conflict');
  });

  // errors#plan-mismatch
  it('that do not list the charger on chain are refused with plan_mismatch', async () => {
    await open();
    await draft('Daily');
    await publish('daily');
    chainFaults.withoutPuller = true;
    expect(await refusal(world.billing.project(world.projectId).plans.confirmPublish('daily'))).toBe(
      'plan_mismatch',
    );
  });

  // errors#chain-unavailable
  it('stay drafts when the chain does not answer', async () => {
    await open();
    await draft('Daily');
    chainFaults.unreachable = true;
    expect(await refusal(world.billing.project(world.projectId).plans.publish('daily'))).toBe(
      'network_unavailable',
    );
    chainFaults.unreachable = false;
    expect(await refusal(world.billing.project(world.projectId).plans.publish('daily'))).toBeNull();
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
