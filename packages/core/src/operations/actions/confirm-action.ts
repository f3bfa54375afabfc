import { SubscriptionChanges } from '../../commits/subscription-changes.js';
import { type SubscriptionContext, atNow } from '../../commits/subscription-context.js';
import type { Confirmation, ReasonCode } from '../../contract/confirmation.js';
import { ServiceError } from '../../contract/errors.js';
import type { ConfirmBody } from '../../contract/requests.js';
import type { ChargeView, TransactionOutcome } from '../../ports/index.js';
import type { ChangeAction, Project, Subscription } from '../../records/index.js';
import { isHeld } from '../../rules/running.js';
import type { Service } from '../../service.js';
import { type ActionFinding, isLastLookupOver, lastLookupWithin } from '../../service/shared-lookups.js';
import { readOwnHistory } from '../../settlement/find-by-account.js';
import { commitAndFollow } from '../../settlement/follow-commit.js';
import { chargeTarget } from '../../settlement/read-charge-views.js';
import { readOutcome } from '../../settlement/read-outcomes.js';
import { recordRefusal, settleCharge } from '../../settlement/settle-charge.js';
import type { Transition } from '../../transitions/transition.js';
import { confirmationWire } from '../../wire/confirmation.js';
import { reinstateIfFound } from '../read-chain.js';
import { requireSubscription } from '../require.js';

/** A confirmation reads the chain for this long (cancel-resume-close#confirm-wait-of-ninety-seconds). */
const CONFIRM_MS = 90_000;

/** A block height that no chain reaches. */
const NEVER = 2n ** 63n - 1n;

/** The differences between the confirmations of a cancellation, a resume and a close. */
export interface ActionConfirmation {
  readonly action: ChangeAction;
  /** Whether a confirmation needs no built transaction on record: the wallet may have sent any. */
  readonly ofAnyTransaction?: true;
  /** The code for a chain that shows no change until the deadline. */
  readonly notLanded: ReasonCode;
  /** The code for a subscription that another call or the worker changed during the read of the chain. */
  readonly changedMeanwhile: ReasonCode;
  /** Whether the subscription is already in the state to which the action leads. */
  isDone(subscription: Subscription): boolean;
  /** Refuses a subscription on which the action is never possible, with the code of its state. */
  requirePossible(subscription: Subscription): void;
  /** Whether a read of the chain needs the history of the account to be understood. */
  needsHistory?(view: ChargeView, context: SubscriptionContext): boolean;
  /**
   * The meaning of a read of the chain: a transition, a reason why none will come, or null for no change yet.
   * @param remade whether the account was closed and made again, by its history; null without a history
   */
  verdict(
    view: ChargeView,
    context: SubscriptionContext,
    remade: boolean | null,
  ): Transition | ReasonCode | null;
}

/**
 * Confirms what a wallet did on chain. The state of the chain decides, by whatever transaction; the signature
 * only says why nothing changed (cancel-resume-close#chain-state-decides-a-confirm).
 */
