import { atNow } from '../../commits/subscription-context.js';
import { toAmountText, toWireDate } from '../../contract/scalars.js';
import { availableSince } from '../../operations/events/read-events.js';
import { pageWire } from '../../operations/pages.js';
import { requireSubscription } from '../../operations/require.js';
import type { Page } from '../../ports/index.js';
import type { Plan, Project, Subscription, Transfer } from '../../records/index.js';
import type { Service } from '../../service.js';
import { attemptWire } from '../../wire/attempt.js';
import { servedBody } from '../../wire/event.js';
import { subscriptionWire } from '../../wire/subscription.js';
import { deliveryWire } from '../deliveries/read-deliveries.js';
import type { ChargedPlan, SubscriptionDetail, SubscriptionInternals, TransferWire } from './schemas.js';

/** The most attempts, events, transfers and deliveries in a detail. */
const NEWEST = 20;

const FIRST_PAGE = { limit: NEWEST, startingAfter: null } as const;

/** Everything of one subscription in one answer (management#subscription-detail). */
export async function subscriptionDetail(
  service: Service,
  project: Project,
  id: string,
): Promise<SubscriptionDetail> {
  const context = await requireSubscription(service, project, id);
  const { subscription, plan } = context;
  const { store, chain } = service;
  const [attempts, events, transfers, deliveries, heldEvents, openTransfer] = await Promise.all([
    store.listAttempts(subscription.id, FIRST_PAGE),
    store.listEvents(
      project.id,
      availableSince(service, project),
      { type: null, subscriptionId: subscription.id },
      FIRST_PAGE,
    ),
    store.listTransfers(subscription.id, NEWEST + 1),
    store.listSubscriptionDeliveries(subscription.id, NEWEST + 1),
    store.countHeldEvents(subscription.id),
    store.findOpenTransfer(subscription.id),
  ]);
  return {
    subscription: subscriptionWire(subscription, atNow(service, context)),
    internals: internalsOf(subscription, heldEvents, openTransfer),
    plan: chargedPlan(plan),
    attempts: {
      ...pageWire(attempts, attemptWire),
      paid: { count: subscription.paidCount, amount: toAmountText(subscription.paidAmount) },
    },
    events: pageWire(events, (event) => servedBody(event, chain.network)),
    transfers: pageWire(cut(transfers), transferWire),
    deliveries: pageWire(cut(deliveries), deliveryWire),
  };
}

function internalsOf(
  subscription: Subscription,
  heldEvents: number,
  openTransfer: Transfer | null,
): SubscriptionInternals {
  return {
    address: subscription.address,
    version: subscription.version,
    wake_at: toWireDate(subscription.wakeAt),
    next_try_at: toWireDate(subscription.nextTryAt),
    next_check_at: toWireDate(subscription.nextCheckAt),
    retry_queued_at: toWireDate(subscription.late?.queuedAt ?? null),
    gone_since: toWireDate(subscription.goneSince),
    terms_signed: subscription.termsSigned,
    checkout_expires_at: toWireDate(subscription.checkoutExpiresAt),
    closed_at: toWireDate(subscription.closedAt),
    previous_id: subscription.previousId,
    replaced_by_id: subscription.replacedById,
    last_sequence: subscription.lastSequence,
    held_events: heldEvents,
    open_transfer: openTransfer === null ? null : transferWire(openTransfer),
  };
}

function chargedPlan(plan: Plan): ChargedPlan {
  return {
    slug: plan.slug,
    name: plan.name,
    mint: plan.mint,
    decimals: plan.decimals,
    amount: toAmountText(plan.amount),
    period_hours: plan.periodHours,
    ends_at: toWireDate(plan.endsAt),
  };
}

function cut<Row>(rows: readonly Row[]): Page<Row> {
  return { data: rows.slice(0, NEWEST), hasMore: rows.length > NEWEST };
}

/** A transfer as an operator sees it: without the signed transaction. */
function transferWire(transfer: Transfer): TransferWire {
  return {
    id: transfer.id,
    kind: transfer.kind,
    trigger: transfer.trigger,
    signature: transfer.signature,
    state: transfer.state,
    period_start: toWireDate(transfer.periodStart),
    amount: toAmountText(transfer.amount),
    fee_lamports: transfer.lamports === null ? null : toAmountText(transfer.lamports),
    reason_code: transfer.reasonCode,
    created_at: toWireDate(transfer.createdAt),
    resolved_at: toWireDate(transfer.resolvedAt),
  };
}
