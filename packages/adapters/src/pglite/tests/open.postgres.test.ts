import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Unavailable } from '@subrail/core/ports';
import { aProject } from '@subrail/core/testing';
import { expect, test } from 'vitest';
import { openPgliteStore } from '../index.js';

test('a folder that is opened again has what was stored, and a closed store is unavailable', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'subrail-pglite-'));
  const dataDir = join(folder, 'data');
  const first = await openPgliteStore({ dataDir });
  const project = aProject();
  await first.store.insertProject(project);
  await first.close();
  await expect(first.store.listProjects()).rejects.toThrow(Unavailable);

  const second = await openPgliteStore({ dataDir });
  expect(await second.store.listProjects()).toEqual([project]);
  await second.close();
  rmSync(folder, { recursive: true });
});

test('a store in memory ends when it is closed', async () => {
  const first = await openPgliteStore({ dataDir: 'memory://' });
  await first.store.insertProject(aProject());
  await first.close();
  const second = await openPgliteStore({ dataDir: 'memory://' });
  expect(await second.store.listProjects()).toEqual([]);
  await second.close();
});
