import type { ChainResult, SignedTransaction } from '../../ports/index.js';
import type { Subscription, Transfer } from '../../records/index.js';
import { newId } from '../../records/index.js';
import type { Service } from '../../service.js';
import type { Intent } from './apply-decision.js';
import { applyUnsigned } from './apply-decision.js';
import { isolateFailure } from './isolate-failures.js';
import { nextPollAt } from '../../settlement/poll-schedule.js';
import type { SubscriptionChanges } from '../../commits/subscription-changes.js';

/** A signed charge whose intent is about to be stored. */
export interface Signed {
  readonly row: SubscriptionChanges;
  readonly transfer: Transfer;
}

/** Signs what is to be charged and keeps each as an intent: it is stored before anything is sent. */
export async function signCharges(
  service: Service,
  intents: readonly Intent[],
  now: Date,
): Promise<readonly Signed[]> {
  if (intents.length === 0) return [];
  const answer = await signedAnswer(service, intents);
  const signed: Signed[] = [];
  for (const [index, intent] of intents.entries()) {
    const { row, order, periodStart } = intent;
    isolateFailure(service, row, () => {
      const transaction = answer.ok ? answer.value[index] : undefined;
      if (transaction === undefined) {
        return applyUnsigned(intent, answer.ok ? { kind: 'transport' } : answer.unavailable, now);
      }
      const transfer: Transfer = {
        id: newId(service.random, 'trf'),
        subscriptionId: row.subscription.id,
        kind: 'charge',
        trigger: triggerOf(row.subscription),
        signature: transaction.signature,
        wire: transaction.wire,
        amount: order.amount,
        periodStart,
        lastValidBlockHeight: transaction.lastValidBlockHeight,
        state: 'open',
        reasonCode: null,
        notFoundCount: 0,
        longWaitRecorded: false,
        createdAt: now,
        resolvedAt: null,
      };
      row.keep(transfer);
      row.apply({ kind: 'poll_scheduled', nextTryAt: nextPollAt(transfer, now) }, now);
      signed.push({ row, transfer });
    });
  }
  return signed;
}

function triggerOf({ status, late }: Subscription): Transfer['trigger'] {
  if (status !== 'unpaid' || late === null) return 'schedule';
  return late.queuedAt === null ? 'retry' : 'hand';
}

/** A signer is somebody else's machine: one that fails leaves the charges unmade, and the pass goes on. */
async function signedAnswer(
  service: Service,
  intents: readonly Intent[],
): Promise<ChainResult<readonly SignedTransaction[]>> {
  try {
    return await service.chain.signCharges(intents.map(({ order }) => order));
  } catch (cause) {
    service.logger.error({ charges: intents.length, cause }, 'Charges could not be signed.');
    return { ok: false, unavailable: { kind: 'transport' } };
  }
}
