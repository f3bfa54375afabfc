import type { Billing } from '@subrail/core';

/**
 * Returns a function that makes a pass of charges and of webhooks at once; a call during a pass makes another
 * pass follow. On a local chain, whose time is moved, nobody has to wait for the worker's pass of each
 * second.
 */
export function workAtOnce({ worker }: Pick<Billing, 'worker'>): () => void {
  const passes = [() => worker.charge(), () => worker.deliver()].map(coalesced);
  return () => {
    for (const pass of passes) pass();
  };
}

/** Runs one pass for all calls before it begins. The pass logs its failures itself. */
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
