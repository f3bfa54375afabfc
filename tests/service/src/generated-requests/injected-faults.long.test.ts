// Heavy: thousands of requests are generated and answered while the chain and the store fail.

import { everyTestStore } from '@subrail/test-world';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { FaultInjector, fault, type Fault } from './fault-injector.js';
import { saveFixtures, type RemovableFixtures } from './saved-fixtures.js';
import { StepRunner } from './step-runner.js';
import { openServiceCopy } from './service-copy.js';
import { requestStep } from './step-generator.js';

const REQUESTS = Number(process.env['GENERATED_REQUESTS'] ?? 20_000) / 10;

/** The codes with which the service answers under each fault. */
const CODES: Readonly<Record<Fault['what'], readonly string[]>> = {
  'chain unreachable': ['network_unavailable'],
  'rpc error': ['network_unavailable'],
  'store down': ['unavailable'],
  'answer lost': ['unavailable'],
  'bug in the store': ['internal_error'],
  'bug in the chain': ['internal_error'],
};

const run = fc
  .array(
    fc.option(fc.record({ step: requestStep, fault: fc.option(fault, { freq: 3 }) }), {
      freq: 1_000_000_000,
    }),
    {
      minLength: 50,
      maxLength: 50,
    },
  )
  .map((some) => some.filter((one) => one !== null));

describe.each(everyTestStore())('generated requests under faults, on %s', (kind) => {
  let saved: RemovableFixtures;
  beforeAll(async () => {
    saved = await saveFixtures(kind);
  });
  afterAll(() => saved.remove());

  it(
    `answers ${REQUESTS} requests as documented, with a 5xx of the fault's own code only while the fault lasts`,
    async () => {
      const met = new Set<string>();
      await fc.assert(
        fc.asyncProperty(run, async (some) => {
          const faults = new FaultInjector();
          const service = await openServiceCopy(saved, faults);
          const runner = new StepRunner(service, saved.fixtures);
          for (const { step, fault: current } of some) {
            faults.begin(current);
            const before = runner.answers.length;
            await runner.run(step);
            for (const { answer, body } of runner.answers.slice(before)) {
              if (answer.status < 500) continue;
              const allowed = current === null || !faults.hasFailed ? [] : CODES[current.what];
              // The answer to a HEAD has no body that could hold a code.
              if (answer.text !== '') expect(allowed).toContain(body['code']);
              if (typeof body['code'] === 'string') met.add(body['code']);
            }
          }
          await service.stored.close();
        }),
        { numRuns: Math.ceil(REQUESTS / 50) },
      );
      expect([...met].sort()).toEqual(['internal_error', 'network_unavailable', 'unavailable']);
    },
    120_000 + REQUESTS * 60,
  );
});
