import type { ChargeTarget, ClaimedSubscription, Commit, SignatureQuery } from '../ports/index.js';
import type { Plan, Subscription, Transfer } from '../records/index.js';
import { receiverOf } from '../records/index.js';
import type { Transition } from '../transitions/transition.js';
import type { Change } from '../transitions/change.js';
import { change } from '../transitions/change.js';
import type { Tier } from '../contract/tiers.js';
import type { Service } from '../service.js';
import type { CommitBuilder } from './commit-builder.js';

/**
 * One subscription on its way through a pass or a request: as it stands after the changes made so far, which are
 * written together at the end. It holds no lock; the version of its first change fences it.
 */
export class SubscriptionChanges {
  readonly plan: Plan;
  readonly tier: Tier;
  private current: Subscription;
  private transfer: Transfer | null;
  private readonly changes: Change[] = [];
  private readonly touchedTransfers = new Map<string, Transfer>();
  private readonly joined: SubscriptionChanges[] = [];
  private faulty = false;

  constructor(
    private readonly service: Service,
    private readonly claimed: ClaimedSubscription,
  ) {
    this.plan = claimed.plan;
    this.tier = service.settings.tiers[claimed.project.tier];
    this.current = claimed.subscription;
    this.transfer = claimed.transfer;
  }

  get subscription(): Subscription {
    return this.current;
  }

  /** The transfer that is not resolved yet, if any. */
  get openTransfer(): Transfer | null {
    return this.transfer?.state === 'open' ? this.transfer : null;
  }

  get changed(): boolean {
    return this.changes.length > 0;
  }

  /** Whether the transaction of its checkout landed among the changes made here. */
  get landed(): boolean {
    return this.claimed.subscription.status === 'pending' && this.transfer?.state === 'landed';
  }

  /** The plan and the project it belongs to, which are those of the wallet's other subscriptions to the plan. */
  get belongsTo(): Pick<ClaimedSubscription, 'plan' | 'project'> {
    const { plan, project } = this.claimed;
    return { plan, project };
  }

  /** Whether a fault made it unfit to be written. */
  get abandoned(): boolean {
    return this.faulty;
  }

  /** Leaves it as it is stored: nothing made of it here is written. */
  abandon(): void {
    this.faulty = true;
  }

  /** The row after its changes were stored, with none made since. */
  next(): SubscriptionChanges {
    return new SubscriptionChanges(this.service, { ...this.claimed, subscription: this.current, transfer: this.transfer });
  }

  apply(cause: Transition, now: Date): void {
    const made = change(this.current, cause, now, { plan: this.plan, tier: this.tier });
    // However many changes are made here, the store sees one next version.
    const after = { ...made.after, version: this.claimed.subscription.version + 1 };
    this.changes.push({ ...made, after });
    this.current = after;
  }

  /** Keeps a new transfer, or what became of the open one. */
  keep(transfer: Transfer): void {
    this.transfer = transfer;
    this.touchedTransfers.set(transfer.id, transfer);
  }

  /** Has the changes of another subscription written in the same commit, all or nothing. */
  join(other: SubscriptionChanges): void {
    this.joined.push(other);
  }

  /** Its own changes first, then those of the rows that joined it. */
  async commits(builder: CommitBuilder): Promise<readonly [Commit, ...Commit[]]> {
    const own = await builder.commit(this.changes, this.plan, {
      transfers: [...this.touchedTransfers.values()],
    });
    const joined = await Promise.all(this.joined.map((row) => row.commits(builder)));
    return [own, ...joined.flat()];
  }
}

/** What the chain is asked to read for a charge of this subscription. */
export function chargeTarget(plan: Plan, wallet: string): ChargeTarget {
  return {
    plan: {
      address: plan.address,
      owner: plan.owner,
      number: plan.number,
      createdAt: plan.createdOnChainAt ?? plan.createdAt,
      mint: plan.mint,
      tokenProgram: plan.tokenProgram,
      amount: plan.amount,
      periodHours: plan.periodHours,
      receiver: receiverOf(plan),
    },
    wallet,
  };
}

export function signatureQuery({ signature, lastValidBlockHeight }: Transfer): SignatureQuery {
  return { signature, lastValidBlockHeight };
}
