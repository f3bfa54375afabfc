import type { Logger } from '@subrail/core';
import { createTask } from 'node-cron';

/** Work that comes round every second. */
export interface Job {
  readonly name: string;
  run(): Promise<unknown>;
}

/** How a job fares, as `/health` tells it. */
export interface JobState {
  /** End of the last run that did not fail, or null before the first. */
  readonly lastOk: Date | null;
  /** Whether the last run failed. */
  readonly failing: boolean;
}

export interface Scheduler {
  start(): void;
  states(): Readonly<Record<string, JobState>>;
  /** Starts nothing more and resolves when what runs has finished. Also right when it never started. */
  stop(): Promise<void>;
}

/**
 * Runs each job every second. A job never overlaps itself and does not wait for another one. A failure is logged and the
 * next tick comes all the same: a tick that is lost loses nothing, for what is due stays due.
 */
export function createScheduler(jobs: readonly Job[], logger: Logger): Scheduler {
  const states = new Map<string, JobState>(jobs.map(({ name }) => [name, { lastOk: null, failing: false }]));
  const running = new Map<string, Promise<void>>();

  async function runOnce(job: Job): Promise<void> {
    const before = states.get(job.name) ?? { lastOk: null, failing: false };
    try {
      await job.run();
      states.set(job.name, { lastOk: new Date(), failing: false });
      if (before.failing) logger.info({ job: job.name }, 'a job works again');
    } catch (error) {
      states.set(job.name, { lastOk: before.lastOk, failing: true });
      // Once, not every second: what is broken stays broken until somebody mends it.
      if (!before.failing)
        logger.error({ job: job.name, err: error }, 'a job failed; it runs again every second');
    }
  }

  const tasks = jobs.map((job) =>
    createTask(
      '* * * * * *',
      async () => {
        const run = runOnce(job);
        running.set(job.name, run);
        await run;
      },
      { name: job.name, noOverlap: true, suppressMissedWarning: true, logger: quiet(logger) },
    ),
  );
  return {
    start() {
      for (const task of tasks) void task.start();
    },
    states: () => Object.fromEntries(states),
    async stop() {
      await Promise.all(tasks.map(async (task) => task.destroy()));
      await Promise.all(running.values());
    },
  };
}

// A second that comes while a job still runs is no news: nothing is lost by it.
function quiet(logger: Logger) {
  const say = (message: string | Error) => {
    logger.debug({}, String(message));
  };
  return { info: say, warn: say, error: say, debug: say };
}
