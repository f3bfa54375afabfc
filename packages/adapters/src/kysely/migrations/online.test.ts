import { describe, expect, test } from 'vitest';
import { MIGRATIONS } from './index.js';
import { indexesForLater } from './online.js';

describe('an index is built after the migrations', () => {
  const before = ['create table old (id text)', 'create index old_id on old (id)'];
  const later = (...missing: string[]) => [...indexesForLater(before, missing)];

  test('of a table that was there', () => {
    const statements = ['create index one on old (id)', 'create unique index two on old (id) where id > 1'];
    expect(later('alter table old add column name text', ...statements)).toEqual(statements);
  });

  test('but in the order of the statements where a migration makes the table, also in the place of another one', () => {
    expect(later('create table new (id text)', 'create index new_id on new (id)')).toEqual([]);
    expect(
      later(
        'create table other (id text)',
        'drop table old',
        'alter table other rename to old',
        before[1] ?? '',
      ),
    ).toEqual([]);
  });

  test('but in the order of the statements where another index of its name is dropped', () => {
    expect(later('drop index old_id', 'create unique index old_id on old (id)')).toEqual([]);
  });

  test('but at once in a new database', () => {
    expect([...indexesForLater([], before)]).toEqual([]);
  });
});

/** What changes a large table in a moment, or leaves it alone. */
const QUICK =
  /^(create table |create (unique )?index |create or replace function |create trigger |alter table \w+ add column \w+ \w+( not null default '?\w*'?)?$)/;

test('no migration after the first release rewrites a table that hosts are using', () => {
  const slow = Object.entries(MIGRATIONS).filter(([, steps]) =>
    steps
      .flatMap((step) => (typeof step === 'string' ? [step] : step.postgres))
      .some((statement) => !QUICK.test(statement)),
  );
  // These are of before 0.1.0: on PostgreSQL they run on an empty database only.
  expect(slow.map(([name]) => name)).toEqual([
    '0002_expired_checkouts',
    '0003_plain_names',
    '0006_access_dates',
    '0008_chain_checks',
    '0009_shared_transactions',
    '0012_delivery_log',
    '0013_event_positions',
    '0019_reports',
    '0025_subscription_dates',
  ]);
});
