import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { APPS, tryApp } from './apps.mjs';
import { clearConsumer, PACKAGES, PACKED, stageConsumer } from './consumer.mjs';
import { pnpmCommand } from './install.mjs';
import {
  capture,
  captureEach,
  endIfInterrupted,
  interruptedBy,
  showStep,
  slots,
  toolCommand,
} from './processes.mjs';
import { ROOT, workspaceFolders } from './repository.mjs';
import { overBudget } from './size.mjs';
import { sinceLastWholeRun } from './test-all.mjs';

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {readonly string[]} [needs] steps that must have passed before
 * @property {boolean} [onlyNamed] whether it is run only when it is named
 * @property {() => Promise<{ code: number | null, output: string }>} run
 */

/** @type {(tool: string, ...args: string[]) => Step['run']} */
const tool =
  (name, ...args) =>
  () =>
    capture(toolCommand(name, args));

/** @type {(name: string) => Step['run']} */
const task = (name) => () => capture([process.execPath, `scripts/tasks/${name}.mjs`]);

/** @type {(commandOf: (file: string) => readonly string[]) => Step['run']} */
const eachTarball = (commandOf) => () => captureEach(PACKAGES.map(({ tarball }) => commandOf(tarball)));

const members = workspaceFolders();
const packages = members.filter((folder) => folder.startsWith('packages/'));
const builds = packages.map((folder) => folder.replace('packages/', 'build '));

/**
 * Checks the types of programs. Each checker of a program checks again what it shares with the others: one
 * takes half of their processor time.
 * @type {(...programs: string[]) => Step['run']}
 */
const types =
  (...programs) =>
  () =>
    captureEach(
      programs.map((program) => toolCommand('typescript-7:tsc', ['-p', program, '--checkers', '1'])),
    );

async function pack() {
  clearConsumer();
  const packed = await capture(
    pnpmCommand(['--filter=./packages/*', 'pack', `--pack-destination=${PACKED}`]),
  );
  return packed.code === 0 ? stageConsumer() : packed;
}

/**
 * A step comes after those that it needs. Of the others the longest come first, so that all processors finish
 * at about the same time.
 * @type {readonly Step[]}
 */
const STEPS = [
  // Each with the types that it may use. The first writes the declarations that the builds bundle, which need
  // nothing of the tests.
  { name: 'types of packages', run: types('tsconfig.declarations.json', 'packages/browser/src/elements') },
  { name: 'types', run: types('.', 'packages/core/tsconfig.src.json') },
  { name: 'types of pages', run: types('packages/pages/browser', 'examples/checkouts', 'tests/pages') },
  ...packages.map((folder, index) => ({
    name: builds[index] ?? folder,
    needs: ['types of packages'],
    run: () => capture(toolCommand('tsup', []), { cwd: join(ROOT, folder) }),
  })),
  { name: 'lint', run: tool('oxlint', '-c', 'oxlint.config.mjs') },
  { name: 'pack', needs: builds, run: pack },
  { name: 'exports', needs: ['pack'], run: task('exports') },
  { name: 'declarations', needs: ['pack'], run: task('declarations') },
  {
    name: 'attw',
    needs: ['pack'],
    onlyNamed: true,
    run: eachTarball((file) =>
      toolCommand('@arethetypeswrong/cli:attw', [file, '--profile', 'esm-only', '--format', 'ascii']),
    ),
  },
  {
    name: 'publint',
    needs: ['pack'],
    run: eachTarball((file) => toolCommand('publint', [file, '--strict'])),
  },
  { name: 'examples', needs: ['types of packages'], run: task('examples') },
  ...APPS.map((app) => ({
    name: `app ${app.name}`,
    needs: ['pack'],
    onlyNamed: app.everyChange !== true,
    run: () => tryApp(app),
  })),
  { name: 'unused', run: tool('knip', '--no-progress', '--no-config-hints') },
  { name: 'rules', run: task('rules') },
  {
    name: 'format',
    run: async () => {
      const { code, output } = await tool('oxfmt', '--check')();
      return { code, output: output.replace('Run without `--check` to fix.', 'Run npm run format.') };
    },
  },
  {
    name: 'imports',
    run: tool('dependency-cruiser:depcruise', '-c', '.dependency-cruiser.mjs', '-T', 'err-long', ...members),
  },
];

/**
 * Whether a step has a name, or begins with it as its first word.
 * @param {string} name
 */
const isNamed = (name) => (/** @type {Step} */ step) => `${step.name} `.startsWith(`${name} `);

/**
 * The steps that are named, and those that they need; those of every change when none is named.
 * @param {readonly Step[]} steps
 * @param {readonly string[]} given
 */
function chosenSteps(steps, given) {
  if (given.length === 0) return steps.filter(({ onlyNamed }) => onlyNamed !== true);
  const chosen = new Set(given.flatMap((name) => steps.filter(isNamed(name))));
  for (const { needs = [] } of chosen)
    steps.filter(({ name }) => needs.includes(name)).forEach((needed) => chosen.add(needed));
  return steps.filter((step) => chosen.has(step));
}

/**
 * Runs the checks. Prints a line for each step, the whole output of each step that failed, and the numbers of
 * steps that passed and failed, which the exit code follows. A step fails when one that it needs failed, and
 * when it throws.
 * @param {readonly string[]} given the checks to run, each with the steps it needs; those of every change
 *   when empty
 */
export async function check(given, all = STEPS) {
  const unknown = given.filter((name) => !all.some(isNamed(name)));
  if (unknown.length > 0) {
    const known = all.map(({ name }) => (name.includes(' ') ? `'${name}'` : name)).join(', ');
    console.error(`There is no check ${unknown.join(' or ')}. The checks are: ${known}.`);
    process.exitCode = 2;
    return;
  }
  const steps = chosenSteps(all, given);
  const withSlot = slots(availableParallelism());
  /** @type {Map<string, Promise<boolean>>} */
  const outcomes = new Map();
  /** @type {string[]} */
  const failures = [];

  /** @param {Step} step */
  async function passes({ name, needs = [], run }) {
    const needed = await Promise.all(needs.map(async (need) => outcomes.get(need)));
    return withSlot(async () => {
      if (interruptedBy() !== undefined) return false;
      const { code, output } = await showStep(name, async () => {
        if (needed.includes(false)) return { code: 1, output: `Not run: it needs ${needs.join(', ')}.` };
        return Promise.resolve()
          .then(run)
          .catch((/** @type {unknown} */ error) => ({ code: 1, output: inspect(error) }));
      });
      if (code !== 0) failures.push(`\n── ${name} ──\n${output.trim()}`);
      return code === 0;
    });
  }

  for (const step of steps) outcomes.set(step.name, passes(step));
  const passed = (await Promise.all(outcomes.values())).filter(Boolean).length;
  if (endIfInterrupted()) return;
  for (const failure of failures) console.log(failure);
  if (given.length === 0)
    for (const line of [await sinceLastWholeRun(), ...(await overBudget())]) console.log(`\n${line}`);
  console.log(`\n${passed} passed, ${steps.length - passed} failed`);
  process.exitCode = passed === steps.length ? 0 : 1;
}
