import type { SubscriptionId } from '@subrail/core/ports';
import {
  aCommit,
  aDelivery,
  anAttempt,
  aMail,
  anEndpoint,
  anEvent,
  aPlan,
  aRefund,
  aSubscription,
  someFigures,
} from '@subrail/core/testing';
import SqliteFile from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openSqliteStore } from '../index.js';
import { scratchFile } from './scratch.js';
import { storedPlan } from '../../tests/stored-plan.js';

const NOW = new Date('2027-01-01T00:00:00.000Z');

const NO_CURSOR = null as SubscriptionId | null;

/** A store in a file with a project and a plan, whose rows can be damaged by SQL past the store. */
async function openShop() {
  const { path, remove } = scratchFile();
  const { store, close } = await openSqliteStore({ path });
  const { project, plan } = await storedPlan(store);
  return {
    ...{ store, project, plan },
    damage: (sql: string, ...values: readonly unknown[]): void => {
      const file = new SqliteFile(path);
      file.prepare(sql).run(...values);
      file.close();
    },
    close: async (): Promise<void> => {
      await close();
      remove();
    },
  };
}

test('a damaged row is claimed as unreadable, with its id and the cause, beside those that can be read', async () => {
  const { store, project, plan, damage, close } = await openShop();
  const [damaged, ...others] = [1, 2, 3].map(() => aSubscription({ projectId: project.id, planId: plan.id }));
  await store.commit([damaged, ...others].map((row) => aCommit(row ?? aSubscription())));
  damage('update subscriptions set paid_amount = ? where id = ?', 'many', damaged?.id);

  const { claimed, unreadable } = await store.claimDue(NOW, 10, 60_000);
  expect(claimed.map(({ subscription }) => subscription.id).sort()).toEqual(
    others.map(({ id }) => id).sort(),
  );
  expect(unreadable).toEqual([
    { id: damaged?.id, error: new SyntaxError('Cannot convert many to a BigInt') },
  ]);
  // It is leased like the others.
  expect(await store.claimDue(NOW, 10, 60_000)).toEqual({ claimed: [], unreadable: [] });
  await close();
});

// plans#damaged-plan
test('a damaged plan whose check is due is claimed as unreadable, and keeps no other from being claimed', async () => {
  const { store, project, damage, close } = await openShop();
  const [damaged, other] = [1, 2].map((number) =>
    aPlan({ projectId: project.id, nextCheckAt: new Date(NOW.getTime() - 1_000 + number) }),
  );
  if (damaged === undefined || other === undefined) throw new Error('Two plans were made.');
  for (const one of [damaged, other]) await store.insertPlan(one);
  damage('update plans set amount = ? where id = ?', 'many', damaged.id);

  expect(await store.claimPlanChecks(NOW, 9, 60_000)).toEqual({
    claimed: [{ ...other, nextCheckAt: new Date(NOW.getTime() + 60_000) }],
    unreadable: [{ id: damaged.id, error: new SyntaxError('Cannot convert many to a BigInt') }],
  });
  // It is leased like the other.
  expect(await store.claimPlanChecks(NOW, 9, 60_000)).toEqual({ claimed: [], unreadable: [] });
  await close();
});

// mails#order-of-tries
test('a damaged mail is claimed as unreadable, once, and keeps no other from being claimed', async () => {
  const { store, project, plan, damage, close } = await openShop();
  const subscription = aSubscription({ projectId: project.id, planId: plan.id });
  const [damaged, other] = [1, 2].map((ms) =>
    aMail({
      ...{ projectId: project.id, subscriptionId: subscription.id },
      nextAttemptAt: new Date(NOW.getTime() - 1_000 + ms),
    }),
  );
  if (damaged === undefined || other === undefined) throw new Error('Two mails were made.');
  await store.commit([aCommit(subscription, { mails: [damaged, other] })]);
  damage('update mails set facts = ? where id = ?', '{', damaged.id);

  const until = new Date(NOW.getTime() + 60_000);
  const unreadable = [{ id: damaged.id, error: expect.any(SyntaxError) as SyntaxError }];
  expect(await store.claimMails(NOW, 1, until)).toEqual({ mails: [], unreadable });
  expect(await store.claimMails(NOW, 1, until)).toEqual({
    mails: [{ ...other, nextAttemptAt: until }],
    unreadable: [],
  });
  expect(await store.claimMails(NOW, 9, until)).toEqual({ mails: [], unreadable: [] });
  expect((await store.claimMails(until, 9, until)).unreadable).toEqual(unreadable);
  await close();
});

