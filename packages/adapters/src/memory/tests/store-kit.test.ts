import type { FullStore, StoreCapability } from '@subrail/core/ports';
import {
  storeConformance,
  withCapabilities,
  type StoreConformanceOptions,
  type StoreUnderTest,
  type TestFunction,
} from '@subrail/core/testing';
import { describe, expect, it, test } from 'vitest';
import { createMemoryStore, type MemoryStore } from '../index.js';
import { transacting } from './break-store.js';
import { BROKEN_DELIVERIES } from './broken-deliveries.js';
import { BROKEN_CLAIMS } from './broken-claims.js';
import { BROKEN_TRANSACTIONS } from './broken-transactions.js';
import { BROKEN_FIGURES } from './broken-figures.js';
import { BROKEN_HELD_EVENTS } from './broken-held-events.js';
import { BROKEN_MAILS } from './broken-mails.js';
import { BROKEN_MANAGEMENT } from './broken-management.js';
import { BROKEN_KEYS_AND_PLANS } from './broken-keys-and-plans.js';
import { BROKEN_ORDERS, BROKEN_READS } from './broken-reads.js';
import { BROKEN_COMMITS, BROKEN_PROJECTS, BROKEN_RULES } from './broken-writes.js';
import { BROKEN_RECEIPTS } from './broken-receipts.js';
import { BROKEN_REPORTS } from './broken-reports.js';
import { BROKEN_RETENTION } from './broken-retention.js';
import { BROKEN_SESSIONS } from './broken-sessions.js';
import { BROKEN_SEATS } from './broken-seats.js';
import { rawMemory } from './raw-memory.js';

const METHODS_TEST = 'has every method of the tiers that the kit tests, and no other, in transactions too';

const BROKEN_STORES = [
  {
    promise: METHODS_TEST,
    fault: 'lacks a method',
    create: () => ({ ...createMemoryStore(), listByWallet: undefined as never }),
  },
  {
    promise: METHODS_TEST,
    fault: 'lacks a method in transactions',
    create: transacting(
      (store) => (work) =>
        store.transaction((operations) => work({ ...operations, listByWallet: undefined as never })),
    ),
  },
  ...BROKEN_READS,
  ...BROKEN_SEATS,
  ...BROKEN_ORDERS,
  ...BROKEN_COMMITS,
  ...BROKEN_RULES,
  ...BROKEN_PROJECTS,
  ...BROKEN_CLAIMS,
  ...BROKEN_DELIVERIES,
  ...BROKEN_TRANSACTIONS,
  ...BROKEN_RETENTION,
  ...BROKEN_REPORTS,
  ...BROKEN_RECEIPTS,
  ...BROKEN_FIGURES,
  ...BROKEN_MAILS,
  ...BROKEN_HELD_EVENTS,
  ...BROKEN_MANAGEMENT,
  ...BROKEN_KEYS_AND_PLANS,
  ...BROKEN_SESSIONS,
];

const EVERY_CAPABILITY: readonly StoreCapability[] = [
  'WalletStore',
  'SessionStore',
  'ManagementStore',
  'ReportStore',
  'FigureStore',
  'MailStore',
  'RetentionStore',
];

type Body = () => Promise<void>;

/** The tests that the kit registers, by the promise that each one checks. */
function kit(open: () => Promise<StoreUnderTest>, options: StoreConformanceOptions = {}): Map<string, Body> {
  const tests = new Map<string, Body>();
  storeConformance((name, body) => tests.set(name, body), open, options);
  return tests;
}

const volatileKit = (create: () => MemoryStore, capabilities = EVERY_CAPABILITY) =>
  kit(
    async () => {
      const store = create();
      return { store, peer: store, raw: rawMemory(store.tables), close: async () => undefined };
    },
    { volatile: true, capabilities },
  );

