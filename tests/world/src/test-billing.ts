import { createCrypto } from '@subrail/adapters/node';
import { createBilling, type Billing, type BillingPorts } from '@subrail/core';
import { SeededRandom } from '@subrail/core/testing';

import { createTestLog, type TestLog } from './test-log.js';

/** The ports a test has to choose; every other port has a default. */
export type TestPorts = Pick<BillingPorts, 'store' | 'chain' | 'clock'> & Partial<BillingPorts>;

export interface TestBilling {
  readonly ports: BillingPorts;
  readonly billing: Billing;
  readonly log: TestLog;
}

/** The service as functions, over the ports of a test, a seeded random, a fixed sealing key and a log that is kept. */
export function createTestBilling(given: TestPorts, log: TestLog = createTestLog()): TestBilling {
  const ports: BillingPorts = {
    random: new SeededRandom(1),
    crypto: createCrypto(new Uint8Array(32).fill(9)),
    logger: log.logger,
    sender: { post: () => Promise.reject(new Error('This test world has no webhook sender.')) },
    ...given,
  };
  return { ports, billing: createBilling(ports), log };
}
