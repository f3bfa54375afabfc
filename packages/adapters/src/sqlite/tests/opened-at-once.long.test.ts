// Heavy: several processes open and migrate one file at once.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openSqliteStore } from '../index.js';
import { startChild, type Child } from './child.js';
import { scratchFile } from './scratch.js';

// Starting a process takes seconds on a busy machine, and more than ten on one that does much else.
vi.setConfig({ testTimeout: 240_000 });

const PROCESSES = 4;
const children: Child[] = [];
let file: ReturnType<typeof scratchFile>;
beforeEach(() => {
  file = scratchFile();
});
afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => child.kill()));
  file.remove();
});

test('processes that open a new file at the same time migrate it once, and all of them open it', async () => {
  const started = Array.from({ length: PROCESSES }, () => startChild('open-file', file.path));
  children.push(...started);
  expect(await Promise.all(started.map((child) => child.line()))).toEqual(started.map(() => 'ready'));
  for (const child of started) child.go();
  // A migration that ran twice would have failed: it creates what is there.
  expect(await Promise.all(started.map((child) => child.line()))).toEqual(started.map(() => 'it was opened'));
  await (await openSqliteStore({ path: file.path })).close();
});
