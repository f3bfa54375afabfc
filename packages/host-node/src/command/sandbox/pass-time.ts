import { createClock } from '@subrail/adapters/web';
import { CommandFailed } from '../errors.js';
import type { DueWork } from './due-work.js';
import { chainTime, travelTo, type SandboxRpc } from './sandbox.js';

/** Work due within this time is waited for, such as the outcome of a sent charge. */
const SOON_MS = 5_000;
const POLL_MS = 100;
/** The host works every second. Without a change for so many polls, it does not work. */
const STUCK_POLLS = 900;

/**
 * Moves the time of a chain to an instant, and stops on the way whenever work is due, until the host has done
 * it.
 * @param pause is called at every stop, when its work is done
 * @throws CommandFailed when no host does the work
 */
export async function passTime(
  rpc: SandboxRpc,
  work: DueWork,
  until: Date,
  pause: () => Promise<void>,
): Promise<void> {
  for (;;) {
    const next = await waitUntilDone(rpc, work, until);
    await pause();
    const now = (await chainTime(rpc)).getTime();
    if (now >= until.getTime() - SOON_MS && (next === null || next > until)) break;
    const longest = now + (work.longestStepMs ?? Infinity);
    await travelTo(rpc, wholeSecond(Math.min(next?.getTime() ?? Infinity, until.getTime(), longest)));
  }
}

/** Waits until nothing is due now or soon, and returns when something will be. */
async function waitUntilDone(rpc: SandboxRpc, work: DueWork, until: Date): Promise<Date | null> {
  const clock = createClock();
  let quiet = 0;
  let unchanged = 0;
  let before: number | undefined;
  for (;;) {
    const now = await chainTime(rpc);
    const next = await work.next(now);
    // Work due after `until` is ignored.
    const isSoon = next !== null && next.getTime() <= Math.min(now.getTime() + SOON_MS, until.getTime());
    quiet = isSoon ? 0 : quiet + 1;
    if (quiet >= work.quietPolls) return next;
    unchanged = isSoon && next.getTime() === before ? unchanged + 1 : 0;
    before = next?.getTime();
    if (unchanged === STUCK_POLLS) {
      throw new CommandFailed(
        `The host has not done what was due at ${next?.toISOString() ?? ''}, and time stands still for it. "subrail status" shows what is wrong.`,
      );
    }
    await clock.sleep(POLL_MS);
  }
}

/** The chain counts whole seconds, and does the work of a second at its end. */
const wholeSecond = (ms: number): Date => new Date(Math.ceil(ms / 1_000) * 1_000);
