import fc from 'fast-check';
import { expect } from 'vitest';

import { Coverage } from './coverage.js';
import { openServiceCopy, type SavedFixtures } from './service-copy.js';
import { steps } from './step-generator.js';
import { StepRunner } from './step-runner.js';

/** A run is a hundred steps. A step makes slightly more than one request: some need a transaction first. */
const runsOf = (requests: number) => Math.ceil(requests / 110);

/** How long a test of so many requests may take, also on a machine that is busy with other work. */
export const deadlineOf = (requests: number) => 240_000 + requests * 20;

/** Runs steps from saved fixtures and counts the answers. A failure names the seed and the fewest steps. */
export async function runRequests(saved: SavedFixtures, requests: number): Promise<Coverage> {
  const coverage = new Coverage();
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const service = await openServiceCopy(saved);
      const runner = new StepRunner(service, saved.fixtures);
      try {
        for (const step of sequence) await runner.run(step);
        expect(service.logged).toEqual([]);
      } finally {
        await service.stored.close();
      }
      coverage.add(runner.answers);
    }),
    { numRuns: runsOf(requests) },
  );
  return coverage;
}
