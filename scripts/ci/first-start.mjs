// Does what a newcomer does after `npm start`: runs every line the host printed, stops it, and starts it again.
// The last line counts what passed and failed.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ROOT } from '../tasks/repository.mjs';

/** A later start has to be up this soon; the best of a few counts, since the machine has other things to do. */
const LATER_START_MS = 3_000;
const LATER_STARTS = 3;

/** The last words of the host's welcome. */
const WELCOMED = 'Ctrl-C stops';

let passed = 0;
let failed = 0;

/**
 * @param {string} what
 * @param {boolean} held
 */
function expect(what, held) {
  console.log(`  ${held ? '✓' : '✗'} ${what}`);
  if (held) passed += 1;
  else failed += 1;
}

/** Starts the host and waits until it has said where it is. */
async function start() {
  const since = performance.now();
  const npm = spawn('npm', ['start', '--silent'], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(npm, 'exit');
  let said = '';
  for await (const chunk of npm.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    said += String(chunk);
    if (said.includes(WELCOMED)) break;
  }
  const tookMs = performance.now() - since;
  npm.stdout.resume();
  const stop = async () => {
    npm.kill('SIGTERM');
    const [code] = await ended;
    return code === 0;
  };
  return { said, tookMs, stop };
}

/**
 * Runs a line as a shell would, with our own curl where it says curl.
 * @param {string} line
 */
function runPrinted(line) {
  const curl = join(ROOT, 'scripts/ci/curl.mjs');
  const script = `curl() { "${process.execPath}" "${curl}" "$@"; }\n${line}`;
  const { status, stdout, stderr } = spawnSync('sh', ['-c', script], { encoding: 'utf8' });
  console.log(`${stdout}${stderr}`.trim());
  return status === 0;
}

const first = await start();
console.log(first.said);
expect('npm start welcomes on an empty folder', first.said.includes(WELCOMED));
const lines = first.said.split('\n').filter((line) => line.trim().startsWith('curl '));
expect('it prints three curl lines', lines.length === 3);
for (const line of lines) expect(`works as printed: ${line.trim()}`, runPrinted(line));
expect('it stops when told to, with exit code 0', await first.stop());

const times = [];
for (let count = 0; count < LATER_STARTS; count += 1) {
  const later = await start();
  times.push(Math.round(later.tookMs));
  expect('a later start welcomes, and finds the same world', later.said === first.said);
  expect('and stops', await later.stop());
}
expect(
  `a later start takes under 3 seconds (took ${times.join(', ')} ms)`,
  Math.min(...times) < LATER_START_MS,
);

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
