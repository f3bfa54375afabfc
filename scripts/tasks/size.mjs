// The figures of how large this repository is: what a change of them costs is said in its commit.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { exportsOf, programOf, publishedEntryPointSources } from './entry-points.mjs';
import { capture } from './processes.mjs';
import { ROOT } from './repository.mjs';

/** @typedef {{ files: readonly string[], lines: number }} Counted */

const TEST = /\.test\.ts$|\/tests\/|^tests\//;

/**
 * The files that git knows, and their lines. What is generated and never committed is not among them.
 * @param {(path: string) => boolean} isCounted
 * @returns {Promise<Counted>}
 */
async function count(isCounted) {
  const { output } = await capture(['git', 'ls-files', '-co', '--exclude-standard']);
  const files = output.split('\n').filter((path) => isCounted(path) && existsSync(join(ROOT, path)));
  const lines = files.map((file) => readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1);
  return { files, lines: lines.reduce((sum, length) => sum + length, 0) };
}

/** @param {string} [folder] of one package */
const countSources = (folder = '[^/]+') =>
  count((path) => new RegExp(`^packages/${folder}/src/.*\\.ts$`).test(path) && !TEST.test(path));

/** The names of the methods that a store must have. What is optional of `Store` is a capability. */
function requiredOfStore() {
  const file = join(ROOT, 'packages/core/src/ports/index.ts');
  const program = programOf([file]);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  const store = module && checker.getExportsOfModule(module).find(({ name }) => name === 'Store');
  if (store === undefined) throw new Error(`${file} exports no Store.`);
  const declared = store.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(store) : store;
  return checker
    .getDeclaredTypeOfSymbol(declared)
    .getProperties()
    .filter(({ flags }) => (flags & ts.SymbolFlags.Method) !== 0 && (flags & ts.SymbolFlags.Optional) === 0);
}

/** The settings of a host on an RPC server, which does not answer. */
const HOST = {
  SUBRAIL_CHAIN: 'http://127.0.0.1:9',
  SUBRAIL_NETWORK: 'devnet',
  SUBRAIL_SEALING_KEY: 'ab'.repeat(32),
};

const PLAN = ['pro', '--amount=1', '--every=30d', '--decimals=6', `--mint=${'1'.repeat(32)}`];

/**
 * The sources of this repository that `subrail plan create` has loaded when it asks the chain.
 * @returns {Promise<readonly string[]>}
 */
async function loadedByPlanCreate() {
  const folder = mkdtempSync(join(tmpdir(), 'subrail-size-'));
  const coverage = join(folder, 'coverage');
  const charger = join(folder, 'charger.json');
  const env = { ...process.env, ...HOST, SUBRAIL_DATA_DIR: folder, SUBRAIL_CHARGER_KEY_FILE: charger };
  /** @type {(args: readonly string[], more?: object) => Promise<unknown>} */
  const run = async (args, more = {}) => {
    const command = [process.execPath, '--import', import.meta.resolve('tsx'), ...args];
    const { code, output } = await capture(command, { env: { ...env, ...more } });
    if (code !== 0 && !output.includes('The chain does not answer.')) throw new Error(output);
  };
  const host = join(ROOT, 'packages/host-node/src/main.ts');
  const sqlite = JSON.stringify(join(ROOT, 'packages/adapters/src/sqlite/index.ts'));
  const path = JSON.stringify(join(folder, 'subrail.sqlite'));
  const open = `import { openSqliteStore } from ${sqlite}; await (await openSqliteStore({ path: ${path} })).close();`;
  try {
    await run(['--input-type=module', '--eval', open]);
    await run([host, 'keygen', '--out', charger]);
    await run([host, 'project', 'create', 'Shop']);
    const owner = '--owner=11111111111111111111111111111112';
    await run([host, 'plan', 'create', ...PLAN, owner], { NODE_V8_COVERAGE: coverage });
    const loaded = readdirSync(coverage).flatMap((file) => {
      const { result } = /** @type {{ result: { url: string }[] }} */ (
        JSON.parse(readFileSync(join(coverage, file), 'utf8'))
      );
      return result.map(({ url }) => url.replace(/\?.*/, ''));
    });
    return [...new Set(loaded)].filter((url) => /\/packages\/[^/]+\/src\//.test(url.replace(ROOT, '/')));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The most lines of source that each package may have, by the table of CONTRIBUTING.md. */
function readBudgets() {
  const page = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  const rows = page.matchAll(/^\| `packages\/([\w-]+)` \| ([\d,]+) \|$/gm);
  return [...rows].map(([, folder = '', lines = '']) => ({ folder, budget: Number(lines.replace(',', '')) }));
}

/** A sentence for each package with more lines of source than its budget. */
export async function overBudget() {
  const sentences = readBudgets().map(async ({ folder, budget }) => {
    const { lines } = await countSources(folder);
    return lines > budget
      ? [
          `packages/${folder} has ${lines} lines of source, and its budget is ${budget}: say why in the commit.`,
        ]
      : [];
  });
  return (await Promise.all(sentences)).flat();
}

/** Prints the figures. */
export async function size() {
  const sources = await countSources();
  const tests = await count(
    (path) => /\.tsx?$/.test(path) && TEST.test(path) && !/^(scripts|deploy)\//.test(path),
  );
  const workshop = await count((path) =>
    /^(scripts|deploy)\/.*\.(mjs|ts)$|^[^/]+\.(mjs|ts)$|^\.ci\//.test(path),
  );
  const others = await count(
    (path) => /^packages\/[^/]+\/(bench|page)\/.*\.ts$|^examples\/.*\.ts$/.test(path) && !TEST.test(path),
  );
  const entryPoints = publishedEntryPointSources();
  const names = exportsOf(entryPoints.map(({ file }) => file)).flat();
  const values = names.filter(({ isValue }) => isValue).length;
  const migrations = await count((path) => /kysely\/migrations\/\d{4}-[^/]*\.ts$/.test(path));
  const numbers = new Set(migrations.files.map((file) => /\/(\d{4})-/.exec(file)?.[1]));
  const loaded = await loadedByPlanCreate();
  const ofLocalChain = loaded.filter((url) =>
    /packages\/localnet\/|packages\/host-node\/src\/local\//.test(url),
  );
  /** @type {readonly (readonly [string, string])[]} */
  const rows = [
    ['source of the packages', `${sources.lines} lines in ${sources.files.length} files`],
    ['tests', `${tests.lines} lines in ${tests.files.length} files`],
    ['scripts, with their tests', `${workshop.lines} lines in ${workshop.files.length} files`],
    ['benches, pages, examples', `${others.lines} lines in ${others.files.length} files`],
    ['public names', `${names.length} (${values} values, ${names.length - values} types)`],
    ['entry points', String(entryPoints.length)],
    ['methods a store must have', String(requiredOfStore().length)],
    ['migrations', String(numbers.size)],
    [
      'files that plan create loads',
      `${loaded.length}, of which ${ofLocalChain.length} are of the local chain`,
    ],
    ...(await Promise.all(
      readBudgets().map(async ({ folder, budget }) => {
        const { lines } = await countSources(folder);
        return /** @type {const} */ ([`packages/${folder}`, `${lines} lines, budget ${budget}`]);
      }),
    )),
  ];
  for (const [what, figure] of rows) console.log(`${what.padEnd(30)} ${figure}`);
}
