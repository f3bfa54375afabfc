import { copyFileSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';
import { aCommit, aPlan, aProject, aSubscription, MADE_AT } from '@subrail/core/testing';
import type { Project, FullStore } from '@subrail/core/ports';
import SqliteFile from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DatabaseFileError, openSqliteStore, pendingSqliteMigrations } from '../index.js';
import { SchemaDriftError } from '../../kysely/index.js';
import { overwritePage, PAGE_BYTES, rootPage } from './overwrite-page.js';
import { rawSqlite } from './raw-sqlite.js';
import { scratchFile } from './scratch.js';

let scratch: ReturnType<typeof scratchFile>;
let path: string;
beforeEach(() => {
  scratch = scratchFile();
  path = scratch.path;
});
afterEach(() => scratch.remove());

/** Creates the database, with a project and what `fill` stores, and closes it. */
async function aClosedDatabase(fill?: (store: FullStore, project: Project) => Promise<void>) {
  const { store, close } = await openSqliteStore({ path });
  const project = aProject();
  await store.insertProject(project);
  await fill?.(store, project);
  await close();
  return project;
}

const DAMAGED =
  'is damaged. Stop every host, keep the file with those next to it, and restore the newest backup in their place.';

describe('a file is refused at open', () => {
  test('when its first page is damaged', async () => {
    await aClosedDatabase();
    overwritePage(path, 1);
    await expect(openSqliteStore({ path })).rejects.toThrow(
      new DatabaseFileError(
        `The file ${path} is not a SQLite database, or it is damaged. Give the path of another file, or restore it from a copy.`,
      ),
    );
  });

  test('when its end is missing', async () => {
    await aClosedDatabase();
    truncateSync(path, statSync(path).size - PAGE_BYTES);
    await expect(openSqliteStore({ path })).rejects.toThrow(
      new DatabaseFileError(`The database ${path} ${DAMAGED}`),
    );
  });

  test('when the page with the names of its migrations is damaged', async () => {
    await aClosedDatabase();
    overwritePage(path, rootPage(path, 'sqlite_autoindex_subrail_migrations_1'));
    await expect(openSqliteStore({ path })).rejects.toThrow(DatabaseFileError);
  });
});

test('once damage is found nothing is written any more, and what can be read is read', async () => {
  const project = await aClosedDatabase(async (store, { id }) => {
    const plan = aPlan({ projectId: id });
    await store.insertPlan(plan);
    await store.commit([aCommit(aSubscription({ projectId: id, planId: plan.id, wakeAt: MADE_AT }))]);
  });
  overwritePage(path, rootPage(path, 'plans'));
  const { store, close } = await openSqliteStore({ path });
  const sentence = new DatabaseFileError(
    `The database ${path} is damaged. Nothing is written to it any more, so nothing is charged. Stop every host, keep the file with those next to it, and restore the newest backup in their place.`,
  );
  // Before it is found, a write to other pages succeeds.
  await store.insertProject(aProject());
  await expect(store.insertPlan(aPlan({ projectId: project.id }))).rejects.toThrow(sentence);
  await expect(store.insertProject(aProject())).rejects.toThrow(sentence);
  await expect(store.claimDue(new Date(), 10, 1_000)).rejects.toThrow(sentence);
  await expect(store.transaction(async () => undefined)).rejects.toThrow(sentence);
  expect(await store.findProject(project.id)).toEqual(project);
  await close();
});

