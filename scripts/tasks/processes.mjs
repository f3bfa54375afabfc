import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readManifest, ROOT } from './repository.mjs';

/**
 * How a child process ended: by exit code or by signal, and whether it had reached its limit of time by then.
 * @typedef {{ code: number | null, signal: NodeJS.Signals | null, isLate: boolean }} Ending
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
export function interruptedBy() {
  return interruption;
}

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
 * Sends a signal to a group, and kills what is left of it after the grace: not everything heeds a signal, such as the native compiler of
 * TypeScript.
 * @param {number | undefined} leader
 * @param {NodeJS.Signals} signal
 * @param {number} graceMs
 */
async function endGroup(leader, signal, graceMs) {
  const latest = performance.now() + graceMs;
  sendToGroup(leader, signal);
  while (sendToGroup(leader, 0) && performance.now() < latest) await pause(20);
  sendToGroup(leader, 'SIGKILL');
}

/**
 * When a command ends, with all that it started, in milliseconds.
 * @typedef {object} Limits
 * @property {number} [limitMs] after it began it is told to end
 * @property {number} [graceMs] after it was told to, or its first process has ended, what is left is killed
 */

/**
 * Runs a command and forwards to it every signal that this process receives. After such a signal nothing is run any more.
 * @param {readonly string[]} command
 * @param {import('node:child_process').SpawnOptions} options one that is detached ends with all that it started
 * @param {Limits & { started?: (child: import('node:child_process').ChildProcess) => void }} [more]
 * @returns {Promise<Ending>}
 */
async function runChild([file, ...args], options, { started, limitMs, graceMs = 3_000 } = {}) {
  if (file === undefined) throw new Error('The command is empty: it must start with the program to run.');
  if (interruption !== undefined) return { code: null, signal: interruption, isLate: false };
  if (running.size === 0) for (const signal of FORWARDED) process.on(signal, forward);
  const child = spawn(file, args, { cwd: ROOT, ...options });
  /** @param {NodeJS.Signals} signal */
  const send = (signal) =>
    options.detached ? endGroup(child.pid, signal, graceMs) : void child.kill(signal);
  let isLate = false;
  const end = () => {
    isLate = true;
    void send('SIGTERM');
  };
  const limit = limitMs === undefined ? undefined : setTimeout(end, limitMs);
  running.add(send);
  try {
    started?.(child);
    // What it started may run on, and hold its output open.
    const ended = once(child, 'exit').then(async () => {
      if (options.detached) await send('SIGTERM');
    });
    const [closed] = await Promise.all([once(child, 'close'), ended]);
    const [code, signal] = /** @type {[number | null, NodeJS.Signals | null]} */ (closed);
    return { code, signal, isLate };
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
export function attach(command) {
  return runChild(command, { stdio: 'inherit' });
}

/**
 * Runs a command without showing its output, and returns what it printed, both streams in their order. All that it started ends with it.
 * @param {readonly string[]} command
 * @param {import('node:child_process').SpawnOptions} [options]
 * @param {Limits} [limits]
 * @returns {Promise<Ending & { output: string }>}
 */
export async function capture(command, options, limits) {
  /** @type {Buffer[]} */
  const chunks = [];
  const color = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
  const env = { ...process.env, ...color };
  const ending = await runChild(
    command,
    { stdio: ['ignore', 'pipe', 'pipe'], env, ...options, detached: true },
    {
      started: (child) => {
        child.stdout?.on('data', (/** @type {Buffer} */ chunk) => chunks.push(chunk));
        child.stderr?.on('data', (/** @type {Buffer} */ chunk) => chunks.push(chunk));
      },
      ...limits,
    },
  );
  return { ...ending, output: Buffer.concat(chunks).toString('utf8') };
}

/**
 * Runs commands one after the other, as one. It fails when one of them fails or is killed, when this process is interrupted before all have
 * run, and when there is none.
 * @param {readonly (readonly string[])[]} commands
 * @returns {Promise<{ code: number, output: string }>}
 */
export async function captureEach(commands) {
  let passed = 0;
  let output = '';
  for (const command of commands) {
    const result = await capture(command);
    if (result.code === 0) passed += 1;
    output += result.output;
  }
  return { code: passed === commands.length && passed > 0 ? 0 : 1, output };
}

/**
 * Ends this process as its child ended, with the same signal or exit code.
 * @param {Pick<Ending, 'code' | 'signal'>} ending
 */
export function endLike({ code, signal }) {
  if (signal) process.kill(process.pid, signal);
  else process.exitCode = code ?? 1;
}

/** Ends this process by the signal that interrupted it, and says whether there is one. */
export function endIfInterrupted() {
  if (interruption !== undefined) process.kill(process.pid, interruption);
  return interruption !== undefined;
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
