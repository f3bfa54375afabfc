import { aCommit, anEvent, aPlan, aSubscription, MADE_AT } from '@subrail/core/testing';
import pg from 'pg';
import { afterEach, expect, test, vi } from 'vitest';
import type { PostgresOptions } from '../index.js';
import { untilOneWaits } from './until-one-waits.js';
import { useDatabase } from './use-database.js';
import { storedPlan } from '../../tests/stored-plan.js';

const { open, operator: connect } = useDatabase();
afterEach(() => void vi.restoreAllMocks());

/** Opens a store, and notes the statements that it sends with their prepared names. */
async function opened(options: Partial<PostgresOptions> = {}) {
  const store = await open(options);
  const query = vi.spyOn(pg.Client.prototype, 'query');
  /** The statements that were sent since the last call. */
  const sent = () =>
    query.mock.calls
      .splice(0)
      .flatMap(([config]) => (typeof config === 'object' ? [config as unknown as Statement] : []));
  return { store, sent };
}

interface Statement {
  readonly text: string;
  readonly name?: string;
}

/** Stores a plan, and an event of a subscription to it. */
async function records(store: Awaited<ReturnType<typeof opened>>['store']) {
  const { project, plan } = await storedPlan(store);
  const subscription = aSubscription({ projectId: project.id, planId: plan.id });
  const event = anEvent({ projectId: project.id, subscriptionId: subscription.id });
  await store.commit([aCommit(subscription, { events: [event] })]);
  return { project, plan, event };
}

test('every list of events is prepared from its second call on', async () => {
  const { store, sent } = await opened();
  const { project, event } = await records(store);
  const lists = async () => {
    const found = [];
    for (const type of [null, event.type])
      for (const subscriptionId of [null, event.subscriptionId])
        for (const startingAfter of [null, event.id])
          found.push(
            await store.listEvents(
              project.id,
              MADE_AT,
              { type, subscriptionId },
              { limit: 20, startingAfter },
            ),
          );
    return found;
  };
  const page = { data: [event], hasMore: false };
  const rest = { data: [], hasMore: false };
  expect(await lists()).toEqual([page, rest, page, rest, page, rest, page, rest]);
  sent();
  await lists();
  const names = sent().map(({ name }) => name);
  expect(names).toHaveLength(12);
  expect(new Set(names).size).toBe(8);
  expect(names).not.toContain(undefined);
});

test('a name means the same statement at every host', async () => {
  const hosts = [await opened(), await opened()] as const;
  const { project, plan, event } = await records(hosts[0].store);
  // In another order at each.
  for (const call of ['first', 'second']) {
    expect([call, await hosts[0].store.findPlan(plan.id)]).toEqual([call, plan]);
    await hosts[0].store.findEvent(project.id, event.id);
  }
  for (const call of ['first', 'second']) {
    expect([call, await hosts[1].store.findEvent(project.id, event.id)]).toEqual([call, event]);
    await hosts[1].store.findPlan(plan.id);
  }
  // All hosts of this process are noted together.
  const texts = new Map<string, Set<string>>();
  for (const { name, text } of hosts[0].sent())
    if (name !== undefined) texts.set(name, (texts.get(name) ?? new Set()).add(text));
  expect(texts.size).toBe(2);
  for (const [name, meant] of texts) {
    expect(meant.size).toBe(1);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(63);
  }
});

test('without prepared statements none has a name', async () => {
  const { store, sent } = await opened({ preparedStatements: false });
  const { project, event } = await records(store);
  for (let call = 0; call < 3; call++) expect(await store.findEvent(project.id, event.id)).toEqual(event);
  const statements = sent();
  expect(statements.length).toBeGreaterThan(3);
  expect(statements.filter(({ name }) => name !== undefined)).toEqual([]);
});

test('a single statement that lost a deadlock runs again, and is prepared no sooner for it', async () => {
  const { store, sent } = await opened();
  const { project, plan } = await records(store);
  const second = aPlan({ projectId: project.id });
  await store.insertPlan(second);
  const operator = await connect();
  // So that the store's statement is the one which the server ends.
  await operator.query('set deadlock_timeout = 600000; begin');
  await operator.query('update plans set next_check_at = 1 where id = $1', [second.id]);
  sent();
  const checkAt = new Date(MADE_AT.getTime() + 1_000);
  const scheduling = store.schedulePlanChecks([plan.id, second.id], checkAt);
  await untilOneWaits(await connect());
  await operator.query('update plans set next_check_at = 1 where id = $1', [plan.id]);
  await operator.query('commit');
  await scheduling;

  const runs = sent().filter(({ text }) => text.startsWith('update "plans"'));
  expect(runs.length).toBeGreaterThanOrEqual(2);
  expect(runs.filter(({ name }) => name !== undefined)).toEqual([]);
  for (const { id } of [plan, second]) expect((await store.findPlan(id))?.nextCheckAt).toEqual(checkAt);
});
