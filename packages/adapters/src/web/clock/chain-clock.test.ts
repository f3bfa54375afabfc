import { generateKeyPairSigner } from '@solana/kit';
import { createSolanaChain } from '@subrail/adapters/solana';
import { ManualClock } from '@subrail/core/testing';
import { createLocalnet, localnetTransport } from '@subrail/localnet';
import { expect, test } from 'vitest';
import { createChainClock } from './chain-clock.js';

const START = new Date('2026-01-01T00:00:00Z');

test('adopts the time of a chain that was moved, and continues from there', () => {
  const system = new ManualClock(START);
  const clock = createChainClock(system);
  expect(clock.now()).toEqual(START);
  expect(clock.compare?.(new Date('2026-03-01T00:00:00Z'))).toBe(0);
  expect(clock.now()).toEqual(new Date('2026-03-01T00:00:00Z'));
  system.advance(5_000);
  expect(clock.now()).toEqual(new Date('2026-03-01T00:00:05Z'));
  clock.compare?.(new Date('2026-02-01T00:00:00Z'));
  expect(clock.now()).toEqual(new Date('2026-02-01T00:00:00Z'));
});

test('ignores differences within the resolution of the chain’s time, and the age of finalized states', () => {
  const clock = createChainClock(new ManualClock(START));
  clock.compare?.(new Date('2026-01-01T00:00:02Z'));
  clock.compare?.(new Date('2025-12-31T23:59:30Z'));
  expect(clock.now()).toEqual(START);
});

// clocks#chain-asked-after-a-step
test('takes no machine’s clock for wrong, however often the time of the chain is moved', async () => {
  const localnet = createLocalnet({ unixTime: BigInt(START.getTime() / 1_000) });
  const system = new ManualClock(START);
  const chain = createSolanaChain({
    rpc: localnetTransport(localnet),
    charger: await generateKeyPairSigner(),
    network: 'devnet',
    clock: createChainClock(system),
  });
  for (let travel = 0; travel < 7; travel += 1) {
    localnet.advance({ seconds: 30 * 86_400 });
    await chain.head();
    expect(chain.servers()).toMatchObject({ hostClockAheadSeconds: null, servers: [{ condition: 'ok' }] });
  }
});