test('a damaged held event is listed as unreadable, beside those that can be read', async () => {
  const { store, project, plan, damage, close } = await openShop();
  const subscription = aSubscription({ projectId: project.id, planId: plan.id, lastSequence: 2 });
  const events = [1, 2].map((sequence) =>
    anEvent({
      projectId: project.id,
      subscriptionId: subscription.id,
      sequence,
      data: null,
      heldState: { version: 1 },
    }),
  );
  await store.commit([aCommit(subscription, { events })]);
  damage('update events set held_state = ? where id = ?', '{', events[0]?.id);
  expect(await store.listHeldEvents(2, null)).toEqual({
    held: [events[1]],
    unreadable: [{ id: events[0]?.id, error: expect.any(SyntaxError) as SyntaxError }],
    next: { subscriptionId: subscription.id, sequence: 2 },
  });
  await close();
});

test('a damaged endpoint is listed as unreadable, and the list goes on after it', async () => {
  const { store, project, damage, close } = await openShop();
  const endpoints = [1, 2, 3].map(() => anEndpoint({ projectId: project.id }));
  for (const endpoint of endpoints) await store.insertEndpoint(endpoint);
  const [one, damaged, other] = endpoints.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  damage('update endpoints set secrets = ? where id = ?', '[', damaged?.id);

  expect(await store.listEndpointsAfter(null, 2)).toEqual({
    endpoints: [one],
    unreadable: [{ id: damaged?.id, error: expect.any(SyntaxError) as SyntaxError }],
    next: damaged?.id,
  });
  const listed = await store.listEndpoints(project.id);
  expect(listed.endpoints.map(({ id }) => id).toSorted()).toEqual([one?.id, other?.id].toSorted());
  expect(listed.unreadable.map(({ id }) => id)).toEqual([damaged?.id]);
  const { endpoints: rest, next } = await store.listEndpointsAfter(damaged?.id ?? null, 2);
  expect([rest, next]).toEqual([[other], null]);
  await close();
});

test('a damaged event or endpoint keeps no other delivery from being sent', async () => {
  const { store, project, plan, damage, close } = await openShop();
  const endpoints = [1, 2].map(() => anEndpoint({ projectId: project.id }));
  for (const endpoint of endpoints) await store.insertEndpoint(endpoint);
  const subscription = aSubscription({ projectId: project.id, planId: plan.id, lastSequence: 2 });
  const events = [1, 2].map((sequence) =>
    anEvent({ projectId: project.id, subscriptionId: subscription.id, sequence }),
  );
  const deliveries = endpoints.flatMap((endpoint) =>
    events.map((event) =>
      aDelivery({ projectId: project.id, eventId: event.id, endpointId: endpoint.id, nextAttemptAt: NOW }),
    ),
  );
  await store.commit([aCommit(subscription, { events, deliveries })]);
  damage('update events set data = ? where id = ?', '{', events[0]?.id);
  damage('update endpoints set secrets = ? where id = ?', '[', endpoints[1]?.id);

  const { claimed, unreadable } = await store.claimEndpoints(NOW, { healthy: 9, failing: 9 }, 60_000);
  expect(claimed.map(({ endpoint }) => endpoint.id)).toEqual([endpoints[0]?.id]);
  expect(unreadable).toEqual([{ id: endpoints[1]?.id, error: expect.any(SyntaxError) as SyntaxError }]);
  // It is leased like the other.
  const again = await store.claimEndpoints(NOW, { healthy: 9, failing: 9 }, 60_000);
  expect(again).toEqual({ claimed: [], unreadable: [] });

  const id = endpoints[0]?.id ?? anEndpoint().id;
  const until = new Date(NOW.getTime() + 1);
  const due = await store.listDueDeliveries(id, NOW, 9, until);
  expect(due.due.map(({ event }) => event.id)).toEqual([events[1]?.id]);
  expect(due.unreadable).toEqual([{ id: deliveries[0]?.id, error: expect.any(SyntaxError) as SyntaxError }]);
  expect(await store.listDueDeliveries(id, NOW, 9, until)).toEqual({ due: due.due, unreadable: [] });
  expect((await store.listDueDeliveries(id, until, 9, until)).unreadable).toHaveLength(1);
  await close();
});

