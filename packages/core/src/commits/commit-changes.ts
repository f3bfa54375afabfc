import type { Commit, Random } from '../ports/index.js';
import {
  type AddedFigures,
  type Endpoint,
  type IdOf,
  type MailSettings,
  type NewAttempt,
  type ProjectId,
  type Subscription,
  type Transfer,
  newId,
} from '../records/index.js';
import {
  byPlanAndDay,
  figuresOfAttempt,
  figuresOfDue,
  figuresOfMovement,
  withIds,
} from '../rules/figures.js';
import { usdAmount } from '../rules/money.js';
import type { Service } from '../service.js';
import { copySubscription } from '../transitions/copy-subscription.js';
import type { Change } from '../transitions/change.js';
import { createDeliveries } from '../webhooks/create-deliveries.js';
import { logChanges } from './log-changes.js';
import { kindsOff, mailsOfChanges, tellsOfCancellation, wasCancellationTold } from './mails.js';
import { observeCommits, reportHeld } from './observe-commits.js';
import { readPrice } from './read-price.js';
import type { CollectedChanges, SubscriptionChanges } from './subscription-changes.js';

/** `lost`: a concurrent commit was faster, or the store refused a broken guard. Nothing was written. */
export type CommitResult = 'committed' | 'lost';

/**
 * Writes collected changes with their attempts, transfers, events and deliveries, all or nothing. No other
 * code changes a subscription in the store.
 */
export interface Committer {
  /**
   * Writes the changes of several subscriptions, all or nothing.
   * @param wakeNotBefore the earliest `wakeAt` to write, whatever a subscription's own dates say
   */
  commit(batch: readonly SubscriptionChanges[], wakeNotBefore?: Date): Promise<CommitResult>;
}

/** Makes a committer for one pass or request, which reads each endpoint list and each price once. */
export function createCommitter(service: Service): Committer {
  const endpointsOf = memoized(async (projectId: ProjectId) => {
    const { endpoints, unreadable } = await service.store.listEndpoints(projectId);
    for (const { id, error } of unreadable) {
      service.logger.error(
        { endpoint: id, project: projectId, err: error },
        'An endpoint cannot be read from the store, so events make no deliveries to it. Once it can, recover sends them.',
      );
    }
    return endpoints;
  });
  const priceOf = memoized((mint: string) => readPrice(service, mint));
  const mailSettingsOf = memoized((projectId: ProjectId) => service.store.findMailSettings(projectId));
  const toldOf = memoized((subscription: Subscription) => wasCancellationTold(service, subscription));
  return {
    async commit(batch, wakeNotBefore) {
      const collected = batch.flatMap((changes) => changes.collected());
      // Shared reads come first, so that each commit is made without a wait.
      const charged = collected.filter(({ changes }) => changes.some(({ attempt }) => attempt !== null));
      const prices = await readEach(
        priceOf,
        charged.map(({ plan }) => plan.mint),
      );
      const announced = collected.filter(({ changes }) => changes.some(({ events }) => events.length > 0));
      const endpoints = await readEach(
        endpointsOf,
        announced.map(({ subscription }) => subscription.projectId),
      );
      const mailing = collected.filter(({ changes }) => changes.some(({ mails }) => mails.length > 0));
      const mailSettings = await readEach(
        mailSettingsOf,
        mailing.map(({ subscription }) => subscription.projectId),
      );
      const told = await readEach(
        toldOf,
        mailing.flatMap(({ subscription, changes }) => (tellsOfCancellation(changes) ? [subscription] : [])),
      );
      const commits = collected.map((one) => {
        const commit = buildCommit(service, one, { prices, endpoints, mailSettings, told });
        return wakeNotBefore === undefined ? commit : delayedWake(commit, wakeNotBefore);
      });
      const result = await service.store.commit(commits, addedFigures(service, commits, collected));
      if (result === 'committed') {
        observeCommits(service, commits);
        for (const one of collected) {
          logChanges(service.logger, one);
          reportHeld(service, one.subscription.id, one.changes);
        }
      }
      return result;
    },
  };
}

export async function commitChanges(service: Service, changes: SubscriptionChanges): Promise<CommitResult> {
  return createCommitter(service).commit([changes]);
}

function delayedWake(commit: Commit, earliest: Date): Commit {
  const { subscription } = commit;
  if (subscription.wakeAt === null || subscription.wakeAt >= earliest) return commit;
  const delayed = copySubscription(subscription);
  delayed.wakeAt = earliest;
  return { ...commit, subscription: delayed };
}

/** The reads that the commits of a batch share. */
interface SharedReads {
  readonly prices: ReadonlyMap<string, string | null>;
  readonly endpoints: ReadonlyMap<ProjectId, readonly Endpoint[]>;
  readonly mailSettings: ReadonlyMap<ProjectId, MailSettings | null>;
  /** Whether an earlier cancellation was just told, by the subscription that is cancelled now. */
  readonly told: ReadonlyMap<Subscription, boolean>;
}

