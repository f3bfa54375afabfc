import { createCrypto } from '@subrail/adapters/node';
import { createBilling, type Billing, type BillingPorts } from '@subrail/core';
import { SeededRandom } from '@subrail/core/testing';

import { createTestLog, type TestLog } from './test-log.js';

/** The ports of a test: three are required, and every other port has a default. */
export type ChosenPorts = Pick<BillingPorts, 'store' | 'chain' | 'clock'> & Partial<BillingPorts>;

/** A service with the ports it was made from and its log. */
export interface BillingWithDefaults {
  readonly ports: BillingPorts;
  readonly billing: Billing;
  readonly log: TestLog;
}

/**
 * Creates the service over the ports of a test. By default its randomness is seeded, its sealing key is
 * fixed, its log is kept, and it has no webhook sender: a delivery that is attempted is logged as an error.
 */
export function createBillingWithDefaults(
  chosen: ChosenPorts,
  log: TestLog = createTestLog(),
): BillingWithDefaults {
  const ports: BillingPorts = {
    random: new SeededRandom(1),
    crypto: createCrypto(new Uint8Array(32).fill(9)),
    logger: log.logger,
    sender: { post: () => Promise.reject(new Error('This test service has no webhook sender.')) },
    ...chosen,
  };
  return { ports, billing: createBilling(ports), log };
}
