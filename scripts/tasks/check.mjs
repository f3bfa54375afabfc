import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { APPS, tryApp } from './apps.mjs';
import { clearConsumer, PACKED, stageConsumer, tarballs } from './consumer.mjs';
import { pnpmCommand } from './install.mjs';
import { sinceLastWholeRun } from './last-whole-run.mjs';
import { capture, captureEach, endIfInterrupted, interruptedBy, toolCommand } from './processes.mjs';
import { showStep, slots } from './progress.mjs';
import { ROOT, workspaceFolders } from './repository.mjs';
import { overBudget } from './size.mjs';

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {readonly string[]} [needs] steps that must have passed before
 * @property {boolean} [onlyNamed] whether it is run only when it is named
 * @property {() => Promise<{ code: number | null, output: string }>} run
 */

/**
 * @param {readonly string[]} command
 * @param {string} [folder]
 */
const run = (command, folder = '') => capture(command, { cwd: join(ROOT, folder) });

const members = workspaceFolders();
const packages = members.filter((folder) => folder.startsWith('packages/'));
/**
 * What is type checked together, each with the types that it may use: everything on Node, core's sources without Node, and
 * pages. The first also writes the declarations that the builds bundle.
 */
const PROGRAMS = [
  'tsconfig.json',
  'packages/core/tsconfig.src.json',
  'packages/host-node/page/tsconfig.json',
  'tests/pages/tsconfig.json',
];
const builds = packages.map((folder) => `build ${folder.replace('packages/', '')}`);

/**
 * A step comes after those that it needs. Of the others the longest come first, so that all processors finish at about the
 * same time.
 * @type {readonly Step[]}
 */
const STEPS = [
  {
    name: 'types',
    // Each checker of a program checks again what it shares with the others: one takes half of their processor time.
    run: () =>
      captureEach(
        PROGRAMS.map((program) => toolCommand('typescript-7:tsc', ['-p', program, '--checkers', '1'])),
      ),
  },
  ...packages.map((folder, index) => ({
    name: builds[index] ?? folder,
    needs: ['types'],
    run: () => run(toolCommand('tsup', []), folder),
  })),
  { name: 'lint', run: () => run(toolCommand('oxlint', ['-c', 'oxlint.config.mjs'])) },
  {
    name: 'pack',
    needs: builds,
    run: async () => {
      clearConsumer();
      const pack = pnpmCommand(['--filter=./packages/*', 'pack', `--pack-destination=${PACKED}`]);
      const packed = await run(pack);
      return packed.code === 0 ? stageConsumer() : packed;
    },
  },
  { name: 'exports', needs: ['pack'], run: () => run([process.execPath, 'scripts/tasks/exports.mjs']) },
  {
    name: 'declarations',
    needs: ['pack'],
    run: () => run([process.execPath, 'scripts/tasks/declarations.mjs']),
  },
  {
    name: 'attw',
    needs: ['pack'],
    onlyNamed: true,
    run: () =>
      captureEach(
        tarballs().map((file) =>
          toolCommand('@arethetypeswrong/cli:attw', [file, '--profile', 'esm-only', '--format', 'ascii']),
        ),
      ),
  },
  {
    name: 'publint',
    needs: ['pack'],
    run: () => captureEach(tarballs().map((file) => toolCommand('publint', [file, '--strict']))),
  },
  {
    name: 'examples',
    needs: ['types'],
    run: () => run([process.execPath, 'scripts/tasks/examples.mjs']),
  },
  ...APPS.map((app) => ({
    name: `app ${app.name}`,
    needs: ['pack'],
    onlyNamed: app.everyChange !== true,
    run: () => tryApp(app),
  })),
  { name: 'unused', run: () => run(toolCommand('knip', ['--no-progress', '--no-config-hints'])) },
  { name: 'rules', run: () => run([process.execPath, 'scripts/tasks/rules.mjs']) },
  { name: 'heavy', run: () => run([process.execPath, 'scripts/tasks/last-whole-run.mjs']) },
  {
    name: 'format',
    run: async () => {
      const { code, output } = await run(toolCommand('oxfmt', ['--check']));
      return { code, output: output.replace(/Run without `--check` to fix\./, 'Run npm run format.') };
    },
  },
  {
    name: 'imports',
    run: () =>
      run(toolCommand('dependency-cruiser:depcruise', ['--config', '.dependency-cruiser.mjs', ...members])),
  },
];

/**
 * The steps with a name or a first word.
 * @param {string} name
 * @param {readonly Step[]} steps
 */
const stepsNamed = (name, steps) => steps.filter((step) => `${step.name} `.startsWith(`${name} `));

/**
 * The steps with the given names or first words, and the steps they need; the steps of every change when no name is given.
 * @param {readonly string[]} names
 * @param {readonly Step[]} steps
 */
function chosenSteps(names, steps) {
  if (names.length === 0) return steps.filter(({ onlyNamed }) => onlyNamed !== true);
  const chosen = new Set(names.flatMap((name) => stepsNamed(name, steps)));
  for (const step of chosen) {
    for (const need of step.needs ?? [])
      steps.filter(({ name }) => name === need).forEach((needed) => chosen.add(needed));
  }
  return steps.filter((step) => chosen.has(step));
}

/**
 * Runs a step. One that throws has failed like any other, and the others are heard of.
 * @param {Step} step
 */
async function outcomeOf({ run }) {
  try {
    return await run();
  } catch (error) {
    return { code: 1, output: inspect(error) };
  }
}

/**
 * Runs the checks. Prints a line for each step, the whole output of each step that failed, and the numbers of steps
 * that passed and failed. A step counts as failed when a step that it needs failed. The exit code is 1 when any step
 * failed.
 * @param {readonly string[]} names the checks to run, each with the steps it needs; those of every change when empty
 * @param {readonly Step[]} all
 */
export async function check(names, all = STEPS) {
  const unknown = names.filter((name) => stepsNamed(name, all).length === 0);
  if (unknown.length > 0) {
    console.error(
      `There is no check ${unknown.join(' or ')}. The checks are: ${all.map(({ name }) => name).join(', ')}.`,
    );
    process.exitCode = 2;
    return;
  }
  const steps = chosenSteps(names, all);
  const withSlot = slots(availableParallelism());
  /** @type {Map<string, Promise<boolean>>} */
  const outcomes = new Map();
  /** @type {{ name: string, output: string }[]} */
  const failures = [];

  /** @param {Step} step */
  async function passes(step) {
    const needed = await Promise.all((step.needs ?? []).map(async (need) => outcomes.get(need)));
    const notRun = { code: 1, output: `Not run: it needs ${step.needs?.join(', ')}.` };
    return withSlot(async () => {
      if (interruptedBy() !== undefined) return false;
      const run = async () => (needed.includes(false) ? notRun : outcomeOf(step));
      const { code, output } = await showStep(step.name, run);
      if (code !== 0) failures.push({ name: step.name, output });
      return code === 0;
    });
  }

  for (const step of steps) outcomes.set(step.name, passes(step));
  const passed = (await Promise.all(outcomes.values())).filter(Boolean).length;
  if (endIfInterrupted()) return;
  for (const { name, output } of failures) console.log(`\n── ${name} ──\n${output.trim()}`);
  for (const line of [await sinceLastWholeRun(), ...(await overBudget())]) console.log(`\n${line}`);
  console.log(`\n${passed} passed, ${steps.length - passed} failed`);
  process.exitCode = passed === steps.length ? 0 : 1;
}
