import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { isHeavy, readLastWholeRun, RECORD } from './last-whole-run.mjs';
import { CHANGE_PARTS, PARTS } from './parts.mjs';
import { capture, endIfInterrupted, interruptedBy } from './processes.mjs';
import { ROOT } from './repository.mjs';
import { endWithCounts, failuresIn, runParts } from './run-parts.mjs';

/** @typedef {import('./parts.mjs').Part} Part */
/** @typedef {import('./last-whole-run.mjs').MeasuredFile} MeasuredFile */

/**
 * The progress of a run of everything, which goes on from here when it was stopped or a part failed.
 */
const PROGRESS = join(ROOT, 'node_modules', '.cache', 'test-all.json');

/** Parts that passed on another machine, or with another version of Node, are run again. */
const MACHINE = `${process.platform} ${process.arch}, ${availableParallelism()} processors, Node ${process.versions.node}`;

/**
 * @typedef {object} Progress
 * @property {string} commit
 * @property {string} machine
 * @property {Record<string, number>} tries how often each part was run to its end, by its name
 * @property {Record<string, { passed: number, seconds: number, files: readonly MeasuredFile[] }>} done the
 *   parts that passed, by their names
 */

/**
 * @param {string} commit
 * @returns {Progress} what was done of this commit; what was done of another one counts for nothing
 */
function readProgress(commit) {
  try {
    const progress = /** @type {Progress} */ (JSON.parse(readFileSync(PROGRESS, 'utf8')));
    if (progress.commit === commit && progress.machine === MACHINE) return progress;
  } catch {
    // There is none, or its writing was cut off.
  }
  return { commit, machine: MACHINE, tries: {}, done: {} };
}

/**
 * @param {string} file
 * @param {object} value
 */
function writeJson(file, value) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

/**
 * The commit of this copy, and what keeps it from being tested: files that differ from it, apart from the
 * record, or git itself.
 */
async function testedCommit() {
  const status = await capture(['git', 'status', '--porcelain', '--', '.', `:(exclude)${RECORD}`]);
  const head = await capture(['git', 'rev-parse', 'HEAD']);
  const problem =
    status.code === 0
      ? 'Commit, stash or delete these first, untracked ones (??) too: the record of the run names the commit that was tested.'
      : 'git does not say which commit this is:';
  const isClean = status.code === 0 && status.output === '';
  return { commit: head.output.trim(), problem: isClean ? null : `${problem}\n${status.output.trimEnd()}` };
}

/**
 * Prints which parts are left, and for how long by the last whole run.
 * @param {readonly Part[]} parts
 * @param {Progress} progress
 */
function printLeft(parts, { done }) {
  const names = parts.map(({ name }) => name).filter((name) => done[name] === undefined);
  const before = new Map(readLastWholeRun()?.parts.map(({ name, seconds }) => [name, seconds]));
  const minutes = Math.ceil(names.reduce((sum, name) => sum + (before.get(name) ?? 0), 0) / 60);
  const unknown = names.filter((name) => !before.has(name));
  const more = unknown.length === 0 ? '' : ` and the unknown time of ${unknown.join(', ')}`;
  console.log(
    `Left: ${names.length} of ${parts.length} parts, ${minutes} minutes${more}: ${names.join(', ')}.`,
  );
}

/**
 * Runs what every change has to pass, as `.ci/run` does in a clean clone: two parts at a time, so that no
 * processor waits.
 */
export async function testChange() {
  const outcomes = await runParts(CHANGE_PARTS, { width: 2, limitMs: 30 * 60_000 });
  if (!endIfInterrupted()) endWithCounts(outcomes, failuresIn(outcomes));
}

/**
 * Runs every part, one at a time, and records the commit once each has passed. What passed already of this
 * commit is not run again.
 * @param {readonly Part[]} parts
 */
export async function testAll(parts = PARTS) {
  const { commit, problem } = await testedCommit();
  if (endIfInterrupted()) return;
  if (problem !== null) {
    console.error(problem);
    process.exitCode = 2;
    return;
  }
  const progress = readProgress(commit);
  const isLeft = (/** @type {Part} */ { name }) => progress.done[name] === undefined;
  printLeft(parts, progress);
  /** @type {string[]} */
  const changed = [];
  const outcomes = await runParts(parts.filter(isLeft), {
    width: 1,
    limitMs: 40 * 60_000,
    ended: async ({ name, passed, failures, seconds, files }) => {
      progress.tries[name] = (progress.tries[name] ?? 0) + 1;
      const now = await testedCommit();
      // A part that ran while files were changed says nothing about the commit.
      if (now.problem !== null || now.commit !== commit)
        changed.push(`${name}: it does not count, because files were changed while it ran`);
      else if (failures.length === 0) progress.done[name] = { passed, seconds, files };
      writeJson(PROGRESS, progress);
      if (parts.some(isLeft)) printLeft(parts, progress);
    },
  });
  if (interruptedBy() !== undefined) {
    const passed = parts.filter((part) => !isLeft(part)).length;
    console.log(
      `${passed} of ${parts.length} parts of this commit have passed. npm run test:all goes on after them.`,
    );
  }
  if (endIfInterrupted()) return;
  if (!parts.some(isLeft)) record(parts, progress);
  endWithCounts(Object.values(progress.done), [...failuresIn(outcomes), ...changed]);
}

/**
 * @param {readonly Part[]} parts
 * @param {Progress} progress of a run in which every part passed
 */
function record(parts, { commit, tries, done }) {
  const rows = parts.map(({ name }) => {
    const { passed = 0, seconds = 0 } = done[name] ?? {};
    return { name, passed, seconds, tries: tries[name] ?? 0 };
  });
  const sum = (/** @type {'passed' | 'seconds'} */ key) => rows.reduce((sum, row) => sum + row[key], 0);
  writeJson(join(ROOT, RECORD), {
    commit,
    date: new Date().toISOString().slice(0, 10),
    machine: MACHINE,
    minutes: Math.round(sum('seconds') / 6) / 10,
    passed: sum('passed'),
    parts: rows,
    heavy: heavyAmong(Object.values(done).flatMap(({ files }) => files)),
  });
  rmSync(PROGRESS);
  console.log(
    `Everything passed. ${RECORD} says so: commit it. npm run check -- heavy has the files that it found heavy.`,
  );
}

/**
 * The heavy files, the longest first. Of a file that several parts run, on several databases, the least time
 * and the least memory count: what it takes on the slowest of them says little about the file.
 * @param {readonly MeasuredFile[]} files
 */
function heavyAmong(files) {
  /** @type {Map<string, MeasuredFile>} */
  const least = new Map();
  for (const { file, ...now } of files) {
    const { seconds, megabytes } = least.get(file) ?? now;
    least.set(file, {
      file,
      seconds: Math.min(seconds, now.seconds),
      megabytes: Math.min(megabytes, now.megabytes),
    });
  }
  return [...least.values()].filter(isHeavy).sort((a, b) => b.seconds - a.seconds);
}
