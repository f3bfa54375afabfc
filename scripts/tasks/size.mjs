// The figures of how large this repository is: what a change of them costs is said in its commit.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { exportsOf, publishedEntryPointSources } from './entry-points.mjs';
import { capture, inOwnFolder } from './processes.mjs';
import { ROOT } from './repository.mjs';

const TEST = /\.test\.ts$|\/tests\/|^tests\//;
const SOURCE = /^packages\/[^/]+\/src\/.*\.ts$/;
const WORKSHOP = /^(scripts|deploy)\/.*\.(mjs|ts)$|^[^/]+\.(mjs|ts)$|^\.ci\//;
const OTHER = /^packages\/[^/]+\/(bench|page)\/.*\.ts$|^examples\/.*\.ts$/;
const MIGRATION = /kysely\/migrations\/\d{4}(?=-[^/]*\.ts$)/;

/** The lines of each file that git knows. Generated files that are never committed do not count. */
async function linesOfFiles() {
  const { output } = await capture(['git', 'ls-files', '-co', '--exclude-standard']);
  const files = output.split('\n').filter((path) => path !== '' && existsSync(join(ROOT, path)));
  return files.map((path) => ({
    path,
    lines: readFileSync(join(ROOT, path), 'utf8').split('\n').length - 1,
  }));
}

/** @typedef {Awaited<ReturnType<typeof linesOfFiles>>} Files */

/** @param {Files} files */
const linesOf = (files) => files.reduce((sum, { lines }) => sum + lines, 0);

/** @param {string} path */
const isSource = (path) => SOURCE.test(path) && !TEST.test(path);

/**
 * Each package with its lines of source, and the most that it may have by the table of CONTRIBUTING.md.
 * @param {Files} files
 */
function budgets(files) {
  const page = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  const rows = page.matchAll(/^\| `(packages\/[\w-]+)` \| ([\d,]+) \|$/gm);
  return [...rows].map(([, folder = '', budget = '']) => ({
    folder,
    budget: Number(budget.replace(',', '')),
    lines: linesOf(files.filter(({ path }) => path.startsWith(`${folder}/`) && isSource(path))),
  }));
}

/** A sentence for each package with more lines of source than its budget. */
export async function overBudget() {
  return budgets(await linesOfFiles())
    .filter(({ lines, budget }) => lines > budget)
    .map(
      ({ folder, lines, budget }) =>
        `${folder} has ${lines} lines of source, and its budget is ${budget}: say why in the commit.`,
    );
}

/** The number of methods that a store must have. Optional methods of `Store` are capabilities. */
function methodsOfStore() {
  const ports = exportsOf([{ name: 'ports', file: join(ROOT, 'packages/core/src/ports/index.ts') }]);
  const properties = ports.find(({ name }) => name === 'Store')?.type.getProperties() ?? [];
  return properties.filter(({ flags }) => flags & ts.SymbolFlags.Method && !(flags & ts.SymbolFlags.Optional))
    .length;
}

/** How many sources `subrail plan create` has loaded when it asks an RPC server, which does not answer. */
const loadedByPlanCreate = () =>
  inOwnFolder(async (folder) => {
    const coverage = join(folder, 'coverage');
    const charger = join(folder, 'charger.json');
    const env = {
      ...process.env,
      SUBRAIL_CHAIN: 'http://127.0.0.1:9',
      SUBRAIL_NETWORK: 'devnet',
      SUBRAIL_SEALING_KEY: 'ab'.repeat(32),
      SUBRAIL_DATA_DIR: folder,
      SUBRAIL_CHARGER_KEY_FILE: charger,
    };
    /** @type {(args: readonly string[], more?: object) => Promise<string>} */
    const run = async (args, more = {}) => {
      const command = [process.execPath, '--import', import.meta.resolve('tsx'), ...args];
      return (await capture(command, { env: { ...env, ...more } })).output;
    };
    const host = join(ROOT, 'packages/host-node/src/main.ts');
    const sqlite = join(ROOT, 'packages/adapters/src/sqlite/index.ts');
    const path = JSON.stringify(join(folder, 'subrail.sqlite'));
    const open = `const { openSqliteStore } = await import('${sqlite}'); await (await openSqliteStore({ path: ${path} })).close();`;
    await run(['--input-type=module', '--eval', open]);
    await run([host, 'keygen', '--out', charger]);
    await run([host, 'project', 'create', 'Shop']);
    const plan = 'pro --amount=1 --every=30d --decimals=6 --owner=11111111111111111111111111111112';
    const output = await run([host, 'plan', 'create', ...plan.split(' '), `--mint=${'1'.repeat(32)}`], {
      NODE_V8_COVERAGE: coverage,
    });
    if (!output.includes('The chain does not answer.')) throw new Error(output);
    const loaded = readdirSync(coverage).flatMap((file) => {
      const report = /** @type {{ result: { url: string }[] }} */ (
        JSON.parse(readFileSync(join(coverage, file), 'utf8'))
      );
      return report.result.flatMap(({ url }) => /packages\/[^/]+\/src\/[^?]+/.exec(url)?.[0] ?? []);
    });
    const local = /^packages\/(localnet|host-node\/src\/local)\//;
    const unique = [...new Set(loaded)];
    return `${unique.length}, of which ${unique.filter((file) => local.test(file)).length} are of the local chain`;
  });

/** Prints the figures. */
export async function size() {
  const files = await linesOfFiles();
  /** @param {(path: string) => boolean} isCounted */
  const counted = (isCounted) => {
    const some = files.filter(({ path }) => isCounted(path));
    return `${linesOf(some)} lines in ${some.length} files`;
  };
  const entryPoints = publishedEntryPointSources();
  const names = exportsOf(entryPoints);
  const values = names.filter(({ isValue }) => isValue).length;
  const migrations = files.flatMap(({ path }) => MIGRATION.exec(path)?.[0] ?? []);
  const rows = {
    'source of the packages': counted(isSource),
    tests: counted((path) => /\.tsx?$/.test(path) && TEST.test(path) && !WORKSHOP.test(path)),
    'scripts, with their tests': counted((path) => WORKSHOP.test(path)),
    'benches, pages, examples': counted((path) => OTHER.test(path) && !TEST.test(path)),
    'public names': `${names.length} (${values} values, ${names.length - values} types)`,
    'entry points': entryPoints.length,
    'methods a store must have': methodsOfStore(),
    migrations: new Set(migrations).size,
    'files that plan create loads': await loadedByPlanCreate(),
    ...Object.fromEntries(
      budgets(files).map(({ folder, lines, budget }) => [folder, `${lines} lines, budget ${budget}`]),
    ),
  };
  for (const [what, figure] of Object.entries(rows)) console.log(`${what.padEnd(30)} ${figure}`);
}