test('a damaged subscription is set aside by a search, which goes on behind it', async () => {
  const { store, project, plan, damage, close } = await openShop();
  const rows = [1, 2, 3, 4].map(() => aSubscription({ projectId: project.id, planId: plan.id }));
  await store.commit(rows.map((row) => aCommit(row)));
  const [oldest, older, damaged, newest] = rows;
  damage('update subscriptions set paid_amount = ? where id = ?', 'many', damaged?.id);

  const all = {
    ...{ id: null, address: null, wallet: null, externalId: null, email: null },
    ...{ planId: null, status: null, late: null, blocked: null, failing: null, ending: null },
  };
  const search = async (startingAfter: typeof NO_CURSOR) => {
    const page = await store.searchSubscriptions(project.id, all, NOW, { limit: 2, startingAfter });
    if (page === 'unknown_cursor') throw new Error('The cursor was refused.');
    return { ...page, found: page.found.map(({ subscription }) => subscription.id) };
  };
  const first = await search(NO_CURSOR);
  expect(first).toEqual({
    found: [newest?.id],
    unreadable: [{ id: damaged?.id, error: new SyntaxError('Cannot convert many to a BigInt') }],
    next: damaged?.id,
  });
  expect(await search(first.next)).toEqual({ found: [older?.id, oldest?.id], unreadable: [], next: null });
  await close();
});

test('a search looks at no more than some thousand subscriptions, and says where to go on', async () => {
  const { store, project, plan, close } = await openShop();
  const of = { projectId: project.id, planId: plan.id };
  const blocked = { blockedSince: NOW, blockedReason: 'mesub' } as const;
  const rows = Array.from({ length: 9_500 }, (_, place) =>
    aSubscription({ ...of, ...(place === 0 ? {} : blocked) }),
  );
  await store.commit(rows.map((row) => aCommit(row)));
  const notBlocked = {
    ...{ id: null, address: null, wallet: null, externalId: null, email: null },
    ...{ planId: null, status: null, late: null, blocked: false, failing: null, ending: null },
  };
  const search = async (startingAfter: typeof NO_CURSOR) => {
    const page = await store.searchSubscriptions(project.id, notBlocked, NOW, { limit: 20, startingAfter });
    if (page === 'unknown_cursor') throw new Error('The cursor was refused.');
    return { ...page, found: page.found.map(({ subscription }) => subscription.id) };
  };
  const first = await search(NO_CURSOR);
  expect(first).toMatchObject({ found: [], next: rows[9_500 - 9_021]?.id });
  expect(await search(first.next)).toMatchObject({ found: [rows[0]?.id], next: null });
  await close();
});

test('damaged figures fail a read that says of which day, and no merge of others', async () => {
  const { store, project, plan, damage, close } = await openShop();
  const of = { projectId: project.id, planId: plan.id };
  const [first, second] = [new Date(0), new Date(86_400_000)];
  const [damaged, one, other] = [first, second, second].map((day) => someFigures({ ...of, day }));
  if (damaged === undefined || one === undefined || other === undefined) throw new Error('Three were made.');
  await store.addFigures([damaged, one, other]);
  damage('update figures set sums = ? where id = ?', '{', damaged.id);
  await expect(store.readFigures(project.id, first, NOW)).rejects.toMatchObject({
    name: 'UnreadableFigures',
    day: first,
  });
  // The damaged addition is looked at once, and stands before no other after that.
  expect(await store.mergeFigures(1)).toBe(1);
  expect(await store.mergeFigures(2)).toBe(2);
  expect(await store.mergeFigures(9)).toBe(0);
  expect(await store.readFigures(project.id, second, NOW)).toMatchObject([{ sums: { paid: 2n } }]);
  await store.replaceFigures(project.id, first, []);
  expect(await store.readFigures(project.id, first, NOW)).toHaveLength(1);
  await close();
});

