import type { SignedTerms } from '../ports/index.js';
import type { Plan, Project, Subscription, Transfer } from '../records/index.js';
import type { At } from '../rules/at.js';
import type { Service } from '../service.js';
import { type Change, change } from '../transitions/change.js';
import { copySubscription } from '../transitions/copy-subscription.js';
import type { Transition } from '../transitions/transition.js';
import type { SubscriptionContext } from './subscription-context.js';

/**
 * The unit of work: the changes that one pass or request makes to a subscription, written together by
 * `commitChanges`. Nothing is locked: the version of the subscription guards the commit, so that a concurrent
 * change conflicts.
 */
export class SubscriptionChanges {
  private current: Subscription;
  private transfer: Transfer | null;
  private terms: SignedTerms | null = null;
  private readonly made: Change[] = [];
  private readonly touchedTransfers = new Map<string, Transfer>();
  private readonly others: SubscriptionChanges[] = [];
  private isDiscarded = false;

  /** @param transfer the open transfer of the subscription, if it has one and this work is about it */
  constructor(
    private readonly service: Pick<Service, 'settings'>,
    private start: SubscriptionContext,
    transfer: Transfer | null = null,
  ) {
    this.current = copySubscription(start.subscription);
    this.transfer = transfer;
  }

  get project(): Project {
    return this.start.project;
  }

  get plan(): Plan {
    return this.start.plan;
  }

  /** The subscription as it was before any change made here. */
  get before(): Subscription {
    return this.start.subscription;
  }

  /** The subscription after the changes made so far. */
  get subscription(): Subscription {
    return this.current;
  }

  /** The transfer that is not resolved yet, if any. */
  get openTransfer(): Transfer | null {
    return this.transfer?.state === 'open' ? this.transfer : null;
  }

  /** The transfer that was resolved here last, if any. */
  get resolvedTransfer(): Transfer | null {
    return this.transfer === null || this.transfer.state === 'open' ? null : this.transfer;
  }

  get hasChanges(): boolean {
    return this.made.length > 0;
  }

  /** Whether the changes made here record that the transaction of a checkout landed. */
  get checkoutLanded(): boolean {
    return this.before.status === 'pending' && this.transfer?.state === 'landed';
  }

  /** The facts that the rules need besides the subscription, at an instant. */
  at(now: Date): At {
    const { plan, project } = this.start;
    const { tiers, mailFrom } = this.service.settings;
    return { plan, tier: tiers[project.tier], now, mails: mailFrom !== null };
  }

  apply(transition: Transition, now: Date): void {
    // However many changes are made here, the store writes one next version.
    const next = change(this.current, transition, this.at(now), this.before.version + 1);
    this.made.push(next);
    this.current = next.after;
  }

  /** Goes on with the plan as it was read from the chain meanwhile. */
  followPlan(plan: Plan): void {
    this.start = { ...this.start, plan };
  }

  /** Adds a new transfer, or the next state of the open one. */
  putTransfer(transfer: Transfer): void {
    this.transfer = transfer;
    this.touchedTransfers.set(transfer.id, transfer);
  }

  putSignedTerms(terms: SignedTerms): void {
    this.terms = terms;
  }

  /** Adds the changes of another subscription to the same commit: either both are written or neither is. */
  alsoCommit(other: SubscriptionChanges): void {
    this.others.push(other);
  }

  /** The changes of other subscriptions that were added to the same commit. */
  get alsoCommitted(): readonly SubscriptionChanges[] {
    return this.others;
  }

  /** Starts the changes of another subscription of the same plan. */
  forSibling(subscription: Subscription, transfer: Transfer | null = null): SubscriptionChanges {
    return new SubscriptionChanges(this.service, { ...this.start, subscription }, transfer);
  }

  /** Starts further changes after these were committed. */
  next(): SubscriptionChanges {
    return this.forSibling(this.current, this.transfer);
  }

  /** Discards the changes: none of them may be written. */
  discard(): void {
    this.isDiscarded = true;
  }

  get discarded(): boolean {
    return this.isDiscarded;
  }

  /** The content of the commit: these changes first, then those added with `alsoCommit`. */
  collected(): readonly [CollectedChanges, ...CollectedChanges[]] {
    const own: CollectedChanges = {
      before: this.before,
      subscription: this.current,
      plan: this.plan,
      changes: this.made,
      transfers: [...this.touchedTransfers.values()],
      signedTerms: this.terms,
    };
    return [own, ...this.others.flatMap((other) => other.collected())];
  }
}

export interface CollectedChanges {
  readonly before: Subscription;
  readonly subscription: Subscription;
  readonly plan: Plan;
  readonly changes: readonly Change[];
  readonly transfers: readonly Transfer[];
  readonly signedTerms: SignedTerms | null;
}
