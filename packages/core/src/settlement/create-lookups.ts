import type { Service } from '../service.js';
import { clockComparison } from '../service/clock-comparison.js';
import { type Lookups, SharedLookups } from '../service/shared-lookups.js';
import { readOutcomes } from './read-outcomes.js';

/** Creates the look-ups that the waiting calls of a service share. */
export function createLookups(service: Pick<Service, 'chain' | 'clock'>): Lookups {
  return {
    compareClock: clockComparison(service),
    submits: new SharedLookups(service.clock, (transactions) => readOutcomes(service, transactions)),
    confirms: new SharedLookups(service.clock, async (queries) => {
      const transactions = queries.map(({ transaction }) => transaction);
      const outcomes = await readOutcomes(service, transactions);
      const targets = queries.map(({ target }) => target);
      const views = await service.chain.readCharges(targets, 'confirmed');
      return queries.map((_, index) => ({
        outcome: outcomes[index] ?? { kind: 'unknown' },
        view: views[index] ?? { ok: false, unavailable: { kind: 'transport' } },
      }));
    }),
  };
}
