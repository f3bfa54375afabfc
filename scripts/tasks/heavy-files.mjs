// Test files that take long or much memory. Each says why in its first line, so that it is a decision and not an accident.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readLastWholeRun } from './last-whole-run.mjs';
import { ROOT } from './repository.mjs';

/** @typedef {{ file: string, seconds: number, megabytes: number }} MeasuredFile a test file, by its path from the root */

/** For what the last whole run measured, which the next one measures anew. */
export const RECORDED_ADVICE =
  'Begin each with a line "// Heavy: <why>". One that is made lighter needs the line until a whole run has found it light:';

/** @param {MeasuredFile} measured */
export const isHeavy = ({ seconds, megabytes }) => seconds > 5 || megabytes > 500;

/**
 * Whether the first line of a test file is `// Heavy:` and a reason.
 * @param {string} text
 */
export const saysWhyHeavy = (text) => /^\/\/ Heavy: \w/.test(text);

/**
 * Prints the heavy files that do not say why.
 * @param {readonly MeasuredFile[]} measured
 * @param {string} advice what is printed before them
 * @returns {boolean} whether there are any
 */
export function printSilent(measured, advice) {
  const silent = measured
    .filter(isHeavy)
    .filter(({ file }) => existsSync(join(ROOT, file)))
    .filter(({ file }) => !saysWhyHeavy(readFileSync(join(ROOT, file), 'utf8')));
  if (silent.length === 0) return false;
  console.log(`\nThese files took more than 5 s or 500 MB. ${advice}`);
  for (const { file, seconds, megabytes } of silent) console.log(`  ${seconds} s  ${megabytes} MB  ${file}`);
  return true;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  // What a whole run measured is judged and not what this machine does now, so the answer is the same everywhere.
  process.exitCode = printSilent(readLastWholeRun()?.heavy ?? [], RECORDED_ADVICE) ? 1 : 0;
}
