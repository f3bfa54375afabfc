import { createBilling } from '@subrail/core';
import type { AuditEntryWire } from '@subrail/core/schemas';
import { createManager, isApiError, type Manager } from '@subrail/core/client';
import { RecordingMailer, RecordingSender } from '@subrail/core/testing';
import { openTestWorld, type TestWorld } from '@subrail/test-world';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FROM } from '../mails/mail-world.js';
import { CALLS, managedOperations, newPlan } from './management-calls.js';

let world: TestWorld;
let overHttp: Manager;
let keyId: string;

beforeAll(async () => {
  world = await openTestWorld({
    store: 'sqlite',
    ports: {
      sender: new RecordingSender(),
      mailer: new RecordingMailer(),
      settings: { privateTargets: ['hooks.example.com'], mailFrom: FROM },
    },
  });
  const { id, key } = await world.billing.management.createKey({ name: 'Dashboard', access: 'write' });
  keyId = id;
  await world.subscribe(await world.wallet(50_000_000n), 'reader');
  overHttp = createManager({ url: 'https://billing.test', key, fetch: world.billing.handler });
});

afterAll(() => world.close());

/** What an answer has, without what differs between two calls: the type of each field. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])];
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shapeOf(field)]));
}

/** The whole audit log, read in pages. */
async function entriesOf({ management }: Pick<Manager, 'management'>): Promise<readonly AuditEntryWire[]> {
  const entries: AuditEntryWire[] = [];
  for (let after: string | undefined; ;) {
    const page = await management.auditEntries({
      limit: 20,
      ...(after === undefined ? {} : { starting_after: after }),
    });
    entries.push(...page.data);
    after = page.data.at(-1)?.id;
    if (!page.has_more) return entries;
  }
}

async function deleteEndpoints(): Promise<void> {
  const { endpoints } = world.billing.project(world.projectId);
  for (const { id } of await endpoints.list()) await endpoints.delete(id);
}

it('has a call for every operation of management', async () => {
  const managed = [...(await managedOperations(world))].filter(([, { isOfContract }]) => !isOfContract);
  expect(managed.map(([name]) => name).toSorted()).toEqual(CALLS.map(([name]) => name).toSorted());
});

describe('a manager over HTTP', () => {
  // management#management-routes
  it.each(CALLS)('answers %s as the function does, and every change is logged', async (name, call) => {
    const isChange = (await managedOperations(world)).get(name)?.isChange;
    const inProcess = await call({
      world,
      manager: world.billing,
      shop: world.billing.project(world.projectId),
    });
    await deleteEndpoints();
    const answer = await call({ world, manager: overHttp, shop: overHttp.project(world.projectId) });
    expect(shapeOf(answer)).toEqual(shapeOf(inProcess));
    const logged = await entriesOf(world.billing);
    const mine = logged.filter((entry) => entry.operation === name && entry.actor === `Dashboard (${keyId})`);
    expect(mine.length > 0).toBe(isChange);
    for (const entry of mine) expect(entry).toMatchObject({ outcome: 'done', ended_at: entry.created_at });
    await deleteEndpoints();
  });

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
  it('retries for a customer with the rules of the retry route, which is logged', async () => {
    const { data } = await overHttp.project(world.projectId).subscriptions.list({ external_id: 'reader' });
    const id = data[0]?.id ?? '';
    const refused = await overHttp
      .project(world.projectId)
      .subscriptions.retry(id)
      .catch((error: unknown) => error);
    expect(isApiError(refused, 'subscription_not_late')).toBe(true);
    const { data: entries } = await world.billing.management.auditEntries({ subject: id });
    expect(entries.filter(({ operation }) => operation === 'subscriptions.retry')).toMatchObject([
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
  it('has no secret in any entry', async () => {
    const entries = await entriesOf(world.billing);
    expect(entries.length).toBeGreaterThan(40);
    expect(JSON.stringify(entries)).not.toMatch(/SUBM?_|whsec_|chs_/);
  });

  // management#audit-log
  it('has under the slug of a plan what was done to it, also how it was made', async () => {
    const plan = await newPlan({ world, manager: overHttp, shop: overHttp.project(world.projectId) });
    await overHttp.project(world.projectId).plans.discard(plan.slug);
    const { data } = await overHttp.management.auditEntries({ subject: plan.slug });
    // Both are of one moment, so their order is not promised.
    expect(data.map(({ operation, subject }) => [operation, subject]).toSorted()).toEqual([
      ['plans.create', plan.slug],
      ['plans.discard', plan.slug],
    ]);
  });

  // management#audit-log
  it('has changes of an API key in its project, and those of a management key in none', async () => {
    const shop = overHttp.project(world.projectId);
    const apiKey = await shop.keys.create({ name: 'Web server' });
    await shop.keys.revoke(apiKey.id);
    const desk = await overHttp.management.createKey({ name: 'Contractor', access: 'read' });
    await overHttp.management.revokeKey(desk.id);
    const changesOf = async (subject: string) =>
      (await overHttp.management.auditEntries({ subject })).data
        .map(({ operation, project, outcome }) => [operation, project, outcome])
        .toSorted();
    expect(await changesOf(apiKey.id)).toEqual([
      ['keys.create', world.projectId, 'done'],
      ['keys.revoke', world.projectId, 'done'],
    ]);
    expect(await changesOf(desk.id)).toEqual([
      ['management.createKey', null, 'done'],
      ['management.revokeKey', null, 'done'],
    ]);
    const ofProject = await overHttp.management.auditEntries({ project: world.projectId, limit: 100 });
    expect(ofProject.data.map(({ subject }) => subject)).toContain(apiKey.id);
    expect(ofProject.data.map(({ subject }) => subject)).not.toContain(desk.id);
  });

  it('names who calls the functions: the actor of the service, and else the process', async () => {
    await world.billing.projects.create({ name: 'By nobody' });
    const { store, chain, clock, random, crypto, sender } = world.billing.service;
    const named = createBilling({ store, chain, clock, random, crypto, sender, actor: 'alice' });
    await named.projects.create({ name: 'By Alice' });
    const actors = (await entriesOf(named)).map(({ actor, input }) => [
      (input as { name?: string }).name,
      actor,
    ]);
    expect(Object.fromEntries(actors)).toMatchObject({ 'By Alice': 'alice', 'By nobody': 'process' });
  });
});
