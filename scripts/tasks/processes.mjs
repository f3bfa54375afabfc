import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readManifest, ROOT } from './repository.mjs';

/**
 * The end of a command, and what it printed, both streams in their order.
 * @typedef {{ code: number | null, signal: NodeJS.Signals | null, output: string }} Ending
 */

/**
 * The options of a command. A detached command and all that it started are killed `graceMs` after it was told
 * to end, or after its first process ended. It is told so after `timeout` milliseconds, and has failed then.
 * @typedef {import('node:child_process').SpawnOptions & { graceMs?: number }} Options
 */

/** @type {NodeJS.Signals[]} */
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Sends a signal to each running child. @type {Set<(signal: NodeJS.Signals) => unknown>} */
const running = new Set();

/** @type {NodeJS.Signals | undefined} */
let interruption;

/** @param {NodeJS.Signals} signal */
function forward(signal) {
  interruption = signal;
  for (const send of running) send(signal);
}

/** The signal that asked this process to stop while a child ran, if any. */
export const interruptedBy = () => interruption;

/**
 * Sends a signal to a group of processes, or only looks for it with 0.
 * @param {number | undefined} leader undefined when it did not start
 * @param {NodeJS.Signals | 0} signal
 * @returns {boolean} whether there is any process in it
 */
function sendToGroup(leader, signal) {
  try {
    return leader !== undefined && process.kill(-leader, signal);
  } catch {
    return false;
  }
}

/**
 * Runs a command, and forwards to it every signal that this process receives. After such a signal nothing is
 * run any more.
 * @param {readonly string[]} command
 * @param {Options} options a command that is detached ends with all that it started
 * @returns {Promise<Ending>}
 */
async function run([file = '', ...args], { graceMs = 3_000, timeout, ...options }) {
  if (interruption !== undefined) return { code: null, signal: interruption, output: '' };
  if (running.size === 0) for (const signal of FORWARDED) process.on(signal, forward);
  const child = spawn(file, args, { cwd: ROOT, ...options });
  /** @param {NodeJS.Signals} signal */
  const send = async (signal) => {
    if (!options.detached) return void child.kill(signal);
    // Not everything heeds a signal, such as the native compiler of TypeScript.
    const latest = performance.now() + graceMs;
    sendToGroup(child.pid, signal);
    while (sendToGroup(child.pid, 0) && performance.now() < latest) await pause(20);
    sendToGroup(child.pid, 'SIGKILL');
  };
  running.add(send);
  const since = performance.now();
  const limit = timeout && setTimeout(() => void send('SIGTERM'), timeout);
  /** @type {Buffer[]} */
  const chunks = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (/** @type {Buffer} */ chunk) => chunks.push(chunk));
  try {
    // Its children may run on, and hold its output open.
    const ended = once(child, 'exit').then(() => (options.detached ? send('SIGTERM') : undefined));
    const [closed] = await Promise.all([once(child, 'close'), ended]);
    const [code, signal] = /** @type {[number | null, NodeJS.Signals | null]} */ (closed);
    const output = Buffer.concat(chunks).toString('utf8');
    const isLate = timeout !== undefined && performance.now() - since >= timeout;
    return isLate ? { code: null, signal: signal ?? 'SIGTERM', output } : { code, signal, output };
  } finally {
    clearTimeout(limit);
    running.delete(send);
    if (running.size === 0) for (const signal of FORWARDED) process.off(signal, forward);
  }
}

/**
 * Runs a command in the terminal of this process.
 * @param {readonly string[]} command
 */
export const attach = (command) => run(command, { stdio: 'inherit' });

/**
 * Ends this process as its child ended, with the same signal or exit code.
 * @param {Ending} ending
 */
export function endLike({ code, signal }) {
  if (signal) process.kill(process.pid, signal);
  else process.exitCode = code ?? 1;
}

/**
 * Runs a command without showing its output. All that it started ends with it.
 * @param {readonly string[]} command
 * @param {Options} [options]
 */
export const capture = (command, options) =>
  run(command, { stdio: ['ignore', 'pipe', 'pipe'], ...options, detached: true });

/**
 * Runs commands one after the other, as one. It fails when one of them fails or is killed, when this process
 * is interrupted before all have run, and when there is none.
 * @param {readonly (readonly string[])[]} commands
 */
export async function captureEach(commands) {
  /** @type {Ending[]} */
  const endings = [];
  for (const command of commands) endings.push(await capture(command));
  const passed = endings.length > 0 && endings.every(({ code }) => code === 0);
  return { code: passed ? 0 : 1, output: endings.map(({ output }) => output).join('') };
}

/** Ends this process by the signal that interrupted it, and says whether there is one. */
export function endIfInterrupted() {
  if (interruption !== undefined) process.kill(process.pid, interruption);
  return interruption !== undefined;
}

/**
 * Runs work and prints its name, how long it took, and what it counted if it was not interrupted.
 * @template {{ code: number | null, counts?: string }} Result
 * @param {string} name
 * @param {() => Promise<Result>} work
 */
export async function showStep(name, work) {
  const since = performance.now();
  const result = await work();
  const [failed, counts = ''] = interruption === undefined ? ['✗', result.counts] : ['–'];
  const seconds = ((performance.now() - since) / 1_000).toFixed(1).padStart(6);
  // The output for a program is alone on stdout, also when a command installs first.
  console.error(`  ${result.code === 0 ? '✓' : failed} ${name.padEnd(24)} ${seconds} s   ${counts}`);
  return result;
}

/**
 * Limits concurrent work. Work that waits starts in the order in which it was submitted.
 * @param {number} count how much work runs at a time
 * @returns {<Result>(work: () => Promise<Result>) => Promise<Result>}
 */
export function slots(count) {
  let free = count;
  /** @type {((value?: unknown) => void)[]} */
  const queue = [];
  return async (work) => {
    if (free === 0) await new Promise((resolve) => queue.push(resolve));
    else free -= 1;
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else free += 1;
    }
  };
}

/**
 * The command line of an installed tool. It runs on this Node, without a package manager in between.
 * @param {string} tool a package of the root manifest, or `package:command` when the command has another name
 * @param {readonly string[]} args
 */
export function toolCommand(tool, args) {
  const [name = tool, command = name] = tool.split(':');
  const folder = join(ROOT, 'node_modules', name);
  const { bin } = readManifest(folder);
  const file = typeof bin === 'string' ? bin : bin?.[command];
  if (file === undefined) throw new Error(`The package ${name} has no command ${command}.`);
  return [process.execPath, join(folder, file), ...args];
}

/**
 * Gives work a folder that is deleted after it. What a command leaves when it is interrupted, such as the
 * data of servers, goes with the folder when that is its TMPDIR.
 * @template Result
 * @param {(folder: string) => Promise<Result>} work
 * @returns {Promise<Result>}
 */
export async function inOwnFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'subrail-'));
  try {
    // As root, the servers of PostgreSQL run as a user of their own, who has to reach their data.
    chmodSync(folder, 0o755);
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 50 });
  }
}