describe('files that are not in their place any more', () => {
  const insert = (store: Awaited<ReturnType<typeof openSqliteStore>>['store']) =>
    store.insertProject(aProject());

  test('nothing is written to a database that was deleted, moved or replaced, and it goes on when it is back', async () => {
    await aClosedDatabase();
    const { store, close } = await openSqliteStore({ path });
    const sentence = new DatabaseFileError(
      `The database ${path} was moved, deleted or replaced while it was open. Nothing is written to it any more, so nothing is charged. Stop every host, put the file and those next to it back in their place, and start again.`,
    );
    renameSync(path, `${path}.moved`);
    await expect(insert(store)).rejects.toThrow(sentence);
    copyFileSync(`${path}.moved`, path);
    await expect(insert(store)).rejects.toThrow(sentence);
    await expect(store.transaction(async () => undefined)).rejects.toThrow(sentence);
    renameSync(`${path}.moved`, path);
    await insert(store);
    expect(await store.listProjects()).toHaveLength(2);
    await close();
  });

  test('when the -wal was deleted nothing is written, and closing brings what it had into the database', async () => {
    await aClosedDatabase();
    const { store, close } = await openSqliteStore({ path });
    await insert(store);
    rmSync(`${path}-wal`);
    await expect(insert(store)).rejects.toThrow(
      new DatabaseFileError(
        `The file ${path}-wal was moved, deleted or replaced while it was in use. Nothing is written to the database any more, so nothing is charged. Stop every host with SIGTERM, which brings what that file had into the database, and start again.`,
      ),
    );
    expect(await store.listProjects()).toHaveLength(2);
    await expect(openSqliteStore({ path })).rejects.toThrow(
      new DatabaseFileError(
        `The file ${path}-wal is missing, and ${path}-shm shows that the database was not closed. If a host runs, stop it with SIGTERM, which brings what that file had into the database. If none runs, put the file back, or delete ${path}-shm to go on without what only that file had.`,
      ),
    );
    await close();
    const again = await openSqliteStore({ path });
    expect(await again.store.listProjects()).toHaveLength(2);
    await again.close();
  });

  test('a copy without its -wal is the database as of the last checkpoint, whole', async () => {
    const { store, close } = await openSqliteStore({ path });
    const project = aProject();
    await store.insertProject(project);
    await close();
    const again = await openSqliteStore({ path });
    const plan = aPlan({ projectId: project.id });
    await again.store.insertPlan(plan);
    await again.store.commit([aCommit(aSubscription({ projectId: project.id, planId: plan.id }))]);
    copyFileSync(path, `${path}.copy`);
    await again.close();
    const raw = rawSqlite(`${path}.copy`);
    expect([await raw.count('projects'), await raw.count('plans'), await raw.count('subscriptions')]).toEqual(
      [1, 0, 0],
    );
    raw.close();
    const copy = await openSqliteStore({ path: `${path}.copy` });
    expect(await copy.store.listProjects()).toEqual([project]);
    await copy.close();
  });
});

describe('a schema that is not the one of its migrations is refused', () => {
  const change = (...statements: readonly string[]) => {
    const file = new SqliteFile(path);
    for (const statement of statements) file.exec(statement);
    file.close();
  };
  const open = async () => {
    await (await openSqliteStore({ path })).close();
    return 'it was opened';
  };

  test('with the statement that makes a missing or changed index again', async () => {
    await aClosedDatabase();
    change(
      'drop index plans_slug',
      'drop index api_keys_hash',
      'create index api_keys_hash on api_keys (hash)',
    );
    const refused = await open().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(SchemaDriftError);
    const { message } = refused as SchemaDriftError;
    expect(message).toMatch(
      /^The schema of the database is not the one that its migrations made: api_keys_hash was changed, plans_slug is missing\. Nothing was changed\. Stop every host and make what differs again: begin; drop index if exists api_keys_hash; /,
    );
    change(message.slice(message.indexOf('again: ') + 'again: '.length));
    expect(await open()).toBe('it was opened');
  });

  test('with the statements that make a missing trigger again, and what it would have written', async () => {
    const { id: projectId } = await aClosedDatabase();
    const first = await openSqliteStore({ path });
    const plan = aPlan({ projectId });
    await first.store.insertPlan(plan);
    await first.store.commit([aCommit(aSubscription({ projectId, planId: plan.id, wakeAt: MADE_AT }))]);
    await first.close();
    change('drop trigger subscription_dates_updated', 'update subscriptions set wake_at = wake_at + 1000');
    const { message } = (await open().catch((error: unknown) => error)) as SchemaDriftError;
    await expect(pendingSqliteMigrations({ path })).rejects.toThrow(message);
    expect(message).toMatch(
      /: subscription_dates_updated is missing\. Nothing was changed\. Stop every host/,
    );
    change(message.slice(message.indexOf('again: ') + 'again: '.length));
    const mended = await openSqliteStore({ path });
    expect(await mended.store.nextWakeAt()).toEqual(new Date(MADE_AT.getTime() + 1000));
    await mended.close();
  });

  test('and a table only by a backup', async () => {
    await aClosedDatabase();
    change('alter table plans rename column slug to short_name');
    await expect(open()).rejects.toThrow(
      /plans was changed.*\. Nothing was changed\. Restore the newest backup\.$/,
    );
  });

  test('and what its owner added, or wrote in other quotes and spaces, is not', async () => {
    await aClosedDatabase();
    change(
      'create table notes (text)',
      'create index of_mine on plans (name)',
      'drop index api_keys_hash',
      'create  unique index "api_keys_hash"\n on "api_keys" ( "hash" )',
    );
    expect(await open()).toBe('it was opened');
  });
});