export async function confirmAction(
  service: Service,
  project: Project,
  id: string,
  { signature }: ConfirmBody,
  confirmation: ActionConfirmation,
): Promise<Confirmation> {
  const { action, notLanded, changedMeanwhile } = confirmation;
  const stored = await requireSubscription(service, project, id);
  const context = (await reinstateIfFound(service, stored))
    ? await requireSubscription(service, project, id)
    : stored;
  const { plan, subscription } = context;
  if (confirmation.isDone(subscription)) return confirmationWire(subscription, atNow(service, context), null);
  confirmation.requirePossible(subscription);
  const { built } = subscription;
  const own = built?.action === action ? built : null;
  if (own === null && confirmation.ofAnyTransaction !== true) throw new ServiceError('nothing_to_confirm');
  const isBuilt =
    own !== null && (await service.chain.isSignatureOf(signature, own.transaction, subscription.wallet));
  // Another transaction may land at any height (cancel-resume-close#expired-only-if-built).
  const lastValidBlockHeight = isBuilt ? own.lastValidBlockHeight : NEVER;

  const query = {
    transaction: { signature, lastValidBlockHeight },
    target: chargeTarget(plan, subscription.wallet),
  };
  const lastLookupAt = lastLookupWithin(service.clock.now(), CONFIRM_MS);
  let current = context;
  /** Answers with the subscription as it is now, without a code when the action was completed meanwhile. */
  const answer = async (code: ReasonCode): Promise<Confirmation> => {
    current = await requireSubscription(service, project, id);
    const done = confirmation.isDone(current.subscription);
    return confirmationWire(current.subscription, atNow(service, current), done ? null : code);
  };
  for (let count = 0; ; count++) {
    const { version } = current.subscription;
    const seen = current;
    const { outcome, view, verdict, settlement } = await service.lookups.confirms.next(
      { key: `${action} ${id} ${version} ${signature}`, query, count, last: lastLookupAt },
      (finding) => judge(service, confirmation, seen, finding),
    );
    if (typeof verdict === 'string') return answer(verdict);
    const overdue = isLastLookupOver(lastLookupAt, service.clock.now());
    if (settlement === 'settled') return answer(changedMeanwhile);
    if (settlement === 'lost') {
      const { status } = current.subscription;
      const answered = await answer(changedMeanwhile);
      const unchanged = current.subscription.status === status && !confirmation.isDone(current.subscription);
      if (!unchanged) return answered;
      if (overdue) throw new ServiceError('subscription_changed');
      continue;
    }
    const terminal = verdict === null && view.ok ? terminalReason(outcome, view.value, notLanded) : null;
    if (terminal !== null) return answer(terminal);
    if (overdue) {
      if (!view.ok) throw new ServiceError('network_unavailable', { cause: view.unavailable });
      return answer(verdict === null ? notLanded : 'subscription_changed');
    }
  }
}

/** Settles the outcome of a look-up. Calls that share the look-up settle once. */
async function judge(
  service: Service,
  confirmation: ActionConfirmation,
  context: SubscriptionContext,
  { outcome, view }: ActionFinding,
) {
  const verdict = view.ok ? await readVerdict(service, confirmation, view.value, context) : null;
  const isOver = verdict === null || typeof verdict === 'string';
  const settlement = isOver ? 'waiting' : await settle(service, context, verdict);
  return { outcome, view, verdict, settlement };
}

/** The meaning of a read of the chain, by the history of the account where the action needs it. */
export async function readVerdict(
  service: Service,
  confirmation: ActionConfirmation,
  view: ChargeView,
  context: SubscriptionContext,
): Promise<Transition | ReasonCode | null> {
  const needsHistory = confirmation.needsHistory?.(view, context) === true;
  const history = needsHistory ? await readOwnHistory(service, context, view) : null;
  return confirmation.verdict(view, context, history?.ok === true ? history.value.createdAt !== null : null);
}

/** The reason why a transaction will never bring the change; null while it may. */
function terminalReason(
  outcome: TransactionOutcome,
  view: ChargeView,
  notLanded: ReasonCode,
): ReasonCode | null {
  switch (outcome.kind) {
    case 'failed':
    case 'undone':
      return 'transaction_failed';
    case 'not_found':
      return 'transaction_expired';
    case 'landed':
      // The chain was read after the landing and shows no such change, so another transaction landed.
      return view.slot >= outcome.slot ? notLanded : null;
    case 'waiting':
    case 'unknown':
      return null;
  }
}

/**
 * Commits a transition after settling an open charge. Returns `waiting` while that charge is open, or while a
 * change of plan may explain what the chain shows.
 */
export async function settle(
  service: Service,
  context: SubscriptionContext,
  transition: Transition,
): Promise<'settled' | 'lost' | 'waiting'> {
  const now = service.clock.now();
  if (isHeld(context.subscription)) return 'waiting';
  const transfer = await service.store.findOpenTransfer(context.subscription.id);
  const changes = new SubscriptionChanges(service, context, transfer);
  if (transfer !== null) {
    const outcome = await readOutcome(service, transfer);
    if (outcome.kind === 'waiting' || outcome.kind === 'unknown') return 'waiting';
    const nextStep = settleCharge(changes, transfer, outcome, now);
    // The change that the chain shows explains the refusal.
    if (nextStep === 'read' && outcome.kind === 'failed')
      recordRefusal(changes, outcome.refusal, transfer, now);
    if (changes.openTransfer !== null) return 'waiting';
  }
  changes.apply(transition, now);
  return (await commitAndFollow(service, changes)) === 'lost' ? 'lost' : 'settled';
}
