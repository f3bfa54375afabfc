import { describe, expect, it } from 'vitest';
import { transactionsPaidBy } from './read-charger.js';
import { chainOn, nodeWith } from '../tests/chain-on.js';
import { FUNDED, inContext } from '../tests/funded-charger.js';

const FEE = 5_000n;
const RENT = 890_880n;

describe('how many transactions a balance pays for', () => {
  it.each([
    ['nothing', 0n, 0n],
    ['less than a fee', 4_999n, 0n],
    ['exactly one fee, which leaves nothing', 5_000n, 1n],
    ['two fees, of which the first would leave less than the rent', 10_000n, 0n],
    ['the rent', RENT, 0n],
    ['the rent and one fee', RENT + FEE, 1n],
    ['a lamport less than the rent and two fees', RENT + 2n * FEE - 1n, 1n],
    ['the rent and a thousand fees', RENT + 1_000n * FEE, 1_000n],
  ])('%s', (_, balance, charges) => {
    expect(transactionsPaidBy(balance, FEE, RENT)).toBe(charges);
  });

  it('counts the last fee that leaves nothing, when the rent is a multiple of the fee', () => {
    expect(transactionsPaidBy(3n * FEE, FEE, FEE)).toBe(3n);
  });

  it('is without end when charges cost nothing, unless the charger does not exist', () => {
    expect(transactionsPaidBy(1n, 0n, RENT)).toBe(2n ** 64n - 1n);
    expect(transactionsPaidBy(0n, 0n, RENT)).toBe(0n);
  });
});

describe('the charger as read from the chain', () => {
  it('has a balance, the fee of a charge and how many it pays for', async () => {
    const { chain } = chainOn(FUNDED);
    expect(await chain.readCharger()).toEqual({
      ok: true,
      value: {
        balance: 1_000_000_000n,
        chargeFee: FEE,
        charges: (1_000_000_000n - RENT) / FEE,
      },
    });
  });

  it.each(Object.keys(FUNDED))('is unavailable when %s is', async (method) => {
    const { chain } = chainOn({
      ...FUNDED,
      [method]: () => {
        throw new Error('reset');
      },
    });
    expect(await chain.readCharger()).toEqual({ ok: false, unavailable: { kind: 'transport' } });
  });

  it('is asked of every URL, so that one which does not answer is known before it is needed', async () => {
    const [first, second] = [[], []] as [string[], string[]];
    const rpc = [first, second].map((called) => nodeWith(FUNDED, called).transport);
    await chainOn({}, { rpc }).chain.readCharger();
    expect(second.filter((method) => method !== 'getGenesisHash')).toEqual(['getBalance']);
    expect(first).toContain('getBalance');
  });

  it('costs nothing when the chain asks for no fee', async () => {
    const { chain } = chainOn({ ...FUNDED, getFeeForMessage: inContext(0n) });
    expect(await chain.readCharger()).toMatchObject({ ok: true, value: { chargeFee: 0n } });
  });
});
