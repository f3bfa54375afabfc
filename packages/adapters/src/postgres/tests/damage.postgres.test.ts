import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { aCommit, aProject, aSubscription, MADE_AT } from '@subrail/core/testing';
import { emptyDatabase } from '@subrail/test-postgres';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { storedPlan } from '../../tests/stored-plan.js';
import { DamagedDatabaseError, openPostgresStore } from '../index.js';

const PAGE = 8192;

test('once the server reports damage nothing is written any more, and what can be read is read', async () => {
  const server = inject('postgres');
  const original = await emptyDatabase(server);
  const opened = await openPostgresStore({ url: original.url });
  const { project, plan } = await storedPlan(opened.store);
  const due = aSubscription({ projectId: project.id, planId: plan.id, wakeAt: MADE_AT });
  await opened.store.commit([aCommit(due)]);
  await opened.close();
  // The server has no page of a copied file in memory, so it reads what is overwritten here.
  const copy = await emptyDatabase(server, original.url, 'file_copy');
  await overwriteFirstPage(copy.url, 'plans');

  const { store, close } = await openPostgresStore({ url: copy.url });
  // Before it is found, a write to other tables succeeds.
  await store.insertProject(aProject());
  const found: unknown = await store.listPlans(project.id, null).catch((error: unknown) => error);
  expect(found).toBeInstanceOf(DamagedDatabaseError);
  const sentence = (found as Error).message;
  expect(sentence).toBe(
    'The Postgres database is damaged: the cause says where. This host writes nothing to it any more, so nothing is charged. Stop every host, and restore the newest backup, or repair the database, such as a damaged index with reindex.',
  );
  expect((found as { cause: Error }).cause.message).toMatch(/^invalid page in block 0/);
  await expect(store.insertProject(aProject())).rejects.toThrow(sentence);
  await expect(store.claimDue(new Date(), 10, 1_000)).rejects.toThrow(sentence);
  await expect(store.transaction(async () => undefined)).rejects.toThrow(sentence);
  expect(await store.findProject(project.id)).toEqual(project);
  await close();
  await copy.drop();
  await original.drop();
});

/** Overwrites the beginning of a table's file, as a failing disk does. */
async function overwriteFirstPage(url: string, table: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ folder: string; file: string }>(
    "select current_setting('data_directory') as folder, pg_relation_filepath($1::regclass) as file",
    [table],
  );
  await client.end();
  const [{ folder, file } = { folder: '', file: '' }] = rows;
  const fd = openSync(join(folder, file), 'r+');
  writeSync(fd, Buffer.alloc(PAGE, 0xa5), 0, PAGE, 0);
  closeSync(fd);
}
