import SqliteFile from 'better-sqlite3';
import { Kysely } from 'kysely';
import { expect, test } from 'vitest';
import { SqliteDialect } from '../../sqlite/dialect.js';
import { sqliteTraits } from '../engines/sqlite.js';
import type { Database } from '../index.js';
import { schemaIndexes } from '../migrations/indexes.js';
import { FIXED, SETTLED, subscriptionTable } from '../tables/subscriptions.js';
import { describeSubscriptionDates } from './describe-subscription-dates.js';

describeSubscriptionDates('SQLite', () => {
  const dialect = new SqliteDialect(new SqliteFile(':memory:'), 0);
  const close = () => dialect.close();
  return Promise.resolve({ db: new Kysely<Database>({ dialect }), traits: sqliteTraits, close });
});

test('no index of subscriptions names a column that claims and charges set', () => {
  const seldom: readonly string[] = [...FIXED, ...SETTLED];
  const often: readonly string[] = subscriptionTable.columns.filter((column) => !seldom.includes(column));
  expect(often).toEqual(expect.arrayContaining(['version', 'wake_at', 'next_try_at', 'last_event_at']));
  const indexes = schemaIndexes().filter(({ table }) => table === 'subscriptions');
  expect(indexes.length).toBeGreaterThan(10);
  for (const { name, create } of indexes) {
    const [, named = ''] = create.split(' on subscriptions ');
    const columns = named.match(/\w+/g) ?? [];
    expect([name, columns.filter((column) => often.includes(column))]).toEqual([name, []]);
  }
});
