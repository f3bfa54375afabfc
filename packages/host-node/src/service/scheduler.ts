import type { Logger } from '@subrail/core';
import { createTask } from 'node-cron';

/** Work that is done every second. */
export interface Job {
  readonly name: string;
  /** Once the signal aborts, it ends as soon as it can. */
  run(signal: AbortSignal): Promise<unknown>;
}

/** Runs jobs every second. */
export interface Scheduler {
  start(): void;
  /** Starts no more runs, and resolves when the running ones have finished. It may be called before `start`. */
  stop(): Promise<void>;
}

/**
 * Makes a scheduler for jobs. A job never overlaps itself and does not wait for another one. A job that fails runs again at
 * the next second: work that was due stays due, so a failed run loses nothing. The worker logs its own failures.
 */
export function createScheduler(jobs: readonly Job[], logger: Logger): Scheduler {
  const running = new Map<string, Promise<unknown>>();
  const stopping = new AbortController();

  const tasks = jobs.map((job) =>
    createTask(
      '* * * * * *',
      async () => {
        const run = job.run(stopping.signal).catch((error: unknown) => {
          logger.debug({ job: job.name, err: error }, 'The job failed.');
        });
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
    async stop() {
      stopping.abort();
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
