import { sql } from 'kysely';
import { expect, inject, test } from 'vitest';
import { aProject } from '@subrail/core/testing';
import { moveRecords } from '../../index.js';
import { describeMoves } from './describe-moves.js';
import { sqlitePlace } from './place.js';
import { postgresPlace } from './postgres-place.js';

const onPostgres = () => postgresPlace(inject('postgres')['18']);

describeMoves('moving records from SQLite to Postgres', { from: sqlitePlace, to: onPostgres });

test('tables of the same names in another schema of the target are not those of the service', async () => {
  const [source, target] = [await sqlitePlace(), await onPostgres()];
  const project = aProject();
  const { store, close } = await source.openStore();
  await store.insertProject(project);
  await close();
  const [from, to] = [await source.openMovable(), await target.openMovable()];
  await sql`create schema another`.execute(to.db);
  await sql`create table another.projects (id integer)`.execute(to.db);
  await sql`create table another.subrail_migrations (name text)`.execute(to.db);
  await moveRecords(from, to);
  await from.close();
  await to.close();
  const moved = await target.openStore();
  expect(await moved.store.listProjects()).toEqual([project]);
  await moved.close();
  await source.remove();
  await target.remove();
});
