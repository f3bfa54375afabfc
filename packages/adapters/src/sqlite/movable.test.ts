import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openMovableSqlite } from './movable.js';

test('a file that is not there is refused and not made, because its move would move nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'subrail-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'mistyped.db');
  await expect(openMovableSqlite({ path })).rejects.toThrow(
    `There is no database at ${path}. Give the path that your hosts open.`,
  );
  expect(existsSync(path)).toBe(false);
});
