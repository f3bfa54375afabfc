// Does what a newcomer does with `npm start`: runs every line that the host prints, stops it, and starts it
// again. It does so on SQLite, and then on PostgreSQL as the README says. The last line counts what passed
// and failed.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from '../tasks/repository.mjs';

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

/** @typedef {{ cwd: string, env: NodeJS.ProcessEnv }} Place of the commands */

/**
 * Starts the host and waits until it has printed its welcome.
 * @param {Place} place
 */
async function start(place) {
  const npm = spawn('npm', ['start', '--silent'], { ...place, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(npm, 'exit');
  let printed = '';
  for await (const chunk of npm.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    printed += String(chunk);
    if (printed.includes(WELCOME_END)) break;
  }
  npm.stdout.resume();
  const stop = async () => {
    npm.kill('SIGTERM');
    const [code] = await ended;
    return code === 0;
  };
  return { printed, stop };
}

/**
 * Runs a line in a shell in which `curl` is the replacement in this folder.
 * @param {string} line
 * @param {Place} place
 */
function runPrinted(line, place) {
  const curl = join(ROOT, 'scripts/ci/curl.mjs');
  const script = `curl() { "${process.execPath}" "${curl}" "$@"; }\n${line}`;
  const { status, stdout, stderr } = spawnSync('sh', ['-c', script], { ...place, encoding: 'utf8' });
  console.log(`${stdout}${stderr}`.trim());
  return status === 0;
}

/** The step after the printed subscription: a month, with a charge that makes a webhook. */
const NEXT = 'npm start --silent -- local time +30d';

/**
 * Runs the printed command that receives webhooks until one has arrived, and stops it. A month passes
 * meanwhile, so that there is one.
 * @param {string} line
 * @param {Place} place
 */
async function receivesWebhook(line, place) {
  const receiver = spawn('sh', ['-c', `exec ${line}`], { ...place, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(receiver, 'exit');
  let arrived = false;
  for await (const text of createInterface(receiver.stdout)) {
    console.log(text);
    // Without the month nothing arrives, and the receiver waits for ever.
    if (text.startsWith('The demo wallet is subscribed') && !runPrinted(NEXT, place)) break;
    arrived = /^dlv_\w+ {2}/.test(text);
    if (arrived) break;
  }
  receiver.kill('SIGTERM');
  await ended;
  return arrived;
}

/** @type {(started: { printed: string }) => string} */
const addressesOf = ({ printed }) =>
  printed
    .slice(printed.indexOf('Subrail runs at'), printed.indexOf('Which plans'))
    .replace(/#ticket=\S+/, '');

/** @type {(started: { printed: string }) => string | undefined} */
const ticketOf = ({ printed }) => /#ticket=(\S+)/.exec(printed)?.[1];

/**
 * Plays a first start and a later one on one database, which is empty.
 * @param {Readonly<Record<string, string>>} settings what a newcomer sets in each terminal
 */
async function play(settings) {
  // A folder in which npm runs the commands of this repository, and in which no host has been started.
  const cwd = mkdtempSync(join(tmpdir(), 'clone-'));
  for (const name of ['package.json', 'scripts']) symlinkSync(join(ROOT, name), join(cwd, name));
  const place = { cwd, env: { ...process.env, ...settings } };
  const first = await start(place);
  console.log(first.printed);
  expect('npm start prints its welcome with an empty database', first.printed.includes(WELCOME_END));
  const lines = first.printed.split('\n').filter((line) => /^ {2}(curl|npm) /.test(line));
  expect(
    'it prints two curl lines, a subscription as the third, and a command that receives webhooks',
    lines.map((line) => line.trim().split(' ')[0]).join() === 'curl,curl,npm,npm' &&
      lines[2]?.includes(' local subscribe ') === true,
  );
  for (const line of lines) {
    const run = line.startsWith('  npm run webhooks ') ? receivesWebhook : runPrinted;
    expect(`works as printed: ${line.trim()}`, await run(line, place));
  }
  expect('it stops on SIGTERM with exit code 0', await first.stop());

  const later = await start(place);
  expect('a later start shows the next step', later.printed.includes(`  ${NEXT}\n`));
  expect(
    'it prints the same addresses and key, because it finds the same state',
    addressesOf(later) === addressesOf(first),
  );
  expect(
    'its address of the dashboard has another ticket, because each logs in once',
    ticketOf(later) !== undefined && ticketOf(later) !== ticketOf(first),
  );
  expect('it stops again with exit code 0', await later.stop());
}

console.log('-- on SQLite');
await play({});

console.log('-- on PostgreSQL');
// The first start installs it.
const { tsImport } = await import('tsx/esm/api');
/** @type {typeof import('../../tests/postgres/src/index.js')} */
const { startPostgres } = await tsImport('../../tests/postgres/src/index.ts', import.meta.url);
const server = await startPostgres();
const [, example = ''] =
  /`SUBRAIL_DATABASE='(.*?)' npm start`/.exec(readFileSync(join(ROOT, 'README.md'), 'utf8')) ?? [];
try {
  // The address of the README, for this server instead of its example.
  await play({ SUBRAIL_DATABASE: server.url + new URL(example).search });
} finally {
  await server.remove();
}

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
