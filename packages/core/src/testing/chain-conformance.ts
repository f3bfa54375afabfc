import type { ChainUnderTest } from './chain/chain-under-test.js';
import { chargeTests } from './chain/charges.js';
import { outageTests } from './chain/outages.js';
import { readTests } from './chain/reads.js';
import { walletTransactionTests } from './chain/wallet-transactions.js';
import { promiseTest } from './promise-test.js';
import type { TestFunction } from './test-function.js';

export type { ChainUnderTest } from './chain/chain-under-test.js';

const SUITES = [readTests, walletTransactionTests, chargeTests, outageTests];

/**
 * The conformance kit of the `Chain` port: registers one test for each promise. Every test calls `open` for
 * the adapter on a new chain with wallets, and closes it at the end. The tests publish plans, subscribe a
 * wallet, charge it and break the connection through the port. The error of a failed test begins with the
 * promise that the adapter does not keep.
 *
 * @example
 * import { chainConformance } from '@subrail/core/testing';
 * import { describe, test } from 'vitest';
 *
 * describe('my chain', () => {
 *   chainConformance(test, async () => {
 *     const world = await startLocalChain();
 *     return { chain: createMyChain({ connection: world.connection }), ...world.harness };
 *   });
 * });
 */
export function chainConformance(test: TestFunction, open: () => Promise<ChainUnderTest>): void {
  for (const suite of SUITES)
    for (const [promise, check] of Object.entries(suite))
      promiseTest(test, 'The chain', promise, open, check);
}
