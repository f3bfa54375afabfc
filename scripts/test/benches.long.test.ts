// Heavy: each bench is run, in a process of its own.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findBenches } from '../tasks/bench.mjs';
import { ROOT } from '../tasks/repository.mjs';

/** The arguments of a short run of each bench. Of 200 charges the local chain loses some without packing. */
const SMALL: Readonly<Record<string, readonly string[]>> = {
  access: ['1000'],
  charge: ['100'],
  'charge-cost': ['200'],
  dashboard: ['1000', 'SQLite'],
  store: ['all', '1000'],
  webhooks: ['80'],
};

const benches = [...findBenches()];

it('every bench has a small run', () => {
  expect(benches.map(([name]) => name).sort()).toEqual(Object.keys(SMALL).sort());
});

it.each(benches)('the bench %s runs and compares what it measured', { timeout: 130_000 }, (name, file) => {
  const command = ['--import', import.meta.resolve('tsx'), join(ROOT, file), ...(SMALL[name] ?? [])];
  const options = { cwd: ROOT, encoding: 'utf8', timeout: 120_000 } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, command, options);
  expect({ status, stderr }).toMatchObject({ status: 0 });
  expect(stdout).toMatch(name === 'charge-cost' ? /\d lamports a charge \(aim/ : /ratio \d/);
  expect(stdout).not.toMatch(/NaN|Infinity/);
});
