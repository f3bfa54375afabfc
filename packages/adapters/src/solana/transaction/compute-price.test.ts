import { describe, expect, it } from 'vitest';
import { type Methods, chainOn } from '../tests/chain-on.js';
import { FUNDED, order } from '../tests/funded-charger.js';
import { decodeWire } from './wire.js';
import type { ComputeUnitPrice } from './compute-price.js';

const fees = (...prices: readonly number[]) =>
  prices.map((price, slot) => ({ slot: BigInt(slot), prioritizationFee: BigInt(price) }));

/** The prices that the charges bid which are signed one after the other. */
async function bids(computeUnitPrice: ComputeUnitPrice, methods: Methods, charges = 1): Promise<bigint[]> {
  const { chain } = chainOn({ ...FUNDED, ...methods }, { computeUnitPrice });
  const found: bigint[] = [];
  for (let count = 0; count < charges; count += 1) {
    const signed = await chain.signCharges([order]);
    const wire = signed.ok ? signed.value[0]?.wire : undefined;
    const data = decodeWire(wire ?? '')?.message.instructions[1]?.data;
    if (data === undefined) throw new Error('The charge was not signed.');
    found.push(new DataView(Uint8Array.from(data).buffer).getBigUint64(1, true));
  }
  return found;
}

// program#compute-unit-price
describe('the bid for a compute unit', () => {
  it('is the fixed one, and no fees are read', async () => {
    expect(await bids(7n, {})).toEqual([7n]);
  });

  it('is what three quarters of the recent slots did not exceed', async () => {
    const getRecentPrioritizationFees = () => fees(9, 0, 500, 40);
    expect(await bids({ upTo: 1_000n }, { getRecentPrioritizationFees })).toEqual([500n]);
    expect(
      await bids({ upTo: 1_000n }, { getRecentPrioritizationFees: () => fees(0, 0, 0, 0, 0, 0, 70, 900) }),
    ).toEqual([70n]);
  });

  it('is never above the ceiling', async () => {
    const getRecentPrioritizationFees = () => fees(5_000);
    expect(await bids({ upTo: 1_000n }, { getRecentPrioritizationFees })).toEqual([1_000n]);
  });

  it('is zero when no recent slot has a fee, and before the first answer', async () => {
    expect(await bids({ upTo: 1_000n }, { getRecentPrioritizationFees: () => [] })).toEqual([0n]);
    expect(await bids({ upTo: 1_000n }, {})).toEqual([0n]);
  });

  it('stays as it was when the node stops answering', async () => {
    const answers = [fees(30)];
    const getRecentPrioritizationFees = () => answers.shift() ?? 'nothing';
    expect(await bids({ upTo: 1_000n }, { getRecentPrioritizationFees }, 2)).toEqual([30n, 30n]);
  });

  it('is read for the accounts that the charge changes', async () => {
    const asked: unknown[] = [];
    const getRecentPrioritizationFees = (params: readonly unknown[]) => {
      asked.push(params[0]);
      return fees(1);
    };
    await bids({ upTo: 1n }, { getRecentPrioritizationFees });
    expect(asked).toMatchObject([[expect.any(String), expect.any(String), order.receiverAccount]]);
  });
});
