import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { keepInMemory } from './kept.js';
import { Player, SUCCESSES, type Told } from './play.js';
import { serve } from './served.js';
import { steps } from './steps.js';

const REQUESTS = Number(process.env['ANY_REQUESTS'] ?? 20_000);
const SEED = Number(process.env['ANY_REQUEST_SEED'] ?? 20_261_002);

let kept: Awaited<ReturnType<typeof keepInMemory>>;
beforeAll(async () => {
  kept = await keepInMemory();
});
afterAll(() => kept.forget());

describe('any request, valid or hostile', () => {
  it('gets an answer of the document', async () => {
    const seen = new Map<string, number>();
    let answers = 0;
    const began = performance.now();
    await fc.assert(
      fc.asyncProperty(steps, async (some) => {
        const served = await serve(kept);
        const player = new Player(served, kept.stage);
        try {
          for (const step of some) await player.play(step);
        } finally {
          await served.rows.close();
        }
        answers += player.told.length;
        for (const told of player.told) {
          const name = `${told.operation ?? 'nowhere'} ${told.answer.status} ${String(told.body['code'] ?? told.body['reason_code'] ?? '')}`.trim();
          seen.set(name, (seen.get(name) ?? 0) + 1);
        }
      }),
      { seed: SEED, numRuns: Math.ceil(REQUESTS / 100) },
    );
    console.log([...seen].sort().map(([n, c]) => `${c}\t${n}`).join('\n'));
    console.log(answers, performance.now() - began);
    expect(SUCCESSES.filter((s) => !seen.has(s))).toEqual([]);
  }, 600_000);
});
