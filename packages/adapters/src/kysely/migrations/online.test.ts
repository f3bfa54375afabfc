import { describe, expect, test } from 'vitest';
import type { Migrations } from './for-engine.js';
import { MIGRATIONS } from './index.js';
import { indexesForLater } from './online.js';

describe('an index is built after the migrations', () => {
  const before = ['create table old (id text)', 'create index old_id on old (id)'];
  const later = (...missing: string[]) => [...indexesForLater(before, missing)];

  test('of a table that was there', () => {
    const statements = ['create index one on old (id)', 'create unique index two on old (id) where id > 1'];
    expect(later('alter table old add column name text', ...statements)).toEqual(statements);
  });

  test('but in the order of the statements where a migration makes the table', () => {
    expect(later('create table new (id text)', 'create index new_id on new (id)')).toEqual([]);
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

/** The migrations after the first, which runs on an empty database only, that would keep hosts waiting. */
function slowAmong(migrations: Migrations): readonly string[] {
  return Object.entries(migrations)
    .slice(1)
    .filter(([, steps]) =>
      steps
        .flatMap((step) => (typeof step === 'string' ? [step] : step.postgres))
        .some((statement) => !QUICK.test(statement)),
    )
    .map(([name]) => name);
}

test('no migration rewrites a table that hosts are using', () => {
  expect(slowAmong(MIGRATIONS)).toEqual([]);
  const slow = {
    '9990_values': [`update plans set slug = 'a'`],
    '9991_required': ['alter table plans add column note text not null'],
    '9992_renamed': ['alter table plans rename column slug to path'],
    '9993_type': ['alter table plans alter column decimals type bigint'],
    '9994_dropped': ['drop index plans_ends'],
    '9995_of_engine': [{ sqlite: [], postgres: ['alter table plans set (fillfactor = 90)'] }],
  };
  expect(slowAmong({ ...MIGRATIONS, ...slow })).toEqual(Object.keys(slow));
});
