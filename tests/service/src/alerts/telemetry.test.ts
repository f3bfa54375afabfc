import type { Telemetry } from '@subrail/core/ports';
import { DAY, openTestWorld, PRICE, type TestWorld } from '@subrail/test-world';
import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, it } from 'vitest';

let world: TestWorld;

/** Telemetry that keeps each span with those that it is in. */
function recorder() {
  const spans: string[] = [];
  const lags: string[] = [];
  const inside = new AsyncLocalStorage<string>();
  const telemetry: Telemetry = {
    span({ kind, name }, work) {
      const outer = inside.getStore();
      const path = outer === undefined ? `${kind} ${name}` : `${outer} > ${kind} ${name}`;
      spans.push(path);
      return inside.run(path, () => work(() => undefined));
    },
    late: (work, seconds) => void lags.push(`${work} ${Math.round(seconds)}`),
  };
  return { spans, lags, telemetry };
}

// alerts#telemetry
it('shows the calls of the chain and of the store in the pass, the batch or the request that made them', async () => {
  const { spans, lags, telemetry } = recorder();
  world = await openTestWorld({ ports: { telemetry } });
  await world.subscribe(await world.wallet(5n * PRICE));
  const renewed = spans.length;
  world.advance(30 * DAY + 60_000);
  await world.work();

  const submit = 'request POST /v1/subscriptions/{id}/submit > operation subscriptions.submit';
  expect(spans).toContain(`${submit} > chain send`);
  expect(spans).toContain(`${submit} > store commit`);
  const ofPass = spans.slice(renewed);
  expect(ofPass).toContain('pass charges > store claimDue');
  for (const call of [
    'chain readCharges',
    'chain signCharges',
    'store commit',
    'chain send',
    'chain resolve',
  ])
    expect(ofPass).toContain(`pass charges > charges charges > ${call}`);
  expect(lags).toEqual(['charges 60']);
});
