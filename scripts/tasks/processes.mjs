import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { readManifest, ROOT } from './repository.mjs';

/**
 * How a child process ended: one of the two is set.
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

/** The signal that asked this process to stop while its children ran, if one did. */
export function interruptedBy() {
  return interruption;
}

/**
 * Runs a command, passing every signal this process receives on to it.
 * @param {readonly string[]} command
 * @param {import('node:child_process').SpawnOptions} options
 * @param {(child: import('node:child_process').ChildProcess) => void} [started]
 * @returns {Promise<Ending>}
 */
async function runChild([file, ...args], options, started) {
  if (file === undefined) throw new Error('A command names its program first');
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
 * Runs a command in this process's own terminal.
 * @param {readonly string[]} command
 */
export function attach(command) {
  return runChild(command, { stdio: 'inherit' });
}

/**
 * Runs a command quietly and keeps what it printed, both streams in the order they came.
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
 * Ends this process the way its child ended, so that whoever waits for it sees no difference.
 * @param {Ending} ending
 */
export function endLike({ code, signal }) {
  if (signal) process.kill(process.pid, signal);
  else process.exitCode = code ?? 1;
}

/**
 * The command line of an installed tool, run by this very Node and without a package manager in between.
 * @param {string} tool a package of the root manifest, or `package:command` where the two are named differently
 * @param {readonly string[]} args
 */
export function toolCommand(tool, args) {
  const [name = tool, command = name] = tool.split(':');
  const folder = join(ROOT, 'node_modules', name);
  const { bin } = readManifest(folder);
  const file = typeof bin === 'string' ? bin : bin?.[command];
  if (file === undefined) throw new Error(`${name} has no command ${command}`);
  return [process.execPath, join(folder, file), ...args];
}
