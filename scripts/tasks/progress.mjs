import { interruptedBy } from './processes.mjs';

// What a command prints for a program is alone on stdout, also when it installs first.
const { stderr } = process;
const REDRAW_MS = 200;
const REMIND_MS = 20_000;

/** When each running step started, by its title. @type {Map<string, number>} */
const running = new Map();

/** @type {NodeJS.Timeout | undefined} */
let timer;

/** @param {number} since */
function elapsed(since) {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}

function drawRunning() {
  const line = [...running].map(([title, since]) => `${title} ${elapsed(since)}`).join(' · ');
  if (stderr.isTTY) stderr.write(`\r\x1b[K  … ${line.slice(0, (stderr.columns || 80) - 5)}`);
  else stderr.write(`  … still running: ${line}\n`);
}

function eraseRunning() {
  if (stderr.isTTY) stderr.write('\r\x1b[K');
}

/**
 * Shows that a step is running: a line that is redrawn in a terminal, a reminder every 20 seconds in a log. When the step
 * ends, prints one line with its result, its duration and its counts; one that was interrupted has none. Steps may overlap.
 * @template {{ code: number | null, counts?: string }} Result
 * @param {string} title
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result>}
 */
export async function showStep(title, work) {
  const since = performance.now();
  running.set(title, since);
  timer ??= setInterval(drawRunning, stderr.isTTY ? REDRAW_MS : REMIND_MS);
  /** @type {Result | undefined} */
  let result;
  try {
    result = await work();
    return result;
  } finally {
    running.delete(title);
    if (running.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
    eraseRunning();
    const wasInterrupted = result?.code !== 0 && interruptedBy() !== undefined;
    const mark = result?.code === 0 ? '✓' : wasInterrupted ? '–' : '✗';
    const counts = result?.counts === undefined || wasInterrupted ? '' : `   ${result.counts}`;
    stderr.write(`  ${mark} ${title.padEnd(24)} ${elapsed(since).padStart(8)}${counts}\n`);
  }
}
