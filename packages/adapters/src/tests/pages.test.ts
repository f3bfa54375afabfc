import { createBilling, createHandler } from '@subrail/core';
import type { Chain, IdOf, FullStore, Subscription } from '@subrail/core/ports';
import {
  MADE_AT,
  ManualClock,
  SeededRandom,
  aCommit,
  aSubscription,
  anAttempt,
  anEvent,
  partialPort,
} from '@subrail/core/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../memory/index.js';
import { createCrypto } from '../node/index.js';
import { openSqliteStore } from '../sqlite/index.js';
import { storedPlan } from './stored-plan.js';

const BASE62 = Array.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz');

/** A row of a list: its instant, and its id, which decides the order within one instant. */
const row = fc.record({
  ms: fc.constantFrom(0, 1, 1, 1, 2, 500),
  letters: fc.string({ unit: fc.constantFrom(...BASE62), minLength: 24, maxLength: 24 }),
});
type Row = typeof row extends fc.Arbitrary<infer One> ? One : never;

/** How a reader reads the pages of a list while rows are written. */
const scenario = fc
  .record({
    limit: fc.integer({ min: 1, max: 5 }),
    /** The rows that exist when the first page is read. */
    existing: fc.array(row, { maxLength: 12 }),
    /** The rows that are written before each further page. */
    written: fc.array(fc.array(row, { maxLength: 3 }), { maxLength: 8 }),
  })
  .filter(({ existing, written }) => {
    const ids = [...existing, ...written.flat()].map(({ letters }) => letters);
    return new Set(ids).size === ids.length;
  });

const idOf = <Kind extends keyof IdOf>(kind: Kind, { letters }: Row) =>
  `${kind}_${letters}` as unknown as IdOf[Kind];
const at = ({ ms }: Row) => new Date(MADE_AT.getTime() + ms);

/** A list of the contract: its path, and how to write its rows. */
interface List {
  readonly prefix: keyof IdOf;
  path(subscription: Subscription): string;
  write(store: FullStore, subscription: Subscription, rows: readonly Row[]): Promise<Subscription>;
  /** The rows in the order of the list, given in the order of writing. */
  readonly ordered: (rows: readonly Row[]) => readonly Row[];
}

const newestFirst = (rows: readonly Row[]) =>
  rows.toSorted((a, b) => b.ms - a.ms || (a.letters < b.letters ? 1 : -1));

async function committed(
  store: FullStore,
  subscription: Subscription,
  more: object = {},
): Promise<Subscription> {
  expect(await store.commit([aCommit(subscription, more)])).toBe('committed');
  return { ...subscription, version: subscription.version + 1 };
}

const LISTS: Readonly<Record<string, List>> = {
  subscriptions: {
    prefix: 'sub',
    path: () => '/v1/subscriptions?external_id=reader',
    ordered: newestFirst,
    async write(store, subscription, rows) {
      const { projectId, planId, wallet } = subscription;
      for (const one of rows) {
        const of = { projectId, planId, wallet, externalId: 'reader', status: 'ended' as const };
        await committed(store, aSubscription({ ...of, id: idOf('sub', one), createdAt: at(one) }));
      }
      return subscription;
    },
  },
  attempts: {
    prefix: 'att',
    path: ({ id }) => `/v1/subscriptions/${id}/attempts?`,
    ordered: newestFirst,
    write: (store, subscription, rows) =>
      committed(store, subscription, {
        attempts: rows.map((one) =>
          anAttempt({
            ...{ id: idOf('att', one), subscriptionId: subscription.id, attemptedAt: at(one) },
            ...{ outcome: 'skipped', reason: 'cancelled' },
          }),
        ),
      }),
  },
  events: {
    prefix: 'evt',
    path: () => '/v1/events?',
    ordered: (rows) => rows.toReversed(),
    write: (store, subscription, rows) =>
      committed(
        store,
        { ...subscription, lastSequence: subscription.lastSequence + rows.length },
        {
          events: rows.map((one, index) =>
            anEvent({
              ...{ id: idOf('evt', one), projectId: subscription.projectId, subscriptionId: subscription.id },
              ...{ createdAt: at(one), sequence: subscription.lastSequence + index + 1 },
            }),
          ),
        },
      ),
  },
};

async function open(store: FullStore) {
  const { project, plan } = await storedPlan(store);
  const first = aSubscription({ projectId: project.id, planId: plan.id });
  const billing = createBilling({
    store,
    chain: partialPort<Chain>({ network: 'devnet' }),
    clock: new ManualClock(new Date(MADE_AT.getTime() + 1000)),
    random: new SeededRandom(1),
    crypto: createCrypto(new Uint8Array(32).fill(7)),
    sender: { post: () => Promise.reject(new Error('No delivery is expected.')) },
  });
  const { key } = await billing.project(project.id).keys.create();
  const handler = createHandler(billing);
  return {
    subscription: await committed(store, first),
    get: async (path: string) => {
      const headers = { Authorization: `Bearer ${key}` };
      const response = await handler(new Request(`https://billing.example${path}`, { headers }));
      expect(response.status).toBe(200);
      return (await response.json()) as { data: { id: string }[]; has_more: boolean };
    },
  };
}

interface Opened {
  readonly store: FullStore;
  readonly close: () => Promise<void>;
}

const STORES: Readonly<Record<string, () => Promise<Opened>>> = {
  memory: () => Promise.resolve({ store: createMemoryStore(), close: () => Promise.resolve() }),
  SQLite: () => openSqliteStore({ path: ':memory:' }),
};

const cases = Object.entries(LISTS).flatMap(([name, list]) =>
  Object.entries(STORES).map(([kind, openStore]) => ({ name, list, kind, openStore })),
);

// lists#keyset-pagination, events#events-list-in-writing-order
describe('pages of a list neither skip nor repeat rows while others are written, also at the same instant', () => {
  it.each(cases)('$name on $kind', async ({ list, kind, openStore }) => {
    await fc.assert(
      fc.asyncProperty(scenario, async ({ limit, existing, written }) => {
        const { store, close } = await openStore();
        const { subscription, get } = await open(store);
        let latest = await list.write(store, subscription, existing);
        const seen: string[] = [];
        for (let page = 0; ; page++) {
          const cursor = seen.length === 0 ? '' : `&starting_after=${seen.at(-1) ?? ''}`;
          const { data, has_more } = await get(`${list.path(subscription)}&limit=${limit}${cursor}`);
          seen.push(...data.map(({ id }) => id));
          expect(data.length).toBeLessThanOrEqual(limit);
          if (!has_more) break;
          expect(data).toHaveLength(limit);
          latest = await list.write(store, latest, written[page] ?? []);
        }
        await close();
        expect(new Set(seen).size).toBe(seen.length);
        const expected = list.ordered(existing).map((one) => String(idOf(list.prefix, one)));
        expect(seen.filter((id) => expected.includes(id))).toEqual(expected);
      }),
      // To open a database takes longer than to read its pages.
      { numRuns: kind === 'SQLite' ? 20 : 60 },
    );
  });
});
