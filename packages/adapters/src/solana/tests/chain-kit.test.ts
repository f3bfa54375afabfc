// Heavy: the kit is run against each of the broken chains.

import { chainConformance } from '@subrail/core/testing';
import { describe, expect, it } from 'vitest';
import { BROKEN_CHAINS, type BrokenChain } from './broken-chains.js';
import { solanaUnderTest } from './chain-under-test.js';

/** The kit's tests of the Solana adapter changed in one way, by the promise that each checks. */
function kit(change: BrokenChain['change']): Map<string, () => Promise<void>> {
  const tests = new Map<string, () => Promise<void>>();
  chainConformance(
    (name, body) => tests.set(name, body),
    () => solanaUnderTest((chain) => ({ ...chain, ...change(chain) })),
  );
  return tests;
}

// That the adapter itself passes is shown in chain-conformance.test.ts.
describe('the chain kit fails on a chain that', () => {
  it.each(BROKEN_CHAINS)('$fault: $promise', async ({ promise, change }) => {
    await expect(kit(change).get(promise)?.()).rejects.toThrow(
      `The chain does not keep its promise: ${promise}. `,
    );
  });

  it('breaks any promise of the kit: each one has a broken chain', () => {
    const broken = new Set(BROKEN_CHAINS.map(({ promise }) => promise));
    expect([...kit(() => ({})).keys()].filter((promise) => !broken.has(promise))).toEqual([]);
  });
});
