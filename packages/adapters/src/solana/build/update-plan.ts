import { address } from '@solana/kit';
import type { BuildRequest, ChainResult } from '@subrail/core/ports';
import { decodePlan } from '../program/accounts.js';
import { SUBSCRIPTIONS_PROGRAM } from '../program/addresses.js';
import { updatePlan } from '../program/plan-instructions.js';
import { toUnixSeconds } from '../program/unix-time.js';
import type { ReadAccounts } from '../rpc/accounts.js';
import type { TransactionParts } from './transaction-kinds.js';

/**
 * Reads a plan byte by byte for its update: the program replaces every field that can change, and compares
 * each with the owner's view (program#update-plan).
 */
export async function updatePlanParts(
  { owner, address: at, changes }: Extract<BuildRequest, { kind: 'update_plan' }>,
  readAccounts: ReadAccounts,
): Promise<ChainResult<TransactionParts>> {
  const plan = address(at);
  const read = await readAccounts([plan], 'confirmed');
  if (!read.ok) return read;
  const account = read.value.accounts[0] ?? null;
  const seen = account?.owner === SUBSCRIPTIONS_PROGRAM ? decodePlan(account.data) : null;
  // The caller has just read the plan, so a server that does not show it lags.
  if (seen === null) return { ok: false, unavailable: { kind: 'transport' } };
  const { sunset = seen.status === 0, endsAt, pullers } = changes;
  const instruction = updatePlan({
    plan,
    seen,
    sunset,
    endTs: endsAt === undefined ? seen.endTs : toUnixSeconds(endsAt),
    pullers: pullers?.map((puller) => address(puller)) ?? seen.pullers,
    metadata: seen.metadataUri,
  });
  const parts = { feePayer: address(owner), instructions: [instruction], opens: [], approves: false };
  return { ok: true, value: parts };
}
