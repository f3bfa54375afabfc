import type { KeyPairSigner } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import {
  MINUTE,
  openSubscriber,
  outcomesPending,
  PRICE,
  type TestWorld,
  type TestWorldOptions,
  withOutages,
} from '@subrail/test-world';

let world: TestWorld;
let wallet: KeyPairSigner;
let id: string;

/** A customer who missed the second month and whose wallet is empty. */
async function begin(options: TestWorldOptions = {}): Promise<void> {
  ({ world, wallet, id } = await openSubscriber('late', options));
}

const retry = () => world.call('POST', `/subscriptions/${id}/retry`);
const read = async () => (await world.call('GET', `/subscriptions/${id}`)).body;

async function refusal() {
  const { status, body } = await retry();
  return `${status} ${String(body['code'])}`;
}

/** A manual retry that is queued and then fails: the wallet is emptied before the worker runs it. */
async function failedRetry(): Promise<void> {
  await world.give(wallet, PRICE);
  expect(await retry()).toMatchObject({ status: 202 });
  await world.take(wallet, PRICE);
  await world.work();
}

describe('a manual retry on Dev and Business', () => {
  // retries#manual-retry-near-a-boundary
  it('is accepted at once in a second period, and waits after the one before within each', async () => {
    let unreachable = false;
    await begin({
      periodHours: 1,
      wrapChain: (chain) => withOutages(chain, () => (unreachable ? { kind: 'transport' } : null)),
    });
    // The third automatic retry is blocked until the next period.
    for (const [minutes, silent] of [
      [15, false],
      [15, false],
      [15, true],
      [12, true],
    ] as const) {
      unreachable = silent;
      world.advance(minutes * MINUTE);
      await world.work();
    }
    unreachable = false;
    await failedRetry();
    await world.give(wallet, PRICE);
    expect(await refusal()).toBe('409 retry_too_soon');
    await world.take(wallet, PRICE);
    world.advance(4 * MINUTE);
    await failedRetry();
    await world.give(wallet, PRICE);
    expect(await refusal()).toBe('409 retry_too_soon');
  });
});

describe('a manual retry on Free', () => {
  // retries#retry-deadline-on-free
  it('is not stopped by the deadline while its charge is under way, and pays when that landed', async () => {
    await begin({ tier: 'free' });
    const deadline = new Date(String((await read())['retry_deadline'])).getTime();
    world.advance(deadline - MINUTE - world.now().getTime());
    await world.give(wallet, PRICE);
    expect(await retry()).toMatchObject({ status: 202 });
    world.injectFaults(outcomesPending);
    await world.billing.worker.charge();
    world.advance(2 * MINUTE);
    await world.billing.worker.charge();
    expect(await read()).toMatchObject({ status: 'unpaid' });
    world.clearFaults();
    await world.work();
    expect(await read()).toMatchObject({ status: 'active', payment_status: 'paid' });
    expect((await world.events()).slice(-3)).toEqual(['renewed', 'access_granted', 'renewal_upcoming']);
  });
});
