import type { TransactionOutcome } from '../../ports/index.js';
import type { Transfer } from '../../records/index.js';
import type { Service } from '../../service.js';
import type { Refused } from './apply-decision.js';
import { isolateFailure } from './isolate-failures.js';
import type { ToRead } from './read-and-decide.js';
import { readLandedCheckouts } from '../../settlement/read-landed-checkouts.js';
import { settleCharge } from '../../settlement/settle-charge.js';
import type { SubscriptionChanges } from '../../commits/subscription-changes.js';
import { signatureQuery } from '../../commits/subscription-changes.js';
import { settleCheckout } from '../../settlement/settle-checkout.js';

/** Looks up every transfer under way and settles what is known; answers the rows that must be read to go on. */
export async function resolveTransfers(service: Service, rows: readonly SubscriptionChanges[], now: Date): Promise<readonly ToRead[]> {
  const pairs = rows.flatMap((row) =>
    row.openTransfer === null ? [] : [{ row, transfer: row.openTransfer }],
  );
  if (pairs.length === 0) return [];
  const outcomes = await service.chain.resolve(pairs.map(({ transfer }) => signatureQuery(transfer)));
  const looked = pairs.map((pair, index) => ({
    ...pair,
    outcome: outcomes[index] ?? ({ kind: 'unknown' } as const),
  }));
  const landedCheckouts = looked.filter(
    ({ transfer, outcome }) => isCheckout(transfer) && outcome.kind === 'landed',
  );
  const landed = await readLandedCheckouts(
    service,
    landedCheckouts.map(({ row }) => row),
  );

  const toRead: ToRead[] = [];
  const nextTryAt: string[] = [];
  for (const { row, transfer, outcome } of looked) {
    isolateFailure(service, row, () => {
      if (isCheckout(transfer)) {
        settleCheckout(row, transfer, outcome, landed.get(row) ?? null, now);
        if (outcome.kind === 'waiting') nextTryAt.push(transfer.wire);
        return;
      }
      const leaves = settleCharge(row, transfer, outcome, now);
      if (leaves === 'read') toRead.push({ row, refused: refusedCharge(transfer, outcome) });
      if (leaves === 'send') nextTryAt.push(transfer.wire);
    });
  }
  if (nextTryAt.length > 0) await service.chain.send(nextTryAt);
  return toRead;
}

function isCheckout({ kind }: Transfer): boolean {
  return kind !== 'charge';
}

function refusedCharge({ amount, periodStart }: Transfer, outcome: TransactionOutcome): Refused | null {
  return outcome.kind === 'failed' ? { refusal: outcome.refusal, amount, periodStart } : null;
}