/** Turns the changes of a subscription into one commit, with ids, prices, deliveries and mails. */
function buildCommit(
  { random, wallClock }: Service,
  { subscription, plan, changes, transfers, signedTerms }: CollectedChanges,
  { prices, endpoints, mailSettings, told }: SharedReads,
): Commit {
  if (changes.length === 0)
    throw new Error(`No change of subscription ${subscription.id} was made to commit.`);
  const { id: subscriptionId, projectId } = subscription;
  const price = prices.get(plan.mint) ?? null;
  // The fields are written out because every charge passes here, and a spread takes twice as long.
  const drafts = changes.flatMap(({ attempt }) => (attempt === null ? [] : [attempt]));
  const fee = chargerFee(transfers);
  const attempts = withRisingIds(random, 'att', drafts, (draft, id): NewAttempt => ({
    id,
    subscriptionId,
    attemptedAt: draft.attemptedAt,
    outcome: draft.outcome,
    reason: draft.reason,
    amount: draft.amount,
    amountReceived: draft.amountReceived,
    amountUsd: usdAmount(price, draft.amount, plan.decimals),
    signature: draft.signature,
    // The first attempt is about the transaction; one that follows is about a read.
    fee: draft === drafts[0] ? fee : null,
    retry: draft.retry,
    retryNumber: draft.retryNumber,
    retriesAllowed: draft.retriesAllowed,
    periodStart: draft.periodStart,
  }));
  const movements = changes.flatMap(({ movement }) =>
    movement === null ? [] : [{ id: newId(random, 'mov'), ...movement }],
  );
  const raised = changes.flatMap((change) => change.events);
  const events = withRisingIds(random, 'evt', raised, (event, id) => ({
    id,
    projectId,
    subscriptionId,
    type: event.type,
    createdAt: event.createdAt,
    sequence: event.sequence,
    detail: event.detail,
    data: event.data,
    heldState: event.heldState,
    body: null,
  }));
  const waitingFrom = firstWaiting(changes);
  const deliveries = createDeliveries(
    events,
    endpoints.get(projectId) ?? [],
    random,
    wallClock.now(),
    ({ sequence }) => sequence >= waitingFrom,
  );
  const mails = mailsOfChanges(
    { random, wallClock },
    { subscription, changes },
    events,
    kindsOff(mailSettings.get(projectId) ?? null, told.get(subscription) === true),
  );
  return { subscription, attempts, transfers, events, deliveries, movements, mails, signedTerms };
}

/** What the charger paid for the transaction of a charge that was resolved here; null for none. */
function chargerFee(transfers: readonly Transfer[]): bigint | null {
  const paid = transfers.find(({ kind, resolvedAt }) => kind === 'charge' && resolvedAt !== null);
  return paid?.lamports ?? null;
}

/** What commits add to the figures, for a store that keeps them. */
function addedFigures(
  { lacks, random }: Service,
  commits: readonly Commit[],
  collected: readonly CollectedChanges[],
): readonly AddedFigures[] {
  if (lacks.has('FigureStore')) return [];
  const figures = commits.flatMap(({ subscription, attempts, movements }) => [
    ...attempts.map((attempt) => figuresOfAttempt(subscription, attempt)),
    ...movements.map(figuresOfMovement),
  ]);
  const due = collected.flatMap(({ before, subscription, plan }) => [
    ...figuresOfDue(before, plan, -1n),
    ...figuresOfDue(subscription, plan, 1n),
  ]);
  return withIds(random, byPlanAndDay([...figures, ...due]));
}

/** The sequence from which on events wait for one that is held, themselves included (events#held-events). */
function firstWaiting(changes: readonly Change[]): number {
  const waiting = changes.find(({ after }) => after.hasHeldEvents);
  return waiting === undefined ? Infinity : waiting.after.lastSequence - waiting.events.length + 1;
}

/**
 * Makes a record of each draft with a fresh id. The ids rise, because lists order items of one instant by id
 * (lists#newest-first-order).
 */
function withRisingIds<Kind extends 'att' | 'evt', Draft, Made>(
  random: Random,
  kind: Kind,
  drafts: readonly Draft[],
  make: (draft: Draft, id: IdOf[Kind]) => Made,
): readonly Made[] {
  const ids = drafts.map(() => newId(random, kind)).sort();
  return drafts.flatMap((draft, place) => {
    const id = ids[place];
    return id === undefined ? [] : [make(draft, id)];
  });
}

/** Reads each value once and keeps it. A read that failed is made again when the value is asked for again. */
export function memoized<Key, Value>(read: (key: Key) => Promise<Value>): (key: Key) => Promise<Value> {
  const values = new Map<Key, Promise<Value>>();
  return (key) => {
    const earlier = values.get(key);
    if (earlier !== undefined) return earlier;
    const value = read(key).catch((error: unknown) => {
      values.delete(key);
      throw error;
    });
    values.set(key, value);
    return value;
  };
}

/** Reads the value of each key, and returns them by their keys. */
async function readEach<Key, Value>(
  read: (key: Key) => Promise<Value>,
  keys: readonly Key[],
): Promise<ReadonlyMap<Key, Value>> {
  const values = new Map<Key, Value>();
  for (const key of new Set(keys)) values.set(key, await read(key));
  return values;
}
