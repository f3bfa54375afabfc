import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { CHANGE_PARTS, PARTS } from './parts.mjs';
import { capture, endIfInterrupted, inOwnFolder, interruptedBy, showStep, slots } from './processes.mjs';
import { ROOT } from './repository.mjs';

/** @typedef {import('./parts.mjs').Part} Part */
/** @typedef {{ name: string, passed: number, failures: readonly string[], seconds: number }} Outcome */

/** The record of the last commit of which `npm run test:all` passed every part, by its path from the root. */
const RECORD = 'docs/evidence/test-all.json';

/** The progress of a run of everything, from which the next run goes on. */
const PROGRESS = join(ROOT, 'node_modules', '.cache', 'test-all.json');

/** The limit of a part. A part that hangs is ended then, so that the others run. */
const LIMIT_MS = 40 * 60_000;

/** The variables that change what a test does, such as its size. `PROPERTY_SEED` changes no size. */
export const CHANGE_TESTS =
  'BEHIND_PARSER CONSUMER_RUNS CUTS ENGINE GENERATED_REQUESTS KILLS LARGE_SUBSCRIPTIONS PAGE_SCREENSHOTS PASSES ' +
  'SIMULATION_SEEDS SUBSCRIPTIONS_PROGRAM_ELF WRITE_SCENARIOS';

/**
 * The environment of a part, without these variables and the settings of a service. `SUBRAIL_CHROMIUM` stays:
 * the place of the browser changes no test.
 */
const ENVIRONMENT = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^SUBRAIL_(?!CHROMIUM$)/.test(name) && !CHANGE_TESTS.split(' ').includes(name),
  ),
);

/** The counts. Text after them, such as the warning of a child that ends, changes nothing. */
const COUNTS = /^(\d+) passed, (\d+) failed$/gm;

/**
 * The counts of a part: of the report of its tests, else of the last line that it printed of the form `N
 * passed, N failed`; a part that counts itself is one. A skipped test counts as failed, and so does a part
 * that fails without saying what, or that counts nothing.
 * @param {import('./processes.mjs').Ending} ending
 * @param {string} report
 * @param {boolean} countsItself
 */
