// Heavy: each move has two databases of its own.

import { sql } from 'kysely';
import { aPlan, aProject } from '@subrail/core/testing';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { openMovablePostgres } from '../../../postgres/index.js';
import { moveRecords } from '../../index.js';
import type { MoveProgress } from '../move-records.js';
import type { MoveSource, MoveTarget } from '../ends.js';
import { postgresPlace, sqlitePlace, type Place } from './place.js';

describe('a move to Postgres', () => {
  const project = aProject();
  let source: Place<MoveSource>;
  let target: Place<MoveTarget>;
  let from: MoveSource;
  let to: MoveTarget;
  beforeEach(async () => {
    [source, target] = [sqlitePlace(), await postgresPlace(inject('postgres'))];
    const { store, close } = await source.openStore();
    await store.insertProject(project);
    await close();
    [from, to] = [await source.openMovable(), await target.openMovable()];
  });
  afterEach(async () => {
    await from.close();
    await to.close();
    await source.remove();
    await target.remove();
  });

  async function projectsIn(place: Place<unknown>): Promise<readonly object[]> {
    const { store, close } = await place.openStore();
    try {
      return await store.listProjects();
    } finally {
      await close();
    }
  }

  test('ignores tables of the same names in another schema', async () => {
    await sql`create schema another`.execute(to.db);
    await sql`create table another.projects (id integer)`.execute(to.db);
    await sql`create table another.subrail_migrations (name text)`.execute(to.db);
    await moveRecords(from, to);
    expect(await projectsIn(target)).toEqual([project]);
  });

  test('is refused where the user may create no tables, and the source stays in use', async () => {
    await sql`set role pg_monitor`.execute(to.db);
    await expect(moveRecords(from, to)).rejects.toThrow(
      /^The database to move to cannot be prepared: permission denied for schema public\. The database to move from is as it was\./,
    );
    await from.close();
    expect(await projectsIn(source)).toEqual([project]);
  });

  test('is refused for a limit that Postgres cannot store, before anything is frozen, with what to run', async () => {
    await sql`update projects set published_plans_limit = 2147483648`.execute(from.db);
    await expect(moveRecords(from, to)).rejects.toThrow(
      `The project ${project.id} has a limit above 2147483647, which Postgres cannot store. Lower it before the move, or remove it: subrail project update ${project.id} --`,
    );
    await sql`update projects set published_plans_limit = 2147483647`.execute(from.db);
    await moveRecords(from, to);
    expect(await projectsIn(target)).toEqual([{ ...project, publishedPlansLimit: 2_147_483_647 }]);
  });

  test('whose target refuses a row says which table, that the source is frozen, and how to go on', async () => {
    const refusePlans = async ({ table }: MoveProgress) => {
      if (table !== 'projects') return;
      await sql`alter table plans add constraint none check (id = '')`.execute(to.db);
    };
    await from.close();
    const { store, close } = await source.openStore();
    await store.insertPlan(aPlan({ projectId: project.id }));
    await close();
    from = await source.openMovable();
    await expect(moveRecords(from, to, refusePlans)).rejects.toThrow(
      /^The table plans cannot be copied: .* violates check constraint "none"\. The database to move from is frozen: .* run the same command again, .*"subrail migrate --cancel-move"\.$/,
    );
    await sql`alter table plans drop constraint none`.execute(to.db);
    await moveRecords(from, to);
    expect(await projectsIn(target)).toEqual([project]);
  });

  test('is refused at once when the target has another encoding than UTF8', async () => {
    await sql`create database latin encoding 'LATIN1' locale 'C' template template0`.execute(to.db);
    const url = new URL(inject('postgres'));
    url.pathname = '/latin';
    const latin = await openMovablePostgres({ url: url.href });
    try {
      await expect(moveRecords(from, latin)).rejects.toThrow(
        /^The database to move to has the encoding LATIN1/,
      );
    } finally {
      await latin.close();
      await sql`drop database latin`.execute(to.db);
    }
    await from.close();
    expect(await projectsIn(source)).toEqual([project]);
  });
});
