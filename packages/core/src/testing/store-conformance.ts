import type { TestFunction } from './conformance.js';
import { claims } from './store/claims.js';
import { commits } from './store/commits.js';
import { deliveries } from './store/deliveries.js';
import { guards } from './store/guards.js';
import { ledger } from './store/ledger.js';
import { lists } from './store/lists.js';
import { projects } from './store/projects.js';
import type { StoreUnderTest } from './store/subject.js';
import { transactions } from './store/transactions.js';
import { values } from './store/values.js';

export type { RawReadBack, StoredKind, StoreUnderTest } from './store/subject.js';

/**
 * What every Store promises, as tests of the runner in use. Each test gets an empty store from `open` and closes it.
 *
 * @example storeConformance(test, () => openMyStore());
 */
export function storeConformance(test: TestFunction, open: () => Promise<StoreUnderTest>): void {
  const everything = [values, projects, commits, guards, claims, lists, ledger, deliveries, transactions];
  for (const promises of everything)
    for (const [promise, prove] of Object.entries(promises))
      test(promise, async () => {
        const subject = await open();
        try {
          await prove(subject);
        } finally {
          await subject.close();
        }
      });
}
