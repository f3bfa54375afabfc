import { address } from '@solana/kit';
import { Semaphore, type ChainResult, type PlanView } from '@subrail/core/ports';
import { ACCOUNTS_PER_CALL, type ReadAccounts } from '../rpc/accounts.js';
import type { Commitment } from '../rpc/slot-floor.js';
import { readPlanView } from './views.js';

/** The number of calls to send at the same time. */
const MAX_CONCURRENT_CALLS = 8;

/** Reads plans, as many in each call as it may read. The results are in the order of the addresses. */
export async function readPlans(
  plans: readonly string[],
  commitment: Commitment,
  readAccounts: ReadAccounts,
): Promise<readonly ChainResult<PlanView | null>[]> {
  const batches: string[][] = [];
  for (let first = 0; first < plans.length; first += ACCOUNTS_PER_CALL)
    batches.push(plans.slice(first, first + ACCOUNTS_PER_CALL));
  const results = await new Semaphore(MAX_CONCURRENT_CALLS).map(batches, async (batch) => {
    const read = await readAccounts(
      batch.map((plan) => address(plan)),
      commitment,
    );
    return batch.map((_, index) => (read.ok ? readPlanView(read.value.accounts[index] ?? null) : read));
  });
  return results.flat();
}
