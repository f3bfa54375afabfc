import type { SubscriptionChanges } from '../../commits/subscription-changes.js';
import type { TransactionOutcome } from '../../ports/index.js';
import type { Transfer } from '../../records/index.js';
import type { Service } from '../../service.js';
import { readLandedCheckouts } from '../../settlement/read-landed-checkouts.js';
import { readOutcomes } from '../../settlement/read-outcomes.js';
import { resolveCheckout } from '../../settlement/resolve-checkout.js';
import { settleCharge } from '../../settlement/settle-charge.js';
import { settleCheckout } from '../../settlement/settle-checkout.js';
import type { RefusedCharge } from './apply-decision.js';
import { isolateFailure } from './isolate-failures.js';
import type { ReadRequest } from './read-and-decide.js';

/**
 * Looks up every open transfer of the batch, settles those whose outcome is known, and sends again those that may never
 * have been sent. Returns the subscriptions for which the chain must be read before they can go on.
 */
export async function resolveTransfers(
  service: Service,
  batch: readonly SubscriptionChanges[],
  now: Date,
): Promise<readonly ReadRequest[]> {
  const open = batch.flatMap((changes) =>
    changes.openTransfer === null ? [] : [{ changes, transfer: changes.openTransfer }],
  );
  const outcomes = await readOutcomes(
    service,
    open.map(({ transfer }) => transfer),
  );
  const resolved = await Promise.all(
    open.map(async ({ changes, transfer }, index) => {
      const outcome = outcomes[index] ?? { kind: 'unknown' };
      if (!isCheckout(transfer)) return { changes, transfer, outcome, insteadOf: null };
      return { changes, ...(await resolveCheckout(service, changes, transfer, outcome)) };
    }),
  );
  const landedCheckouts = await readLandedCheckouts(
    service,
    resolved.flatMap(({ changes, transfer, outcome }) =>
      isCheckout(transfer) && outcome.kind === 'landed' ? [{ changes, outcome }] : [],
    ),
  );

  const toRead: ReadRequest[] = [];
  const toSendAgain = new Set<string>();
  for (const one of resolved) {
    const { changes, transfer, outcome } = one;
    isolateFailure(service, changes, () => {
      if (isCheckout(transfer)) {
        settleCheckout(changes, one, landedCheckouts.get(changes) ?? null, now);
        if (outcome.kind === 'waiting') toSendAgain.add(transfer.wire);
        return;
      }
      const nextStep = settleCharge(changes, transfer, outcome, now);
      if (nextStep === 'read')
        toRead.push({ changes, isDue: true, refused: refusedCharge(transfer, outcome) });
      if (nextStep === 'resend') toSendAgain.add(transfer.wire);
    });
  }
  if (toSendAgain.size > 0) await service.chain.send([...toSendAgain]);
  return toRead;
}

function isCheckout({ kind }: Transfer): boolean {
  return kind !== 'charge';
}

function refusedCharge({ amount, periodStart }: Transfer, outcome: TransactionOutcome): RefusedCharge | null {
  return outcome.kind === 'failed' ? { refusal: outcome.refusal, amount, periodStart } : null;
}
