import type { Confirmation, ReasonCode } from '../../contract/confirmation.js';
import { ServiceError } from '../../contract/errors.js';
import { createCommitBuilder } from '../../commits/commit-builder.js';
import { settleCharge } from '../../settlement/settle-charge.js';
import { SubscriptionChanges, signatureQuery } from '../../commits/subscription-changes.js';
import type { ChargeView, TransactionOutcome } from '../../ports/index.js';
import type { BuiltTransaction, ChangeAction, Project, Subscription } from '../../records/index.js';
import type { Transition } from '../../transitions/transition.js';
import { plus } from '../../rules/billing-periods.js';
import type { Service } from '../../service.js';
import { confirmation } from '../../wire/confirmation.js';
import { findSubscription } from '../find-subscription.js';
import type { Held } from './issue-action.js';
import { tryReadChargeView } from '../read-charge-view.js';

/** checkout#order-of-create-refusals: a confirmation asks the chain for up to 90 seconds. */
const CONFIRM_MS = 90_000;
const POLL_MS = 1_000;

/** How one kind of confirmation is judged. */
export interface ActionConfirmation {
  readonly action: ChangeAction;
  /** Told when the chain shows no change after the whole wait. */
  readonly notLanded: ReasonCode;
  /** Told when the subscription became something else while the chain was read. */
  readonly movedOn: ReasonCode;
  /** Whether the subscription is already what the confirmation is to make it. */
  done(subscription: Subscription): boolean;
  /** Refuses a subscription that this can never be done to, with the code of its state. */
  require(subscription: Subscription): void;
  /** What the chain's state says: what to change, why it never will, or null while it shows no change. */
  verdict(view: ChargeView, held: Held): Transition | ReasonCode | null;
}

/**
 * Confirms what a wallet did on chain. The verdict is the chain's state and not the signature: another transaction that made
 * the change settles it as well, and the signature only tells why nothing changed (checkout#order-of-create-refusals, confirms).
 */
export async function confirmAction(
  service: Service,
  project: Project,
  id: string,
  signature: string,
  confirming: ActionConfirmation,
): Promise<Confirmation> {
  let held: Held = { project, ...(await findSubscription(service, project, id)) };
  if (confirming.done(held.subscription)) return confirmation(service, held, null);
  confirming.require(held.subscription);
  const { built } = held.subscription;
  if (built?.action !== confirming.action) throw new ServiceError('nothing_to_confirm');
  const deadline = plus(service.clock.now(), CONFIRM_MS);
  /** Why nothing was settled, unless somebody else did it meanwhile: another confirmation of the same, or the worker. */
  const told = async (code: ReasonCode) => {
    held = { project, ...(await findSubscription(service, project, id)) };
    return confirmation(service, held, confirming.done(held.subscription) ? null : code);
  };
  for (;;) {
    const outcome = await outcomeOf(service, built, signature);
    const view = await tryReadChargeView(service, held.plan, held.subscription.wallet);
    const verdict = view.ok ? confirming.verdict(view.value, held) : null;
    if (typeof verdict === 'string') return told(verdict);
    const settled = verdict === null ? 'waiting' : await settle(service, held, verdict);
    const late = service.clock.now() >= deadline;
    if (settled === 'settled') return told(confirming.movedOn);
    if (settled === 'lost') {
      const { status } = held.subscription;
      const answer = await told(confirming.movedOn);
      const asItWas = held.subscription.status === status && !confirming.done(held.subscription);
      if (!asItWas) return answer;
      if (late) throw new ServiceError('subscription_changed');
      await service.clock.sleep(POLL_MS);
      continue;
    }
    const never = verdict === null && view.ok ? terminalReason(outcome, view.value, confirming) : null;
    if (never !== null) return told(never);
    if (late) {
      if (!view.ok) throw new ServiceError('network_unavailable', { cause: view.unavailable });
      return told(verdict === null ? confirming.notLanded : 'subscription_changed');
    }
    await service.clock.sleep(POLL_MS);
  }
}

/** Why a transaction will not bring the change that the chain does not show; null while it still may. */
function terminalReason(outcome: TransactionOutcome, view: ChargeView, { notLanded }: ActionConfirmation): ReasonCode | null {
  switch (outcome.kind) {
    case 'failed':
      return 'transaction_failed';
    case 'not_found':
      return 'transaction_expired';
    case 'landed':
      // The chain was read since, and shows no such change: it was some other transaction.
      return view.slot >= outcome.slot ? notLanded : null;
    case 'waiting':
    case 'unknown':
      return null;
  }
}

async function outcomeOf(service: Service, built: BuiltTransaction, signature: string): Promise<TransactionOutcome> {
  const { lastValidBlockHeight } = built;
  const [outcome] = await service.chain.resolve([{ signature, lastValidBlockHeight }]);
  return outcome ?? { kind: 'unknown' };
}

/** Writes what the chain shows, after what became of a charge that was under way; `waiting` while that is not known. */
async function settle(service: Service, held: Held, cause: Transition): Promise<'settled' | 'lost' | 'waiting'> {
  const now = service.clock.now();
  const transfer = await service.store.findOpenTransfer(held.subscription.id);
  const row = new SubscriptionChanges(service, { ...held, transfer });
  if (transfer !== null) {
    const [outcome] = await service.chain.resolve([signatureQuery(transfer)]);
    if (outcome === undefined || outcome.kind === 'waiting' || outcome.kind === 'unknown') return 'waiting';
    settleCharge(row, transfer, outcome, now);
    if (row.openTransfer !== null) return 'waiting';
  }
  row.apply(cause, now);
  const committed = await service.store.commit(await row.commits(createCommitBuilder(service)));
  return committed === 'committed' ? 'settled' : 'lost';
}
