import type { Commit } from '../ports/index.js';
import {
  type Attempt,
  type Delivery,
  type SubscriptionEvent,
  type IdOf,
  type Plan,
  type ProjectId,
  newId,
} from '../records/index.js';
import { usdAmount } from '../rules/money.js';
import type { Service } from '../service.js';
import type { AttemptDraft } from '../transitions/attempt.js';
import { createDeliveries } from '../webhooks/create-deliveries.js';
import { observeCommits } from './observe-commits.js';
import { readPrice } from './read-price.js';
import type { CollectedChanges, SubscriptionChanges } from './subscription-changes.js';

/**
 * `lost`: a concurrent commit was faster, or the store refused what would break one of its guards. Nothing was
 * written.
 */
export type CommitResult = 'committed' | 'lost';

/**
 * Writes collected changes with their attempts, transfers, events and deliveries, all or nothing. No change of a
 * subscription reaches the store in another way.
 */
export interface Committer {
  /**
   * Writes the changes of several subscriptions, all or nothing.
   * @param wakeNotBefore the earliest `wakeAt` to write, whatever a subscription's own dates say
   */
  commit(batch: readonly SubscriptionChanges[], wakeNotBefore?: Date): Promise<CommitResult>;
}

/** Makes a committer for one pass or one request: it reads each endpoint list and each price once and keeps them. */
export function createCommitter(service: Service): Committer {
  const buildCommit = createCommitBuilder(service);
  return {
    async commit(batch, wakeNotBefore) {
      const commits: Commit[] = [];
      for (const changes of batch)
        for (const collected of changes.collected()) commits.push(await buildCommit(collected));
      const result = await service.store.commit(
        wakeNotBefore === undefined ? commits : commits.map((commit) => delayedWake(commit, wakeNotBefore)),
      );
      if (result === 'committed') observeCommits(service, commits);
      return result;
    },
  };
}

/** Writes the changes of one request. */
export async function commitChanges(service: Service, changes: SubscriptionChanges): Promise<CommitResult> {
  return createCommitter(service).commit([changes]);
}

function delayedWake(commit: Commit, earliest: Date): Commit {
  const { subscription } = commit;
  if (subscription.wakeAt === null || subscription.wakeAt >= earliest) return commit;
  return { ...commit, subscription: { ...subscription, wakeAt: earliest } };
}

/**
 * Turns the changes of a subscription into one commit of its last state. Ids, prices and deliveries are added here
 * only.
 */
function createCommitBuilder(service: Service): (collected: CollectedChanges) => Promise<Commit> {
  const endpointsOf = memoized((projectId: ProjectId) => service.store.listEndpoints(projectId));
  const priceOf = memoized((mint: string) => readPrice(service, mint));

  const attemptsOf = async (drafts: readonly AttemptDraft[], plan: Plan): Promise<readonly Attempt[]> => {
    if (drafts.length === 0) return [];
    const price = await priceOf(plan.mint);
    return withRisingIds(service, 'att', drafts, (draft, id) => ({
      ...draft,
      id,
      amountUsd: usdAmount(price, draft.amount, plan.decimals),
    }));
  };

  const deliveriesOf = async (
    events: readonly SubscriptionEvent[],
    projectId: ProjectId,
  ): Promise<readonly Delivery[]> => {
    if (events.length === 0) return [];
    return createDeliveries(events, await endpointsOf(projectId), service.random, service.clock.now());
  };

  return async ({ subscription, plan, changes, transfers, signedTerms }) => {
    if (changes.length === 0)
      throw new Error(`No change of subscription ${subscription.id} was made to commit.`);
    const { id: subscriptionId, projectId } = subscription;
    const drafts = changes.flatMap(({ attempt }) => (attempt === null ? [] : [attempt]));
    const raised = changes.flatMap((change) => change.events);
    const events = withRisingIds(service, 'evt', raised, (event, id) => ({
      ...event,
      id,
      projectId,
      subscriptionId,
      body: null,
    }));
    return {
      subscription,
      attempts: await attemptsOf(drafts, plan),
      transfers,
      events,
      deliveries: await deliveriesOf(events, projectId),
      signedTerms,
    };
  };
}

/**
 * Makes a record of each draft with a fresh id. The ids rise, because lists order items of one instant by id
 * (lists#newest-first-order).
 */
function withRisingIds<Kind extends 'att' | 'evt', Draft, Made>(
  service: Service,
  kind: Kind,
  drafts: readonly Draft[],
  make: (draft: Draft, id: IdOf[Kind]) => Made,
): readonly Made[] {
  const ids = drafts.map(() => newId(service.random, kind)).sort();
  return drafts.flatMap((draft, place) => {
    const id = ids[place];
    return id === undefined ? [] : [make(draft, id)];
  });
}

/** Reads each value once and keeps it. */
export function memoized<Key, Value>(read: (key: Key) => Promise<Value>): (key: Key) => Promise<Value> {
  const values = new Map<Key, Promise<Value>>();
  return (key) => {
    const known = values.get(key);
    if (known !== undefined) return known;
    const value = read(key);
    values.set(key, value);
    return value;
  };
}
