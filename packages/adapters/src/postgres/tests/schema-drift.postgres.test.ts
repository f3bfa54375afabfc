// Heavy: each way in which a schema drifts has its own database, which is migrated first.

import { aCommit, aSubscription, MADE_AT } from '@subrail/core/testing';
import { emptyDatabase, type EmptyDatabase } from '@subrail/test-postgres';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { openPostgresStore, pendingPostgresMigrations } from '../index.js';
import { storedPlan } from '../../tests/stored-plan.js';

describe('a schema on PostgreSQL that is not the one of its migrations', () => {
  let migrated: EmptyDatabase;
  beforeAll(async () => {
    migrated = await emptyDatabase(inject('postgres'));
    await (await openPostgresStore({ url: migrated.url })).close();
  });
  afterAll(() => migrated.drop());

  let database: EmptyDatabase;
  let operator: pg.Client;
  const copy = async () => {
    database = await emptyDatabase(inject('postgres'), migrated.url);
    operator = new pg.Client({ connectionString: database.url });
    await operator.connect();
  };
  const drop = async () => {
    await operator.end();
    await database.drop();
  };

  async function open() {
    await (await openPostgresStore({ url: database.url })).close();
    return 'it was opened';
  }
  const refusal = () => open().catch(String);

  const BEGINS = 'SchemaDriftError: The schema of the database is not the one that its migrations made: ';

  /** The statements of a refusal that mend what differs. */
  const mendingOf = (refused: string) => /make what differs again: (.*)$/s.exec(refused)?.[1] ?? '';

  describe('is refused for an index', () => {
    // Each test leaves it mended.
    beforeAll(copy);
    afterAll(drop);

    // invariants#one-payment-per-period
    test.each([
      ['is not unique', 'create index transfers_open on transfers (subscription_id) where state = $$open$$'],
      [
        'guards another column',
        'create unique index transfers_open on transfers (id) where state = $$open$$',
      ],
      [
        'has another predicate',
        'create unique index transfers_open on transfers (subscription_id) where state = $$Open$$',
      ],
      ['has no predicate', 'create unique index transfers_open on transfers (subscription_id)'],
      [
        'has the columns in another order',
        'create unique index transfers_signature on transfers (payment_index, signature)',
      ],
      [
        'has a column more',
        'create unique index transfers_signature on transfers (signature, payment_index, id)',
      ],
      [
        'carries a column',
        'create unique index transfers_signature on transfers (signature, payment_index) include (id)',
      ],
      [
        'has a column of another collation',
        'create unique index transfers_signature on transfers (signature collate "POSIX", payment_index)',
      ],
      [
        'is descending',
        'create unique index transfers_signature on transfers (signature, payment_index desc)',
      ],
      [
        'has the nulls first',
        'create unique index transfers_signature on transfers (signature, payment_index nulls first)',
      ],
      [
        'takes nulls for alike',
        'create unique index transfers_signature on transfers (signature, payment_index) nulls not distinct',
      ],
      ['is of another kind', 'create index endpoints_project on endpoints using hash (project_id)'],
      [
        'has another expression',
        'create unique index transfers_landed on transfers (subscription_id, coalesce(period_start, 1)) where state = $$landed$$',
      ],
      [
        'has = instead of <>',
        'create unique index plans_name on plans (project_id, name) where status = $$failed$$',
      ],
      [
        'has other values',
        'create unique index subscriptions_running on subscriptions (plan_id, wallet) where status in ($$active$$, $$cancelled$$)',
      ],
      [
        'has or instead of and',
        'create index deliveries_unfinished_tests on deliveries (created_at) where event_id is null or state = $$pending$$',
      ],
      ['is of another table', 'create index events_created on subscriptions (created_at, id)'],
    ])('that %s, and is mended by the statements', async (_, create) => {
      const [, name = ''] = /index (\w+)/.exec(create) ?? [];
      await operator.query(`drop index ${name}; ${create}`);
      const refused = await refusal();
      expect(refused).toContain(`${BEGINS}${name} was changed. Nothing was changed. Stop every host`);
      await operator.query(mendingOf(refused));
    });

    test('until it is mended', async () => {
      expect(await open()).toBe('it was opened');
    });
  });

  describe('of a database of its own', () => {
    beforeEach(copy);
    afterEach(drop);

    test.each([
      ['is missing', 'drop trigger subscription_dates_updated on subscriptions'],
      ['was changed', 'alter table subscriptions disable trigger subscription_dates_updated'],
      [
        'was changed',
        `drop trigger subscription_dates_updated on subscriptions;
       create trigger subscription_dates_updated after delete on subscriptions for each row execute function keep_subscription_dates()`,
      ],
      [
        'was changed',
        `drop trigger subscription_dates_updated on subscriptions;
       create trigger subscription_dates_updated after update of status on subscriptions for each row execute function keep_subscription_dates()`,
      ],
      [
        'was changed',
        'create or replace function keep_subscription_dates() returns trigger language plpgsql as $$ begin return null; end $$',
      ],
    ])('is refused when a trigger %s, and is mended by the statements', async (what, change) => {
      const { store, close } = await openPostgresStore({ url: database.url });
      const { project, plan } = await storedPlan(store);
      await store.commit([
        aCommit(aSubscription({ projectId: project.id, planId: plan.id, wakeAt: MADE_AT })),
      ]);
      await close();
      await operator.query(change);
      await operator.query('update subscriptions set wake_at = wake_at + 1000');
      const refused = await refusal();
      expect(refused).toMatch(new RegExp(`^SchemaDriftError: .* subscription_dates_updated ${what}\\.`));
      await operator.query(mendingOf(refused));
      const mended = await openPostgresStore({ url: database.url });
      expect(await mended.store.nextWakeAt()).toEqual(new Date(MADE_AT.getTime() + 1000));
      await mended.close();
    });

    test.each([
      [
        'columns that differ',
        `alter table projects drop column logo_url, alter column name drop not null, alter column subscriber_limit type bigint,
         alter column cancel_url set not null, alter column tier type text collate "POSIX"`,
        'projects.name was changed, projects.tier was changed, projects.logo_url is missing, projects.cancel_url was changed, projects.subscriber_limit was changed',
      ],
      [
        'columns with another default',
        `alter table transfers alter column payment_index set default 0;
       alter table subscriptions alter column has_held_events set default 1`,
        'subscriptions.has_held_events was changed, transfers.payment_index was changed',
      ],
      [
        'primary keys that differ',
        `alter table audit_entries drop constraint audit_entries_pkey;
       alter table delivery_attempts drop constraint delivery_attempts_pkey, add primary key (number, delivery_id)`,
        'the primary key (delivery_id, number) of delivery_attempts is missing, the primary key (id) of audit_entries is missing',
      ],
      [
        'a column and a table that are missing with their indexes',
        'alter table transfers drop column payment_index; drop table management_keys',
        'transfers.payment_index is missing, the table management_keys is missing, transfers_signature is missing, management_keys_hash is missing',
      ],
    ])('is refused for %s, and only a backup mends it', async (_, change, differing) => {
      await operator.query(change);
      expect(await refusal()).toBe(`${BEGINS}${differing}. Nothing was changed. Restore the newest backup.`);
    });

    test('is refused without a foreign key, and is mended by the statements', async () => {
      await operator.query(
        `alter table plans drop constraint plans_project_id_fkey;
       alter table delivery_attempts drop constraint delivery_attempts_delivery_id_fkey,
         add foreign key (delivery_id) references deliveries (id);
       alter table subscriptions drop constraint subscriptions_previous_id_fkey,
         add foreign key (previous_id) references subscriptions (id) not valid`,
      );
      const refused = await refusal();
      const missing = [
        'the foreign key (project_id) references projects (id) of plans is missing',
        'the foreign key (previous_id) references subscriptions (id) of subscriptions is missing',
        'the foreign key (delivery_id) references deliveries (id) on delete cascade of delivery_attempts is missing',
      ];
      expect(refused).toContain(`${BEGINS}${missing.join(', ')}. Nothing was changed. Stop every host`);
      await expect(pendingPostgresMigrations({ url: database.url })).rejects.toThrow(missing[0]);
      await operator.query(mendingOf(refused));
      expect(await open()).toBe('it was opened');
    });

    test('is not seen in what its owner added, in indexes that are filled otherwise, and in those made from its own definitions', async () => {
      await operator.query(`
      create table notes (text text);
      create index of_mine on plans (name);
      alter table projects add column note text;
      alter table projects add foreign key (note) references projects (id);
      alter index transfers_open set (fillfactor = 70);
      do $$ declare made record; begin
        for made in select indexrelid::regclass as name, pg_get_indexdef(indexrelid) as definition from pg_index
          where indrelid in ('subscriptions'::regclass, 'transfers'::regclass) and not indisprimary
        loop
          execute format('drop index %s', made.name);
          execute made.definition;
        end loop;
      end $$`);
      expect(await open()).toBe('it was opened');
    });
  });
});
