import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { readManifest, ROOT } from './repository.mjs';

/**
 * How a child process ended: by exit code or by signal.
 * @typedef {{ code: number | null, signal: NodeJS.Signals | null }} Ending
 */

/** @type {NodeJS.Signals[]} */
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Sends a signal to each running child. @type {Set<(signal: NodeJS.Signals) => void>} */
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
 * @param {number} leader of a group of processes
 * @param {NodeJS.Signals} signal
 */
function sendToGroup(leader, signal) {
  try {
    process.kill(-leader, signal);
  } catch {
    // All of them have ended.
  }
}

/**
 * When a command is killed, with all that it started, in milliseconds.
 * @typedef {object} Limits
 * @property {number} [limitMs] after it began
 * @property {number} [graceMs] after a signal that it may not heed, such as the native compiler of TypeScript
 */

/**
 * Runs a command and forwards to it every signal that this process receives.
 * @param {readonly string[]} command
 * @param {import('node:child_process').SpawnOptions} options
 * @param {Limits & { started?: (child: import('node:child_process').ChildProcess) => void }} [more] what is done with the
 *   child, and when it is killed
 * @returns {Promise<Ending>}
 */
async function runChild([file, ...args], options, { started, limitMs, graceMs } = {}) {
  if (file === undefined) throw new Error('The command is empty: it must start with the program to run.');
  const child = spawn(file, args, { cwd: ROOT, ...options });
  if (running.size === 0) for (const signal of FORWARDED) process.on(signal, forward);
  /** A child with a group of its own gets a signal with all that it started. @param {NodeJS.Signals} signal */
  const send = (signal) => {
    if (options.detached && child.pid !== undefined) sendToGroup(child.pid, signal);
    else child.kill(signal);
    if (signal !== 'SIGKILL') killAfter(graceMs);
  };
  /** @type {NodeJS.Timeout[]} */
  const limits = [];
  /** @param {number | undefined} ms */
  const killAfter = (ms) => {
    if (ms !== undefined) limits.push(setTimeout(() => send('SIGKILL'), ms));
  };
  running.add(send);
  killAfter(limitMs);
  try {
    started?.(child);
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve({ code, signal }));
    });
  } finally {
    for (const limit of limits) clearTimeout(limit);
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
 * Runs a command without showing its output, and returns what it printed, both streams in their order.
 * @param {readonly string[]} command
 * @param {import('node:child_process').SpawnOptions} [options]
 * @param {Limits} [limits]
 * @returns {Promise<Ending & { output: string }>}
 */
export async function capture(command, options, limits) {
  /** @type {Buffer[]} */
  const chunks = [];
  const color = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
  const ending = await runChild(
    command,
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...color }, ...options },
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
 * Runs a command of a check like `capture`. What it started ends with it, at the latest a moment after an interruption.
 * @param {readonly string[]} command
 * @param {import('node:child_process').SpawnOptions} [options]
 */
export function captureCheck(command, options) {
  return capture(command, { ...options, detached: true }, { graceMs: 3_000 });
}

/**
 * Runs commands of a check one after the other, as one. It fails when one of them fails or is killed, when this process is interrupted
 * before all have run, and when there is none.
 * @param {readonly (readonly string[])[]} commands
 * @returns {Promise<{ code: number, output: string }>}
 */
export async function captureEach(commands) {
  let passed = 0;
  let output = '';
  for (const command of commands) {
    if (interruption !== undefined) break;
    const result = await captureCheck(command);
    if (result.code === 0) passed += 1;
    output += result.output;
  }
  return { code: passed === commands.length && passed > 0 ? 0 : 1, output };
}

/**
 * Ends this process as its child ended, with the same signal or exit code.
 * @param {Ending} ending
 */
export function endLike({ code, signal }) {
  if (signal) process.kill(process.pid, signal);
  else process.exitCode = code ?? 1;
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
