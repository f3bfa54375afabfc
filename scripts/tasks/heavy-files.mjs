// Test files that take long or much memory. Each says why in its first line, so that it is a decision and not an accident.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readLastWholeRun } from './last-whole-run.mjs';
import { ROOT } from './repository.mjs';

/** @typedef {{ file: string, seconds: number, megabytes: number }} MeasuredFile a test file, by its path from the root */

/** @param {MeasuredFile} measured */
export const isHeavy = ({ seconds, megabytes }) => seconds > 5 || megabytes > 500;

/**
 * Whether the first line of a test file is `// Heavy:` and a reason.
 * @param {string} text
 */
export const saysWhyHeavy = (text) => /^\/\/ Heavy: \w/.test(text);

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  // What a whole run measured is judged and not what this machine does now, so the answer is the same everywhere.
  const silent = (readLastWholeRun()?.heavy ?? []).filter(
    ({ file }) => existsSync(join(ROOT, file)) && !saysWhyHeavy(readFileSync(join(ROOT, file), 'utf8')),
  );
  for (const { file, seconds, megabytes } of silent)
    console.error(
      `${file}: took ${seconds} s and ${megabytes} MB. Begin it with a line "// Heavy: <why>", or make it lighter.`,
    );
  process.exitCode = silent.length === 0 ? 0 : 1;
}