// invariants#damaged-row-set-aside
test('what is added to damaged figures is joined apart from them, and merging goes on and loses nothing', async () => {
  const { store, project, plan, damage, close } = await openShop();
  const of = { projectId: project.id, planId: plan.id };
  const [first, second] = [new Date(0), new Date(86_400_000)];
  const add = (count: number, day: Date) =>
    store.addFigures(Array.from({ length: count }, () => someFigures({ ...of, day })));
  await add(2, first);
  await store.mergeFigures(9);
  damage("update figures set sums = '{' where merged = 1");
  await add(4, first);
  await add(2, second);
  expect(await store.mergeFigures(3)).toBe(3);
  expect(await store.mergeFigures(3)).toBe(3);
  expect(await store.mergeFigures(9)).toBe(0);
  expect(await store.readFigures(project.id, second, NOW)).toMatchObject([{ sums: { paid: 2n } }]);
  damage(`update figures set sums = '{"paid":"2"}' where sums = '{'`);
  expect(await store.readFigures(project.id, first, second)).toMatchObject([{ sums: { paid: 6n } }]);
  await close();
});

test('a damaged subscription or attempt is left out of a report, and named', async () => {
  const { store, project, plan, damage, close } = await openShop();
  const [damaged, other] = [1, 2].map(() => {
    const subscription = aSubscription({ projectId: project.id, planId: plan.id });
    return { subscription, attempt: anAttempt({ subscriptionId: subscription.id }) };
  });
  if (damaged === undefined || other === undefined) throw new Error('Two subscriptions were made.');
  await store.commit(
    [damaged, other].map(({ subscription, attempt }) => aCommit(subscription, { attempts: [attempt] })),
  );
  damage('update subscriptions set late = ? where id = ?', '{', damaged.subscription.id);
  damage('update attempts set amount = ? where id = ?', 'many', damaged.attempt.id);

  const { due, unreadable } = await store.listByNextTry(project.id, null, 9);
  expect(due.map(({ subscription }) => subscription.id)).toEqual([other.subscription.id]);
  expect(unreadable.map(({ id }) => id)).toEqual([damaged.subscription.id]);
  const listed = await store.listProjectAttempts(project.id, new Date(0), NOW, null, 9);
  expect(listed.attempts.map(({ id }) => id)).toEqual([other.attempt.id]);
  expect(listed.unreadable.map(({ id }) => id)).toEqual([damaged.attempt.id]);
  const any = {
    ...{ id: null, address: null, wallet: null, externalId: null, email: null, planId: null },
    ...{ since: null, until: null, mint: null, outcome: null, reason: null, signature: null },
  };
  const payments = await store.searchPayments(project.id, any, { limit: 9, startingAfter: null });
  expect(payments).toMatchObject({ found: [{ attempt: { id: other.attempt.id } }], next: null });
  expect(payments !== 'unknown_cursor' && payments.unreadable.map(({ id }) => id)).toEqual([
    damaged.attempt.id,
  ]);
  await close();
});

test('a damaged refund is listed by its attempt, beside others, and nothing more of that is given back', async () => {
  const { store, project, plan, damage, close } = await openShop();
  const subscription = aSubscription({ projectId: project.id, planId: plan.id });
  const attempts = [1, 2].map((day) =>
    anAttempt({ subscriptionId: subscription.id, periodStart: new Date(day * 86_400_000) }),
  );
  await store.commit([aCommit(subscription, { attempts })]);
  const [damaged, other] = attempts.map(({ id }) =>
    aRefund({ projectId: project.id, attemptId: id, amount: 1n }),
  );
  if (damaged === undefined || other === undefined) throw new Error('Two refunds were made.');
  const limits = { charged: 9n, received: 1n, wallet: subscription.wallet, mint: plan.mint };
  for (const one of [damaged, other]) await store.insertRefund(one, limits);
  damage('update refunds set amount = ? where signature = ?', 'many', damaged.signature);

  const error = new SyntaxError('Cannot convert many to a BigInt');
  expect(await store.listRefunds(attempts.map(({ id }) => id))).toEqual({
    refunds: [other],
    unreadable: [{ id: damaged.attemptId, error }],
  });
  const another = aRefund({ projectId: project.id, attemptId: damaged.attemptId, amount: 1n });
  await expect(store.insertRefund(another, limits)).rejects.toThrow(error);
  await close();
});