function countsOf({ code, signal, output }, report, countsItself) {
  let passed = countsItself && code === 0 ? 1 : 0;
  /** @type {string[]} */
  let failures = [];
  const printed = [...output.matchAll(COUNTS)].at(-1);
  if (existsSync(report)) {
    const run = /** @type {import('vitest/node').JsonTestResults} */ (
      JSON.parse(readFileSync(report, 'utf8'))
    );
    passed = run.numPassedTests;
    failures = run.testResults.flatMap(({ name, status, message, assertionResults }) => {
      const file = name.replace(ROOT, '');
      const tests = assertionResults.filter((test) => test.status !== 'passed');
      if (status === 'failed' && tests.length === 0) return [`${file}: ${message.split('\n', 1).join()}`];
      return tests.map((test) => `${file}: ${test.fullName}: ${test.status}`);
    });
  } else if (printed !== undefined) {
    passed = Number(printed[1]);
    const marked = [...output.matchAll(/^ +✗ (.*?)(?: {2,}.*)?$/gm)].map(([, what = '']) => what);
    failures = Array.from({ length: Number(printed[2]) }, (_, index) => marked[index] ?? 'without a name');
  }
  const ended = signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`;
  if (failures.length === 0 && (code !== 0 || passed === 0)) failures.push(ended);
  return { passed, failures };
}

/**
 * Runs a part, and prints its whole output when something failed.
 * @param {Part} part
 * @returns {Promise<Outcome>}
 */
async function runPart({ name, command, countsItself = false }) {
  const since = performance.now();
  const { passed, failures, output } = await showStep(name, () =>
    inOwnFolder(async (folder) => {
      const report = join(folder, 'report.json');
      const env = { ...ENVIRONMENT, TMPDIR: folder, TEST_REPORT: report };
      // Longer than the grace of what the part itself runs, which it ends before it is killed.
      const ending = await capture(command, { env, timeout: LIMIT_MS, graceMs: 15_000 });
      const { passed, failures } = countsOf(ending, report, countsItself);
      const counts = `${passed} passed, ${failures.length} failed`;
      return { code: failures.length, counts, passed, failures, output: ending.output };
    }),
  );
  if (failures.length > 0 && interruptedBy() === undefined) console.log(`\n── ${name} ──\n${output.trim()}`);
  const seconds = Math.round((performance.now() - since) / 1_000);
  return { name, passed, seconds, failures: failures.map((failure) => `${name}: ${failure}`) };
}

/**
 * Prints what failed, and the counts as the last line. The exit code is 0 when nothing failed.
 * @param {readonly Pick<Outcome, 'passed'>[]} outcomes
 * @param {readonly string[]} failures
 */
function endWithCounts(outcomes, failures) {
  if (failures.length > 0) console.log(`\nWhat failed:\n${failures.join('\n')}`);
  const sum = outcomes.reduce((sum, { passed }) => sum + passed, 0);
  console.log(`\n${sum} passed, ${failures.length} failed`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}

/**
 * Runs what every change has to pass, as `.ci/run` does in a clean clone: two parts at a time, so that no
 * processor waits.
 */
export async function testChange(parts = CHANGE_PARTS) {
  const withSlot = slots(2);
  const run = parts.map((part) =>
    withSlot(async () => (interruptedBy() === undefined ? [await runPart(part)] : [])),
  );
  const outcomes = (await Promise.all(run)).flat();
  if (endIfInterrupted()) return;
  endWithCounts(
    outcomes,
    outcomes.flatMap(({ failures }) => failures),
  );
}

/**
 * The progress of a run of everything. Parts that passed of another commit, on another machine, or with
 * another version of Node, are run again.
 * @typedef {object} Progress
 * @property {string} commit
 * @property {string} machine
 * @property {Record<string, { passed: number, seconds: number, tries: number, isDone: boolean }>} parts each
 *   with how often it was run to its end
 */

/**
 * @param {string} commit
 * @returns {Progress}
 */
function readProgress(commit) {
  const machine = `${process.platform} ${process.arch}, ${availableParallelism()} processors, Node ${process.versions.node}`;
  try {
    const progress = /** @type {Progress} */ (JSON.parse(readFileSync(PROGRESS, 'utf8')));
    if (progress.commit === commit && progress.machine === machine) return progress;
  } catch {
    // There is none, or its writing was cut off.
  }
  return { commit, machine, parts: {} };
}

/**
 * @param {string} file
 * @param {object} value
 */
function writeJson(file, value) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

/** The commit of this copy, and the files that differ from it, apart from the record. */
async function testedCommit() {
  const head = await capture(['git', 'rev-parse', 'HEAD']);
  const status = await capture(['git', 'status', '--porcelain', '--', '.', `:(exclude)${RECORD}`]);
  return { commit: head.output.trim(), changes: status.output.trimEnd() };
}

/**
 * Runs every part, one at a time, and records the commit once each has passed. What passed already of this
 * commit is not run again.
 * @param {readonly Part[]} parts
 */
export async function testAll(parts = PARTS) {
  const { commit, changes } = await testedCommit();
  if (changes !== '') {
    console.error(`A whole run tests a commit: commit, stash or delete these first.\n${changes}`);
    process.exitCode = 2;
    return;
  }
  const progress = readProgress(commit);
  const left = parts.filter(({ name }) => progress.parts[name]?.isDone !== true);
  console.log(`Left: ${left.length} of ${parts.length} parts: ${left.map(({ name }) => name).join(', ')}.`);
  /** @type {string[]} */
  const failed = [];
  for (const part of left) {
    const { name, passed, seconds, failures } = await runPart(part);
    if (endIfInterrupted()) return;
    const now = await testedCommit();
    const isSame = now.changes === '' && now.commit === commit;
    failed.push(...failures);
    if (!isSame) failed.push(`${name}: it does not count, because files were changed while it ran`);
    const tries = (progress.parts[name]?.tries ?? 0) + 1;
    progress.parts[name] = { passed, seconds, tries, isDone: isSame && failures.length === 0 };
    writeJson(PROGRESS, progress);
  }
  if (failed.length === 0) record(progress);
  endWithCounts(Object.values(progress.parts), failed);
}

/** @param {Progress} progress of a run in which every part passed */
function record({ commit, machine, parts }) {
  const rows = Object.entries(parts).map(([name, { isDone: _, ...row }]) => ({ name, ...row }));
  const sum = (/** @type {'passed' | 'seconds'} */ key) => rows.reduce((sum, row) => sum + row[key], 0);
  writeJson(join(ROOT, RECORD), {
    commit,
    date: new Date().toISOString().slice(0, 10),
    machine,
    minutes: Math.round(sum('seconds') / 6) / 10,
    passed: sum('passed'),
    parts: rows,
  });
  rmSync(PROGRESS);
  console.log(`Everything passed. ${RECORD} says so: commit it.`);
}

/** How far the last whole run is behind, in a sentence. */
export async function sinceLastWholeRun() {
  const file = join(ROOT, RECORD);
  if (!existsSync(file)) return 'Everything was never tested as a whole: npm run test:all does it.';
  const run = /** @type {{ commit: string, date: string }} */ (JSON.parse(readFileSync(file, 'utf8')));
  const { code, output } = await capture(['git', 'rev-list', '--count', `${run.commit}..HEAD`]);
  return `Commits since the last npm run test:all, of ${run.date}: ${code === 0 ? output.trim() : 'unknown'}.`;
}
