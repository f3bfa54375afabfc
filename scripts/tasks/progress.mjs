import { interruptedBy } from './processes.mjs';

// The output for a program is alone on stdout, also when a command installs first.
const { stderr } = process;

/** The start of each running step, by its title. @type {Map<string, number>} */
const running = new Map();

/** @type {NodeJS.Timeout | undefined} */
let timer;

/** @param {number} since */
const elapsed = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

function drawRunning() {
  const line = [...running].map(([title, since]) => `${title} ${elapsed(since)}`).join(' · ');
  if (stderr.isTTY) stderr.write(`\r\x1b[K  … ${line.slice(0, (stderr.columns || 80) - 5)}`);
  else stderr.write(`  … still running: ${line}\n`);
}

/**
 * Shows that a step is running: a line that is redrawn in a terminal, a reminder every 20 seconds in a log.
 * When the step ends, prints one line with its result, its duration and its counts; a step that was
 * interrupted has none. Steps may overlap.
 * @template {{ code: number | null, counts?: string }} Result
 * @param {string} title
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result>}
 */
export async function showStep(title, work) {
  const since = performance.now();
  running.set(title, since);
  timer ??= setInterval(drawRunning, stderr.isTTY ? 200 : 20_000);
  /** @type {Result | undefined} */
  let result;
  try {
    return (result = await work());
  } finally {
    running.delete(title);
    if (running.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
    const wasInterrupted = result?.code !== 0 && interruptedBy() !== undefined;
    const mark = result?.code === 0 ? '✓' : wasInterrupted ? '–' : '✗';
    const counts = result?.counts === undefined || wasInterrupted ? '' : `   ${result.counts}`;
    const erase = stderr.isTTY ? '\r\x1b[K' : '';
    stderr.write(`${erase}  ${mark} ${title.padEnd(24)} ${elapsed(since).padStart(8)}${counts}\n`);
  }
}

/**
 * Limits concurrent work. Work that waits starts in the order in which it was submitted.
 * @param {number} count how much work runs at a time
 * @returns {<Result>(work: () => Promise<Result>) => Promise<Result>}
 */
export function slots(count) {
  let free = count;
  /** @type {(() => void)[]} */
  const queue = [];
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise((resolve) => queue.push(() => resolve(undefined)));
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else free += 1;
    }
  };
}
