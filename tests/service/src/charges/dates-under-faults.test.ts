import type { KeyPairSigner } from '@solana/kit';
import {
  MINUTE,
  MONTH,
  HOUR,
  PRICE,
  attemptReasons,
  changeViews,
  openSubscriber,
  type TestWorld,
  type TestWorldOptions,
} from '@subrail/test-world';
import { describe, expect, it } from 'vitest';

let world: TestWorld;
let wallet: KeyPairSigner;
let id: string;

async function begin(options: TestWorldOptions = {}): Promise<void> {
  ({ world, wallet, id } = await openSubscriber('paid', options));
}

async function pass(ms: number): Promise<void> {
  world.advance(ms);
  await world.work();
}

async function read() {
  return (await world.call('GET', `/subscriptions/${id}`)).body;
}

const attempts = () => attemptReasons(world, id);

describe('a late subscription on Free', () => {
  // retries#retry-deadline-on-free, billing-periods#deadlines-use-the-chain-clock
  it("stops at the deadline by the chain's clock, and not by the service's", async () => {
    await begin({ tier: 'free' });
    await world.take(wallet, 9n * PRICE);
    await pass(MONTH);
    world.injectFaults(behindBy(HOUR));
    await pass(MONTH - 2 * MINUTE);
    expect(await read()).toMatchObject({ status: 'unpaid' });
    world.clearFaults();
    await pass(MINUTE);
    expect(await read()).toMatchObject({ status: 'stopped', stop_reason: 'retry_deadline_passed' });
  });
});

describe('a charge that is due', () => {
  // billing-periods#waiting-for-the-chain-clock
  it('is made within a minute after a read of a node that is six hours behind', async () => {
    await begin();
    world.injectFaults(behindBy(6 * HOUR));
    await pass(MONTH);
    expect(await attempts()).toEqual(['paid']);
    world.clearFaults();
    await pass(MINUTE);
    expect(await attempts()).toEqual(['paid', 'paid']);
  });
});

/** Every read of a charge shows the chain's clock this far behind. */
function behindBy(ms: number) {
  return changeViews((view) => ({ ...view, time: new Date(view.time.getTime() - ms) }));
}
