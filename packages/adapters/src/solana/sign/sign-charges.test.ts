import { describe, expect, it } from 'vitest';
import { chainOn } from '../tests/chain-on.js';
import { key } from '../tests/charge-view.js';
import { FUNDED, inContext, order } from '../tests/funded-charger.js';
import { decodeWire } from '../transaction/wire.js';

const signed = await chainOn(FUNDED).chain.signCharges([order, { ...order, amount: 1n }]);
if (!signed.ok) throw new Error('not signed');
const [first, second] = signed.value;
if (first === undefined || second === undefined) throw new Error('not signed');

describe('signing charges', () => {
  it('signs all charges with one blockhash and sends nothing', async () => {
    const { chain, called } = chainOn(FUNDED);
    const answer = await chain.signCharges([order, { ...order, amount: 1n }]);
    expect(answer).toMatchObject({
      ok: true,
      value: [{ lastValidBlockHeight: 150n }, { lastValidBlockHeight: 150n }],
    });
    expect(called.toSorted()).toEqual([
      'getBalance',
      'getEpochInfo',
      'getFeeForMessage',
      'getLatestBlockhash',
      'getMinimumBalanceForRentExemption',
    ]);
    expect(first.signature).not.toBe(second.signature);
    expect(decodeWire(first.wire)?.message.lifetimeToken).toBe(key(9));
  });

  it('pays the account that the order names', () => {
    const message = decodeWire(first.wire)?.message;
    const accounts = message?.instructions[2]?.accountIndices?.map((index) => message.staticAccounts[index]);
    expect(accounts?.[4]).toBe(key(5));
  });

  // program#network-fee-and-compute-units
  it.each([
    ['without lamports', 0n, 7050003],
    ['with less than the fee', 4_999n, 7050005],
    ['whose account would be left below its rent', 895_879n, 7050031],
  ])(
    'signs nothing for a charger %s and returns the error number and the balance',
    async (_, balance, code) => {
      const { chain } = chainOn({ ...FUNDED, getBalance: inContext(balance) });
      const unavailable = { kind: 'rpc', code, chargerBalance: balance };
      expect(await chain.signCharges([order])).toEqual({ ok: false, unavailable });
    },
  );

  it.each([5_000n, 895_880n])('signs for a charger with %s lamports', async (balance) => {
    const { chain } = chainOn({ ...FUNDED, getBalance: inContext(balance) });
    expect(await chain.signCharges([order])).toMatchObject({ ok: true });
  });

  it.each([
    'getLatestBlockhash',
    'getEpochInfo',
    'getBalance',
    'getFeeForMessage',
    'getMinimumBalanceForRentExemption',
  ])('signs nothing without %s', async (method) => {
    const { [method]: _, ...rest } = FUNDED;
    const { chain } = chainOn(rest);
    expect(await chain.signCharges([order])).toEqual({
      ok: false,
      unavailable: { kind: 'rpc', code: -32601 },
    });
  });

  /** Signs with a blockhash that is valid until height `last`, says the node, on a chain of height 1,000. */
  const signedUntil = (last: bigint) =>
    chainOn({
      ...FUNDED,
      getEpochInfo: () => ({ absoluteSlot: 5_000n, blockHeight: 1_000n }),
      getLatestBlockhash: inContext({ blockhash: key(9), lastValidBlockHeight: last }),
    }).chain.signCharges([order]);

  // program#blockhash-lifetime, attempts#lost-transaction
  it.each([1n, 1_099n, 1_167n, 9_000_000_000_000n])(
    'signs nothing with a blockhash that cannot be valid until height %s',
    async (last) => {
      expect(await signedUntil(last)).toEqual({ ok: false, unavailable: { kind: 'transport' } });
    },
  );

  it.each([1_100n, 1_150n, 1_166n])(
    'signs with a blockhash that can be valid until height %s',
    async (last) => {
      expect(await signedUntil(last)).toMatchObject({ ok: true, value: [{ lastValidBlockHeight: last }] });
    },
  );

  // program#blockhash-lifetime
  it('compares the lifetime with the confirmed height of the same endpoint', async () => {
    const seen: unknown[] = [];
    const getEpochInfo = (params: readonly unknown[]) => {
      seen.push(params);
      return { absoluteSlot: 5_000n, blockHeight: 0n };
    };
    await chainOn({ ...FUNDED, getEpochInfo }).chain.signCharges([order]);
    expect(seen).toEqual([[{ commitment: 'confirmed' }]]);
  });

  it('signs nothing when there is no order', async () => {
    expect(await chainOn(FUNDED).chain.signCharges([])).toEqual({ ok: true, value: [] });
  });
});
