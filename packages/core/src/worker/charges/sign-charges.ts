import { newTransfer } from '../../commits/new-transfer.js';
import type { SubscriptionChanges } from '../../commits/subscription-changes.js';
import type { ChainResult, SignedTransaction } from '../../ports/index.js';
import type { Subscription, Transfer } from '../../records/index.js';
import type { Service } from '../../service.js';
import { nextPollAt } from '../../settlement/poll-schedule.js';
import { type PlannedCharge, applyUnsigned } from './apply-decision.js';
import { isolateFailure } from './isolate-failures.js';

/** A signed charge, and the changes with which its intent is stored before it is sent. */
export interface SignedCharge {
  readonly changes: SubscriptionChanges;
  readonly transfer: Transfer;
}

/** Signs charges and adds each to its changes as an open transfer. A charge that cannot be signed is blocked. */
export async function signCharges(
  service: Service,
  charges: readonly PlannedCharge[],
  now: Date,
): Promise<readonly SignedCharge[]> {
  if (charges.length === 0) return [];
  const answer = await trySign(service, charges);
  const signed: SignedCharge[] = [];
  for (const [index, charge] of charges.entries()) {
    const { changes, order, periodStart } = charge;
    isolateFailure(service, changes, () => {
      const transaction = answer.ok ? answer.value[index] : undefined;
      if (transaction === undefined) {
        return applyUnsigned(charge, answer.ok ? { kind: 'transport' } : answer.unavailable, now);
      }
      const { subscription } = changes;
      const { amount } = order;
      const trigger = triggerOf(subscription);
      const transfer = newTransfer(
        service,
        { subscriptionId: subscription.id, kind: 'charge', trigger, amount, periodStart },
        transaction,
        now,
      );
      changes.putTransfer(transfer);
      changes.apply({ kind: 'poll_scheduled', nextTryAt: nextPollAt(transfer, now) }, now);
      signed.push({ changes, transfer });
    });
  }
  return signed;
}

function triggerOf({ status, late }: Subscription): Transfer['trigger'] {
  if (status !== 'unpaid' || late === null) return 'schedule';
  return late.queuedAt === null ? 'retry' : 'hand';
}

/** A signer may be a remote service. When it throws, the charges are not made and the pass goes on. */
async function trySign(
  service: Service,
  charges: readonly PlannedCharge[],
): Promise<ChainResult<readonly SignedTransaction[]>> {
  try {
    return await service.chain.signCharges(charges.map(({ order }) => order));
  } catch (error) {
    service.logger.error(
      { charges: charges.length, err: error },
      'The signer failed. The charges are blocked and tried again.',
    );
    return { ok: false, unavailable: { kind: 'transport' } };
  }
}
