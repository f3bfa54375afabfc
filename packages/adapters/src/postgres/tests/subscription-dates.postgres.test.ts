import { emptyDatabase } from '@subrail/test-postgres';
import { sql } from 'kysely';
import { expect, inject, test } from 'vitest';
import { migrate } from '../../kysely/index.js';
import { describeSubscriptionDates } from '../../kysely/tests/describe-subscription-dates.js';
import { openMovablePostgres } from '../index.js';

async function open() {
  const database = await emptyDatabase(inject('postgres')[18]);
  const { db, traits, close } = await openMovablePostgres({ url: database.url });
  return {
    db,
    traits,
    close: async () => {
      await close();
      await database.drop();
    },
  };
}

describeSubscriptionDates('PostgreSQL', open);

test('the pages of subscriptions keep room for the rows that claims and charges write', async () => {
  const { db, traits, close } = await open();
  await migrate(db, traits);
  const { rows } = await sql`select reloptions from pg_class where relname = 'subscriptions'`.execute(db);
  expect(rows).toEqual([{ reloptions: ['fillfactor=90'] }]);
  await close();
});
