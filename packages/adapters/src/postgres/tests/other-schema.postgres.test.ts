import { aProject } from '@subrail/core/testing';
import { beforeEach, expect, test } from 'vitest';
import { openMovablePostgres, openPostgresStore, pendingPostgresMigrations } from '../index.js';
import { SchemaDriftError } from '../../kysely/index.js';
import { useDatabase } from './use-database.js';

// A service whose tables are in the schema public, and an empty schema with the name of its user.

const { url, open, operator } = useDatabase();
let admin: Awaited<ReturnType<typeof operator>>;
const project = aProject();
beforeEach(async () => {
  admin = await operator();
  await (await open()).insertProject(project);
  await admin.query('create schema postgres');
});

const projects = async () => (await open()).listProjects();

test('a database is refused, unchanged, when another schema comes before that of its tables', async () => {
  // As a later release sees it, which has one more migration.
  await admin.query('delete from subrail_migrations where name = (select max(name) from subrail_migrations)');
  for (const open of [
    projects,
    () => pendingPostgresMigrations({ url: url() }),
    () => openMovablePostgres({ url: url() }),
  ]) {
    await expect(open()).rejects.toThrow(SchemaDriftError);
    await expect(open()).rejects.toThrow(
      /^The tables of the service are in the schema public, but new ones would be created in the schema postgres, /,
    );
  }
  const made = await admin.query(
    `select relname from pg_class where relnamespace = 'postgres'::regnamespace`,
  );
  expect(made.rows).toEqual([]);
});

test('the database is used again once the statement of the sentence was run, or the empty schema was dropped', async () => {
  const refusal = await projects().then(() => '', String);
  const [statement = ''] = /alter role [^;]*/.exec(refusal) ?? [];
  await admin.query(statement);
  expect(await projects()).toEqual([project]);
  await admin.query(statement.replace(/set search_path.*/, 'reset search_path'));
  await expect(projects()).rejects.toThrow(SchemaDriftError);
  await admin.query('drop schema postgres');
  expect(await projects()).toEqual([project]);
});

test('another service may have the first schema, when its role names that one alone', async () => {
  await admin.query("drop role if exists other; create role other superuser login password 'other'");
  await admin.query('alter role other set search_path = postgres');
  const address = Object.assign(new URL(url()), { username: 'other', password: 'other' });
  const { store, close } = await openPostgresStore({ url: address.href });
  expect(await store.listProjects()).toEqual([]);
  await close();
  await admin.query('drop owned by other cascade; drop role other');
});
