import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClock } from '@subrail/adapters/web';
import { createCrypto } from '@subrail/adapters/node';
import { openSqliteStore } from '@subrail/adapters/sqlite';
import type { FullStore } from '@subrail/core/ports';
import { anEndpoint, aProject } from '@subrail/core/testing';
import SqliteFile from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runHere } from '../tests/fake-terminal.js';

const OLD = 'ab'.repeat(32);
const NEW = 'cd'.repeat(32);
/** The first 16 digits of the HMAC-SHA256 of `subrail sealing key` by the new key. */
const NEW_ID = 'c1d2d4d748008ab2';
const project = aProject();

const cryptoOf = (key: string, ...older: readonly string[]) =>
  createCrypto(Buffer.from(key, 'hex'), { older: older.map((text) => Buffer.from(text, 'hex')) });

let folder: string;
let database: string;
/** The store of a host that runs while the command does. */
let store: FullStore;
let close: () => Promise<void>;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'subrail-reseal-'));
  database = join(folder, 'subrail.sqlite');
  ({ store, close } = await openSqliteStore({ path: database }));
  await store.insertProject(project);
});
afterEach(async () => {
  await close();
  rmSync(folder, { recursive: true, force: true });
});

async function endpoint(key: string) {
  const sealed = await cryptoOf(key).seal(new TextEncoder().encode('whsec_c2VjcmV0'));
  const secrets = [{ sealed, createdAt: createClock().now(), expiresAt: null }];
  const stored = anEndpoint({ projectId: project.id, secrets });
  await store.insertEndpoint(stored);
  return stored;
}

/** Runs the command with these settings, and returns its exit code and what it printed. */
async function run(settings: object): Promise<{ readonly code: number; readonly printed: string }> {
  const file = join(folder, 'config.json');
  writeFileSync(file, JSON.stringify({ data_dir: folder, database, ...settings }), { mode: 0o600 });
  const { code, stdout, stderr } = await runHere(['reseal', '--config', file], { folder });
  return { code, printed: stdout + stderr };
}

const ROTATION = { sealing_key: NEW, older_sealing_keys: [OLD] };

// deliveries#sealing-key-rotation
test('seals every secret with the newest key while a host runs, and then the older one is not needed', async () => {
  const [one, other] = [await endpoint(OLD), await endpoint(OLD)];
  await endpoint(NEW);
  expect(await run(ROTATION)).toEqual({
    code: 0,
    printed:
      `The newest sealing key is ${NEW_ID}.\n` +
      'The secrets of 2 endpoints are now sealed with the newest key; those of 1 endpoint were before.\n',
  });
  for (const { id, version } of [one, other]) {
    const stored = await store.findEndpoint(project.id, id);
    expect(stored?.version).toBe(version + 1);
    const plain = await cryptoOf(NEW).open(stored?.secrets[0]?.sealed ?? '');
    expect(new TextDecoder().decode(plain)).toBe('whsec_c2VjcmV0');
  }
  expect(await run({ sealing_key: NEW })).toEqual({
    code: 0,
    printed:
      `The newest sealing key is ${NEW_ID}.\n` +
      'Nothing was left to do: the secrets of 3 endpoints were sealed with the newest key before.\n',
  });
});

// deliveries#sealing-key-rotation
test('names the endpoints whose secrets open with none of the keys, leaves them, and exits with code 1', async () => {
  const lost = await endpoint('ef'.repeat(32));
  await endpoint(OLD);
  expect(await run(ROTATION)).toEqual({
    code: 1,
    printed:
      `The newest sealing key is ${NEW_ID}.\n` +
      'The secrets of 1 endpoint are now sealed with the newest key; those of 0 endpoints were before.\n' +
      'The secrets of 1 endpoint open with none of the keys. Add the key that sealed them to older_sealing_keys and run this again, or rotate them without an overlap:\n' +
      `  ${lost.id} of project ${project.id}\n`,
  });
  expect(await store.findEndpoint(project.id, lost.id)).toEqual(lost);
});

// deliveries#sealing-key-rotation, invariants#damaged-row-set-aside
test('names the endpoints that cannot be read, seals the others, and exits with code 1', async () => {
  const [damaged] = [await endpoint(OLD), await endpoint(OLD)];
  const file = new SqliteFile(database);
  file.prepare('update endpoints set secrets = ? where id = ?').run('[', damaged.id);
  file.close();
  const { code, printed } = await run(ROTATION);
  expect(code).toBe(1);
  expect(printed).toContain('The secrets of 1 endpoint are now sealed with the newest key;');
  expect(printed).toContain(
    '1 endpoint cannot be read, because a row is damaged or a newer release wrote it. Keep the older keys until that is repaired and this was run again:\n' +
      `  ${damaged.id}\n`,
  );
});

test('uses the sealing key of a local chain, which its first start created', async () => {
  await endpoint(OLD);
  writeFileSync(join(folder, 'sealing-key'), `${OLD}\n`, { mode: 0o600 });
  expect((await run({})).printed).toMatch(/\nNothing was left to do: the secrets of 1 endpoint were sealed/);
});

test('refuses to run without a database or a key, and creates neither', async () => {
  expect(await run({ sealing_key: NEW, database: join(folder, 'none.sqlite') })).toEqual({
    code: 1,
    printed: `There is no database at ${join(folder, 'none.sqlite')}: set SUBRAIL_DATABASE or SUBRAIL_DATA_DIR as your hosts have it.\n`,
  });
  for (const time of ['first', 'second']) {
    expect((await run({})).printed, time).toMatch(/^There is no sealing key in /);
  }
});
