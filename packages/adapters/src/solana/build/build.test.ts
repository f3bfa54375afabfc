import { expect, it } from 'vitest';
import { chainOn } from '../tests/chain-on.js';
import { PLAN, WALLET, key } from '../tests/charge-view.js';
import { FUNDED, inContext } from '../tests/funded-charger.js';

// checkout#estimated-expiry-of-a-transaction
it.each([
  ['a whole lifetime', 150n, 30],
  ['the blocks that an older blockhash has left', 120n, 18],
])('leaves 30 seconds of %s for sending and landing', async (_, blocksLeft, seconds) => {
  const { chain } = chainOn({
    ...FUNDED,
    getEpochInfo: () => ({ absoluteSlot: 5_000n, blockHeight: 1_000n }),
    getLatestBlockhash: inContext({ blockhash: key(9), lastValidBlockHeight: 1_000n + blocksLeft }),
  });
  const built = await chain.build({ kind: 'cancel', plan: PLAN, wallet: WALLET });
  if (!built.ok) throw new Error('not built');
  // The time that the clock of `chainOn` always shows.
  const now = new Date('2026-01-01T00:00:00.000Z').getTime();
  expect((built.value.expiresAt.getTime() - now) / 1000).toBe(seconds);
});
