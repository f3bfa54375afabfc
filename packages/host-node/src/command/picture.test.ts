import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readPicture } from './picture.js';

const folder = mkdtempSync(join(tmpdir(), 'picture-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['a.png', 'image/png'],
  ['a.JPG', 'image/jpeg'],
  ['a.jpeg', 'image/jpeg'],
  ['a.webp', 'image/webp'],
  ['a.svg', 'image/svg+xml'],
])('the picture %s is %s', async (name, type) => {
  writeFileSync(join(folder, name), 'bytes');
  expect(await readPicture(join(folder, name))).toBe(`data:${type};base64,Ynl0ZXM=`);
});

test('a file of another kind, and one that is not there, are refused by their names', async () => {
  writeFileSync(join(folder, 'a.gif'), 'bytes');
  await expect(readPicture(join(folder, 'a.gif'))).rejects.toThrow(/a\.gif is no picture that pages show/);
  await expect(readPicture(join(folder, 'none.png'))).rejects.toThrow(/none\.png cannot be read/);
});
