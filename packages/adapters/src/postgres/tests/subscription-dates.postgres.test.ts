// Heavy: thousands of rows are claimed and charged.

import { sql } from 'kysely';
import { describe, expect, inject, test } from 'vitest';
import { migrate } from '../../kysely/index.js';
import { describeSubscriptionDates } from '../../kysely/tests/describe-subscription-dates.js';
import { emptyPostgres } from '../../kysely/tests/empty-postgres.js';

describe('on PostgreSQL', () => {
  const open = () => emptyPostgres(inject('postgres'));

  describeSubscriptionDates('PostgreSQL', open);

  test('the pages of subscriptions keep room for the rows that claims and charges write', async () => {
    const { db, traits, close } = await open();
    await migrate(db, traits);
    const { rows } = await sql`select reloptions from pg_class where relname = 'subscriptions'`.execute(db);
    expect(rows).toEqual([{ reloptions: ['fillfactor=90'] }]);
    await close();
  });
});