// Every promise has a store that breaks it, on which the kit's test of the promise fails and names it.
describe('the store kit fails on a store that', () => {
  it.each(BROKEN_STORES)('$fault: $promise', async ({ promise, create }) => {
    await expect(volatileKit(createMemoryStore).get(promise)?.()).resolves.toBeUndefined();
    await expect(volatileKit(create).get(promise)?.()).rejects.toThrow(
      `The store does not keep its promise: ${promise}. `,
    );
  });
});

it('has a broken store for every promise of the store kit', () => {
  const broken = new Set(BROKEN_STORES.map(({ promise }) => promise));
  const promises = [...volatileKit(createMemoryStore).keys()];
  expect(promises.filter((promise) => !broken.has(promise))).toEqual([]);
});

const OF_REQUIRED = new Set(
  [...volatileKit(createMemoryStore, []).keys()].filter((promise) => promise !== METHODS_TEST),
);

// The tests of a tier need no other one: the required tier alone, and each capability beside it.
describe.each([[], ...EVERY_CAPABILITY.map((name) => [name])])(
  'the store kit on a store with the capability %s',
  (...capabilities) => {
    const open = async () => {
      const { tables, ...full } = createMemoryStore();
      const store = withCapabilities(full, capabilities);
      return { store, peer: store, raw: rawMemory(tables), close: async () => undefined };
    };
    const own: TestFunction = (promise, check) => {
      if (capabilities.length === 0 || !OF_REQUIRED.has(promise)) test(promise, check);
    };
    storeConformance(own, open, { volatile: true, capabilities });
  },
);

it('fails a store that has a capability which the kit was not told of', async () => {
  await expect(volatileKit(createMemoryStore, ['ReportStore']).get(METHODS_TEST)?.()).rejects.toThrow(
    'Expected the methods of a store with the required tier, ReportStore to be',
  );
});

type Call = (store: FullStore) => Promise<unknown>;

/**
 * A memory store with a log on a pretended disk: opened again, it repeats the logged writes. Calls of the
 * method that it `forgets` are not logged.
 */
function logged(forgets: string | null): StoreUnderTest {
  const log: Call[] = [];
  const reading = /^(find|list|count|next|search)/;
  const open = () => {
    const memory = createMemoryStore();
    const store = new Proxy<FullStore>(memory, {
      get(target, name) {
        const method = Reflect.get(target, name) as (...args: unknown[]) => Promise<unknown>;
        if (typeof name !== 'string' || reading.test(name)) return method;
        return async (...args: unknown[]) => {
          const result = await method(...args);
          // What threw or was lost wrote nothing, or writes nothing again.
          if (name !== forgets)
            log.push((again) => Reflect.apply(Reflect.get(again, name) as never, again, args));
          return result;
        };
      },
    });
    return { memory, store };
  };
  const { memory, store } = open();
  return {
    store,
    peer: store,
    raw: rawMemory(memory.tables),
    async reopen() {
      const fresh = createMemoryStore();
      for (const call of log) await call(fresh);
      return fresh;
    },
    close: async () => undefined,
  };
}

describe('the durability of the store kit', () => {
  const names = [...kit(async () => logged(null)).keys()].filter((name) => name.includes('opened again'));
  const methodOf = (name: string) => /^keeps what (\w+) wrote/.exec(name)?.[1] ?? null;

  it.each(names)('passes a store that %s', async (name) => {
    await expect(kit(async () => logged(null)).get(name)?.()).resolves.toBeUndefined();
  });

  it.each(names.filter((name) => methodOf(name) !== null))('fails when nothing %s', async (name) => {
    await expect(kit(async () => logged(methodOf(name))).get(name)?.()).rejects.toThrow(
      `The store does not keep its promise: ${name}. `,
    );
  });

  it('fails a store that has no `reopen` and does not say that it is volatile', async () => {
    const { store, peer, raw } = logged(null);
    const withoutReopen = { store, peer, raw, close: async () => undefined };

    for (const name of names)
      await expect(kit(async () => withoutReopen).get(name)?.()).rejects.toThrow(
        'Expected the harness to have `reopen`',
      );
  });
});
