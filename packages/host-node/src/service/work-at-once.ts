import type { Billing } from '@subrail/core';

/**
 * Returns a function that makes a pass of charges and of webhooks at once. A call while a pass is made has another one follow. It is
 * for a local chain, whose time is moved: nobody who looks waits for the passes of the worker, which are made every second.
 */
export function workAtOnce({ worker }: Pick<Billing, 'worker'>): () => void {
  const passes = [() => worker.charge(), () => worker.deliver()].map(coalesced);
  return () => {
    for (const pass of passes) pass();
  };
}

/** Runs a pass for all calls that come before it begins. Its failures are logged by the pass itself. */
function coalesced(pass: () => Promise<unknown>): () => void {
  let isRunning = false;
  let isWanted = false;
  const run = async () => {
    isRunning = true;
    while (isWanted) {
      isWanted = false;
      await pass().catch(() => undefined);
    }
    isRunning = false;
  };
  return () => {
    isWanted = true;
    if (!isRunning) void run();
  };
}
