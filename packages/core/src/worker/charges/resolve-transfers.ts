import type { TransactionOutcome } from '../../ports/index.js';
import type { Transfer } from '../../records/index.js';
import type { Service } from '../../service.js';
import { readLandedCheckouts } from '../../settlement/read-landed-checkouts.js';
import { readOutcomes } from '../../settlement/read-outcomes.js';
import { resolveCheckout } from '../../settlement/resolve-checkout.js';
import { settleCharge } from '../../settlement/settle-charge.js';
import { settleCheckout } from '../../settlement/settle-checkout.js';
import { isolateFailure, isolateRejection } from './isolate-failures.js';
import { SETTLED, inState, type WorkItem, type WorkState } from './work-item.js';

/**
 * Looks up every open transfer, settles those with a known outcome, and sends again those that may never have
 * been sent. Where the chain must be read next, the item is unread.
 */
export async function resolveTransfers(
  service: Service,
  items: readonly WorkItem[],
  now: Date,
): Promise<void> {
  const open = inState(items, 'unresolved');
  const outcomes = await readOutcomes(
    service,
    open.map(({ state }) => state.transfer),
  );
  const read = await Promise.all(
    open.map(async ({ item, changes, state: { transfer } }, index) => {
      const outcome = outcomes[index] ?? { kind: 'unknown' };
      if (!isCheckout(transfer)) return { item, changes, transfer, outcome, replaces: null, replaced: null };
      return isolateRejection(service, changes, async () => ({
        ...{ item, changes },
        ...(await resolveCheckout(service, changes, transfer, outcome)),
      }));
    }),
  );
  const resolved = read.filter((one) => one !== null);
  const landedCheckouts = await readLandedCheckouts(
    service,
    resolved.flatMap(({ changes, transfer, outcome, replaced }) =>
      isCheckout(transfer) && outcome.kind === 'landed' ? [{ changes, outcome, replaced }] : [],
    ),
    (changes, step) => isolateRejection(service, changes, step),
  );

  const toSendAgain = new Set<string>();
  for (const one of resolved) {
    const { item, changes, transfer, outcome } = one;
    item.state = SETTLED;
    isolateFailure(service, changes, () => {
      if (isCheckout(transfer)) {
        settleCheckout(changes, one, landedCheckouts.get(changes) ?? null, now);
        if (outcome.kind === 'waiting') toSendAgain.add(transfer.wire);
        return;
      }
      const nextStep = settleCharge(changes, transfer, outcome, now);
      if (nextStep === 'read') item.state = unreadAfter(transfer, outcome);
      if (nextStep === 'resend') toSendAgain.add(transfer.wire);
    });
  }
  if (toSendAgain.size > 0) await service.chain.send([...toSendAgain]);
}

function isCheckout({ kind }: Transfer): boolean {
  return kind !== 'charge';
}

/** The state of a charge that has to be tried again, or whose refusal a read has to explain. */
function unreadAfter({ amount, periodStart }: Transfer, outcome: TransactionOutcome): WorkState {
  const refused = outcome.kind === 'failed' ? { refusal: outcome.refusal, amount, periodStart } : null;
  return { kind: 'unread', isDue: true, refused };
}
