import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Faults, fault, type Fault } from './faults.js';
import { keepInMemory, type KeptStage } from './kept-fixtures.js';
import { Player } from './play.js';
import { serve } from './served.js';
import { ask } from './steps.js';

const REQUESTS = Number(process.env['ANY_REQUESTS'] ?? 20_000) / 10;
const SEED = Number(process.env['ANY_REQUEST_SEED'] ?? 20_261_002);

/** What each fault is told as. */
const TOLD: Readonly<Record<Fault['what'], readonly string[]>> = {
  silence: ['network_unavailable'],
  'rpc error': ['network_unavailable'],
  'store down': ['unavailable'],
  'answer lost': ['unavailable'],
  'bug in the store': ['internal_error'],
  'bug in the chain': ['internal_error'],
};

const run = fc
  .array(fc.option(fc.record({ step: ask, fault: fc.option(fault, { freq: 3 }) }), { freq: 1_000_000_000 }), {
    minLength: 50,
    maxLength: 50,
  })
  .map((some) => some.filter((one) => one !== null));

describe('when something broke', () => {
  let kept: KeptStage;
  beforeAll(async () => {
    kept = await keepInMemory();
  });
  afterAll(() => kept.forget());

  it(
    `${REQUESTS} requests are answered by the document, by a 5xx of the fault's own code only while it lasts`,
    async () => {
      const met = new Set<string>();
      await fc.assert(
        fc.asyncProperty(run, async (some) => {
          const faults = new Faults();
          const served = await serve(kept, faults);
          const player = new Player(served, kept.stage);
          for (const { step, fault: current } of some) {
            faults.begin(current);
            const before = player.told.length;
            await player.play(step);
            for (const { answer, body } of player.told.slice(before)) {
              if (answer.status < 500) continue;
              const allowed = current === null || !faults.struck ? [] : TOLD[current.what];
              // A path that does not exist and a HEAD have no body that would tell.
              if (answer.text !== '') expect(allowed).toContain(body['code']);
              if (typeof body['code'] === 'string') met.add(body['code']);
            }
          }
          await served.rows.close();
        }),
        { seed: SEED, numRuns: Math.ceil(REQUESTS / 50) },
      );
      expect([...met].sort()).toEqual(['internal_error', 'network_unavailable', 'unavailable']);
    },
    60_000 + REQUESTS * 30,
  );
});
