import { beforeEach, expect, it } from 'vitest';
import { DAY, openSubscriber, PRICE, type TestWorld } from '@subrail/test-world';

let world: TestWorld;

beforeEach(async () => {
  ({ world } = await openSubscriber('paid', { store: 'memory' }));
  world.advance(30 * DAY);
});

/** A pass of a worker that dies after it claimed what is due: the chain never answers it. */
async function dieInPass(): Promise<void> {
  await new Promise<void>((claimed) => {
    world.injectFaults(() => ({
      readCharges: () => {
        claimed();
        return new Promise(() => {});
      },
    }));
    void world.billing.worker.charge();
  });
  world.clearFaults();
}

// invariants#timed-work-has-a-wake-date
it('what a dead worker had claimed is charged by another a minute later, and not before', async () => {
  await dieInPass();
  world.advance(59_000);
  expect(await world.billing.worker.charge()).toEqual({ claimed: 0, sent: 0 });
  world.advance(1_000);
  expect(await world.billing.worker.charge()).toEqual({ claimed: 1, sent: 1 });
  await world.work();
  expect(await world.holding(world.owner)).toBe(2n * PRICE);
});
