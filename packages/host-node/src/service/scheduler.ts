import type { Logger } from '@subrail/core';
import { createTask } from 'node-cron';

/** Work that is done every second. */
export interface Job {
  readonly name: string;
  run(): Promise<unknown>;
}

/** The state of a job, as `/health` shows it. */
export interface JobState {
  /** When the last successful run ended, or null before the first one. */
  readonly lastOk: Date | null;
  /** Whether the last run failed. */
  readonly failing: boolean;
}

/** Runs jobs every second. */
export interface Scheduler {
  start(): void;
  /** The state of each job, by name. */
  states(): Readonly<Record<string, JobState>>;
  /** Starts no more runs, and resolves when the running ones have finished. It may be called before `start`. */
  stop(): Promise<void>;
}

/**
 * Makes a scheduler for jobs. A job never overlaps itself and does not wait for another one. A failure is logged and the
 * job runs again at the next second: work that was due stays due, so a failed run loses nothing.
 */
export function createScheduler(jobs: readonly Job[], logger: Logger): Scheduler {
  const states = new Map<string, JobState>(jobs.map(({ name }) => [name, { lastOk: null, failing: false }]));
  const running = new Map<string, Promise<void>>();

  async function runOnce(job: Job): Promise<void> {
    const before = states.get(job.name) ?? { lastOk: null, failing: false };
    try {
      await job.run();
      states.set(job.name, { lastOk: new Date(), failing: false });
      if (before.failing) logger.info({ job: job.name }, 'the job works again');
    } catch (error) {
      states.set(job.name, { lastOk: before.lastOk, failing: true });
      // Only the first of several failures is logged, or the log would repeat it every second.
      if (!before.failing)
        logger.error({ job: job.name, err: error }, 'the job failed; it is run again every second');
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
      { name: job.name, noOverlap: true, suppressMissedWarning: true, logger: debugOnly(logger) },
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

/** Logs node-cron's messages at `debug`: a second skipped because the job still runs is normal. */
function debugOnly(logger: Logger) {
  const log = (message: string | Error) => {
    logger.debug({}, String(message));
  };
  return { info: log, warn: log, error: log, debug: log };
}
