// Heavy: each bench is run, in a process of its own.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findBenches } from '../tasks/bench.mjs';
import { ROOT } from '../tasks/repository.mjs';

/**
 * The arguments of a run of each bench that is as short as it can be, and what it prints when it has measured
 * something.
 */
const SMALL: Readonly<
  Record<string, { readonly args: readonly (string | number)[]; readonly prints: RegExp }>
> = {
  access: { args: [1_000], prints: /ratio \d/ },
  charge: { args: [100], prints: /ratio \d/ },
  'charge-cost': { args: [10], prints: /\d lamports a charge \(aim/ },
  store: { args: ['all', 1_000], prints: /ratio \d/ },
  webhooks: { args: [80], prints: /ratio \d/ },
};

const benches = [...findBenches()];

it('every bench has a small run', () => {
  expect(benches.map(([name]) => name).sort()).toEqual(Object.keys(SMALL).sort());
});

it.each(benches)('the bench %s runs and compares what it measured', { timeout: 130_000 }, (name, file) => {
  const { args = [], prints = /ratio/ } = SMALL[name] ?? {};
  const command = ['--import', import.meta.resolve('tsx'), join(ROOT, file), ...args.map(String)];
  const options = { cwd: ROOT, encoding: 'utf8', timeout: 120_000 } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, command, options);
  expect({ status, stderr }).toMatchObject({ status: 0 });
  expect(stdout).toMatch(prints);
  expect(stdout).not.toMatch(/NaN|Infinity/);
});
