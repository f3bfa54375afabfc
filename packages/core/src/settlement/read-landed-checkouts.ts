import type { SubscriptionChanges } from '../commits/subscription-changes.js';
import type { ChainResult, ChargeView } from '../ports/index.js';
import { plus } from '../rules/billing-periods.js';
import type { Service } from '../service.js';
import { BLOCK_TIME_MS } from './find-by-account.js';
import { chargeTarget, readChargeViews } from './read-charge-views.js';
import type { LandedOutcome } from './read-outcomes.js';

/** The reads for the settling of a landed checkout. */
export interface LandedCheckout {
  /** The chain after the landing; unavailable also while it is unknown whether the account was remade. */
  readonly view: ChainResult<ChargeView>;
  /** The chain for the subscription that it replaces; null when it replaces none. */
  readonly viewOfReplaced: ChainResult<ChargeView> | null;
  /** Whether the wallet closed the account since the landing and made it again. */
  readonly remade: boolean;
  /** The wallet's other subscriptions to the plan that were ever paid for, newest first. */
  readonly paidBefore: readonly SubscriptionChanges[];
}

/** A checkout whose transaction landed. */
export interface Landing {
  readonly changes: SubscriptionChanges;
  readonly outcome: LandedOutcome;
  /** The subscription that it replaces; null when it replaces none. */
  readonly replaced: SubscriptionChanges | null;
}

/**
 * Makes the reads for landed checkouts. A subscription that reads as gone is read again at `finalized`
 * (attempts#read-commitment): a node that lags must not turn a payment into a failed checkout.
 * @param isolate runs the reads of one checkout, so that a failure of them holds up no other
 */
export async function readLandedCheckouts(
  service: Service,
  landings: readonly Landing[],
  isolate: (changes: SubscriptionChanges, step: () => Promise<void>) => Promise<unknown> = (_, step) =>
    step(),
): Promise<ReadonlyMap<SubscriptionChanges, LandedCheckout>> {
  const batch = landings.map(({ changes }) => changes);
  const replaced = landings.flatMap((landing) => landing.replaced ?? []);
  const views = new Map(await readChargeViews(service, [...batch, ...replaced], 'confirmed'));
  const gone = batch.filter((changes) => {
    const answer = views.get(changes);
    return answer?.ok === true && answer.value.subscription === null;
  });
  for (const [changes, answer] of await readChargeViews(service, gone, 'finalized'))
    views.set(changes, answer);
  const landed = new Map<SubscriptionChanges, LandedCheckout>();
  for (const landing of landings) {
    const { changes, replaced: old } = landing;
    const view = views.get(changes);
    const viewOfReplaced = old === null ? null : views.get(old);
    if (view === undefined || viewOfReplaced === undefined) continue;
    await isolate(changes, async () => {
      const remade = await isRemade(service, landing, view);
      const paidBefore = await findPaidBefore(service, changes);
      landed.set(changes, {
        view: remade.ok ? view : remade,
        viewOfReplaced,
        remade: remade.ok && remade.value,
        paidBefore,
      });
    });
  }
  return landed;
}

/**
 * Whether the account was made again since the landing (checkout#account-remade-before-it-was-read). An
 * account with the period of the landing paid in full is the one that landed; of others the history tells.
 */
async function isRemade(
  service: Service,
  { changes: { plan, subscription }, outcome: { time } }: Landing,
  view: ChainResult<ChargeView>,
): Promise<ChainResult<boolean>> {
  if (!view.ok || view.value.subscription === null) return { ok: true, value: false };
  const { periodStart, pulled } = view.value.subscription;
  const isOfLanding = periodStart <= plus(time, BLOCK_TIME_MS) && pulled >= plan.amount;
  if (isOfLanding) return { ok: true, value: false };
  const history = await service.chain.readHistory({
    ...chargeTarget(plan, subscription.wallet),
    since: plus(time, -BLOCK_TIME_MS),
    slot: view.value.slot,
  });
  if (!history.ok) return history;
  const { createdAt } = history.value;
  return { ok: true, value: createdAt !== null && createdAt > time };
}

async function findPaidBefore(
  service: Service,
  changes: SubscriptionChanges,
): Promise<readonly SubscriptionChanges[]> {
  const { id, wallet } = changes.subscription;
  const all = await service.store.listByWalletAndPlan(changes.plan.id, wallet);
  const paidBefore: SubscriptionChanges[] = [];
  for (const subscription of all) {
    if (subscription.id === id || subscription.incarnation === null) continue;
    const transfer = await service.store.findOpenTransfer(subscription.id);
    paidBefore.push(changes.forSibling(subscription, transfer));
  }
  return paidBefore;
}
