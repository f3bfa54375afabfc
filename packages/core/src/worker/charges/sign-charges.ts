import type { Committer } from '../../commits/commit-changes.js';
import { newTransfer } from '../../commits/new-transfer.js';
import type { SubscriptionChanges } from '../../commits/subscription-changes.js';
import type { ChainResult, ChainUnavailable, ChargeOrder, SignedPayment } from '../../ports/index.js';
import type { Subscription, Transfer } from '../../records/index.js';
import type { Service } from '../../service.js';
import { nextPollAt } from '../../settlement/poll-schedule.js';
import { applyUnsigned } from './apply-decision.js';
import type { AwaitingRefill } from './awaiting-refill.js';
import { commitUnits } from './commit-batch.js';
import { isolateFailure } from './isolate-failures.js';
import { SETTLED, inState, type WorkItem } from './work-item.js';

/** A signed charge, and the changes with which its intent is stored before it is sent. */
export interface SignedCharge {
  readonly changes: SubscriptionChanges;
  readonly order: ChargeOrder;
  readonly transfer: Transfer;
}

export type ChargeTransaction = readonly SignedCharge[];

/**
 * Signs the chargeable items, adds each charge to its changes as an open transfer, and returns the charges by
 * transaction. A charge that cannot be signed is blocked. A transaction with a failed charge is left out.
 */
export async function signCharges(
  service: Service,
  awaitingRefill: AwaitingRefill,
  items: readonly WorkItem[],
  now: Date,
): Promise<readonly ChargeTransaction[]> {
  const charges = inState(items, 'chargeable');
  if (charges.length === 0) return [];
  const answer = await trySign(
    service,
    charges.map(({ state }) => state.order),
  );
  const transactions = new Map<string, SignedCharge[]>();
  for (const [index, { item, changes, state }] of charges.entries()) {
    const { order, periodStart } = state;
    item.state = SETTLED;
    isolateFailure(service, changes, () => {
      const payment = answer.ok ? answer.value[index] : undefined;
      if (payment === undefined) {
        const unavailable: ChainUnavailable = answer.ok ? { kind: 'transport' } : answer.unavailable;
        // A block ends a retry by hand, and the next try is the plan's own, which is not brought forward.
        const isByHand = changes.subscription.late?.queuedAt != null;
        applyUnsigned(changes, state, unavailable, now);
        if (!isByHand) awaitingRefill.note(changes, unavailable);
        return;
      }
      const { subscription } = changes;
      const { amount } = order;
      const trigger = triggerOf(subscription);
      const transfer = newTransfer(
        service,
        { subscriptionId: subscription.id, kind: 'charge', trigger, amount, periodStart },
        payment,
        now,
      );
      changes.putTransfer(transfer);
      changes.apply({ kind: 'poll_scheduled', nextTryAt: nextPollAt(transfer, now) }, now);
      item.state = { kind: 'signed' };
      const sharing = transactions.get(payment.signature) ?? [];
      transactions.set(payment.signature, [...sharing, { changes, order, transfer }]);
    });
  }
  const paymentsOf = new Map<string, number>();
  for (const { signature } of answer.ok ? answer.value : [])
    paymentsOf.set(signature, (paymentsOf.get(signature) ?? 0) + 1);
  const complete: ChargeTransaction[] = [];
  const incomplete: SignedCharge[] = [];
  for (const [signature, sharing] of transactions) {
    if (sharing.length === paymentsOf.get(signature)) complete.push(sharing);
    else incomplete.push(...sharing);
  }
  return [...complete, ...(await signAlone(service, incomplete))];
}

/**
 * Signs charges again, each in a transaction of its own, which replaces the shared one in their unstored
 * changes. Changes that cannot be signed are discarded: the charge is made when the lease ends.
 */
async function signAlone(
  service: Service,
  charges: readonly SignedCharge[],
): Promise<readonly ChargeTransaction[]> {
  const signed = await Promise.all(
    charges.map(async ({ changes, order, transfer }): Promise<ChargeTransaction> => {
      const answer = await trySign(service, [order]);
      const payment = answer.ok ? answer.value[0] : undefined;
      if (payment === undefined) {
        changes.discard();
        return [];
      }
      const alone: Transfer = { ...transfer, ...payment };
      changes.putTransfer(alone);
      return [{ changes, order, transfer: alone }];
    }),
  );
  return signed.filter((transaction) => transaction.length > 0);
}

function triggerOf({ status, late }: Subscription): Transfer['trigger'] {
  if (status !== 'unpaid' || late === null) return 'schedule';
  return late.queuedAt === null ? 'retry' : 'hand';
}

/** A signer may be a remote service. When it throws, the charges are not made and the pass goes on. */
async function trySign(
  service: Service,
  orders: readonly ChargeOrder[],
): Promise<ChainResult<readonly SignedPayment[]>> {
  try {
    return await service.chain.signCharges(orders);
  } catch (error) {
    service.logger.error(
      { charges: orders.length, err: error },
      'The signer failed. The charges are blocked and tried again.',
    );
    return { ok: false, unavailable: { kind: 'transport' } };
  }
}

/**
 * Stores the intents of charges, and returns the transactions that may be sent: those with every charge
 * stored. Charges of one transaction are stored together or not at all, because a worker that finds one may
 * send it. Otherwise each is signed again by itself, so that the one at fault holds up no other.
 */
export async function storeIntents(
  service: Service,
  committer: Committer,
  transactions: readonly ChargeTransaction[],
  now: Date,
): Promise<readonly ChargeTransaction[]> {
  const store = async (given: readonly ChargeTransaction[]) => {
    const units = given.map((charges) => charges.map(({ changes }) => changes));
    const { stored, separated } = await commitUnits(service, committer, units, now);
    return {
      stored: given.filter((charges) => charges.every(({ changes }) => stored.has(changes))),
      separated: given.flat().filter(({ changes }) => separated.has(changes)),
    };
  };
  const together = await store(transactions);
  const alone = await store(await signAlone(service, together.separated));
  return [...together.stored, ...alone.stored];
}
