// Does what a newcomer does with `npm start`: runs every line that the host prints, stops it, and starts it again. The
// last line counts what passed and failed.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from '../tasks/repository.mjs';

const LATER_STARTS = 3;

/** The end of the host's welcome: once it is printed, the host is ready. */
const WELCOME_END = 'Ctrl-C stops';

let passed = 0;
let failed = 0;

/**
 * Prints and counts one expectation.
 * @param {string} what
 * @param {boolean} passes
 */
function expect(what, passes) {
  console.log(`  ${passes ? '✓' : '✗'} ${what}`);
  if (passes) passed += 1;
  else failed += 1;
}

/** Starts the host and waits until it has printed its welcome. */
async function start() {
  const since = performance.now();
  const npm = spawn('npm', ['start', '--silent'], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(npm, 'exit');
  let printed = '';
  for await (const chunk of npm.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    printed += String(chunk);
    if (printed.includes(WELCOME_END)) break;
  }
  const tookMs = performance.now() - since;
  npm.stdout.resume();
  const stop = async () => {
    npm.kill('SIGTERM');
    const [code] = await ended;
    return code === 0;
  };
  return { printed, tookMs, stop };
}

/**
 * Runs a line in a shell in which `curl` is the replacement in this folder.
 * @param {string} line
 */
function runPrinted(line) {
  const curl = join(ROOT, 'scripts/ci/curl.mjs');
  const script = `cd "${ROOT}"\ncurl() { "${process.execPath}" "${curl}" "$@"; }\n${line}`;
  const { status, stdout, stderr } = spawnSync('sh', ['-c', script], { encoding: 'utf8' });
  console.log(`${stdout}${stderr}`.trim());
  return status === 0;
}

/** What the printed subscription is followed by, as it says itself: a month, with a charge that makes a webhook. */
const NEXT = 'npm start --silent -- local time +30d';

/**
 * Runs the printed command that receives webhooks until one has arrived, and stops it. A month passes meanwhile, so that
 * there is one.
 * @param {string} line
 */
async function receivesWebhook(line) {
  const receiver = spawn('sh', ['-c', `exec ${line}`], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(receiver, 'exit');
  let arrived = false;
  for await (const text of createInterface(receiver.stdout)) {
    console.log(text);
    if (text.startsWith('The demo wallet is subscribed')) {
      spawn('sh', ['-c', `exec ${NEXT}`], { cwd: ROOT, stdio: 'inherit' });
    }
    arrived = /^dlv_\w+ {2}/.test(text);
    if (arrived) break;
  }
  receiver.kill('SIGTERM');
  await ended;
  return arrived;
}

const first = await start();
console.log(first.printed);
expect('npm start prints its welcome in an empty folder', first.printed.includes(WELCOME_END));
const lines = first.printed.split('\n').filter((line) => /^ {2}(curl|npm) /.test(line));
expect(
  'it prints two curl lines, a subscription as the third, and a command that receives webhooks',
  lines.map((line) => line.trim().split(' ')[0]).join() === 'curl,curl,npm,npm' &&
    lines[2]?.includes(' local subscribe ') === true,
);
for (const line of lines) {
  const works = line.startsWith('  npm run webhooks ') ? await receivesWebhook(line) : runPrinted(line);
  expect(`works as printed: ${line.trim()}`, works);
}
expect('it stops on SIGTERM with exit code 0', await first.stop());

const times = [];
for (let count = 0; count < LATER_STARTS; count += 1) {
  const later = await start();
  times.push(Math.round(later.tookMs));
  expect('a later start shows the next step', later.printed.includes(`  ${NEXT}\n`));
  expect(
    'it prints the same addresses and key, because it finds the same state',
    addressesOf(later) === addressesOf(first),
  );
  expect('it stops again with exit code 0', await later.stop());
}
/**
 * What a start prints from its address to the plans. Before that, the first one says that it installs.
 * @param {{ printed: string }} started
 */
function addressesOf({ printed }) {
  return printed.slice(printed.indexOf('Subrail runs at'), printed.indexOf('Which plans'));
}

// Printed and not judged: how fast a machine is at this moment says nothing about the code.
console.log(`  later starts took ${times.join(', ')} ms`);

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
