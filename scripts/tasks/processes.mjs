import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { readManifest, ROOT } from './repository.mjs';

/**
 * How a child process ended: by exit code or by signal.
 * @typedef {{ code: number | null, signal: NodeJS.Signals | null }} Ending
 */

/** @type {NodeJS.Signals[]} */
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();

/** @type {NodeJS.Signals | undefined} */
let interruption;

/** @param {NodeJS.Signals} signal */
function forward(signal) {
  interruption = signal;
  for (const child of running) child.kill(signal);
}

/** The signal that asked this process to stop while a child ran, if any. */
export function interruptedBy() {
  return interruption;
}

/**
 * Runs a command and forwards to it every signal that this process receives.
 * @param {readonly string[]} command
 * @param {import('node:child_process').SpawnOptions} options
 * @param {(child: import('node:child_process').ChildProcess) => void} [started]
 * @returns {Promise<Ending>}
 */
async function runChild([file, ...args], options, started) {
  if (file === undefined) throw new Error('The command is empty: it must start with the program to run.');
  const child = spawn(file, args, { cwd: ROOT, ...options });
  if (running.size === 0) for (const signal of FORWARDED) process.on(signal, forward);
  running.add(child);
  try {
    started?.(child);
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve({ code, signal }));
    });
  } finally {
    running.delete(child);
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
 * @returns {Promise<Ending & { output: string }>}
 */
export async function capture(command, options) {
  /** @type {Buffer[]} */
  const chunks = [];
  const color = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
  const ending = await runChild(
    command,
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...color }, ...options },
    (child) => {
      child.stdout?.on('data', (/** @type {Buffer} */ chunk) => chunks.push(chunk));
      child.stderr?.on('data', (/** @type {Buffer} */ chunk) => chunks.push(chunk));
    },
  );
  return { ...ending, output: Buffer.concat(chunks).toString('utf8') };
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
