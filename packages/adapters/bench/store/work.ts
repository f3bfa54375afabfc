import type { Commit, FullStore, Subscription } from '@subrail/core/ports';
import { aCommit, anAttempt, anEvent, aTransfer, MADE_AT } from '@subrail/core/testing';
import type { BareRows } from './bare-rows.js';
import type { Bare } from './bare-statements.js';

/** An instant at which every subscription is due. */
export const FAR = new Date(MADE_AT.getTime() + 1_000 * 86_400_000);

export const LEASE_MS = 60_000;

/** A call, with the commit that it writes or, for a read, a commit of the subscription. `at` counts calls. */
export type Call = (change: Commit, at: number) => Promise<unknown>;

/** The same done by the store, by bare statements, and in memory by bare rows. */
export interface Work {
  /** Makes the records that are written, before anything is measured. */
  readonly change: (sample: Subscription) => Commit;
  readonly store: (store: FullStore, change: Commit, at: number) => Promise<unknown>;
  readonly statements: (bare: Bare, change: Commit, at: number) => Promise<unknown>;
  readonly rows: (bare: BareRows, change: Commit, at: number) => unknown;
}

/** How often each subscription was written, by object because two stores may have equal ids. */
const written = new WeakMap<Subscription, number>();

function next(subscription: Subscription): Subscription {
  const times = (written.get(subscription) ?? 0) + 1;
  written.set(subscription, times);
  return {
    ...subscription,
    version: subscription.version + times,
    lastSequence: subscription.lastSequence + times,
  };
}

const UPDATE = `update subscriptions set version = version + 1, last_sequence = last_sequence + 1, wake_at = ? where id = ?`;

/** What is measured. */
export const WORK: Readonly<Record<string, Work>> = {
  'access read': {
    change: aCommit,
    store: (store, { subscription: { projectId, wallet } }) =>
      store.listForAccess(projectId, { by: 'wallet', value: wallet }, null),
    statements: (bare, { subscription: { projectId, wallet } }) =>
      bare.run('select * from subscriptions where project_id = ? and wallet = ?', [projectId, wallet]),
    rows: (bare, { subscription: { wallet } }) => bare.ofWallet(wallet),
  },
  'page of 20 events': {
    change: aCommit,
    store: (store, { subscription: { projectId } }) =>
      store.listEvents(
        projectId,
        new Date(0),
        { type: null, subscriptionId: null },
        { limit: 20, startingAfter: null },
      ),
    statements: (bare, { subscription: { projectId } }) =>
      bare.run('select * from events where project_id = ? order by position desc limit 20', [projectId]),
    rows: (bare) =>
      bare.events
        .slice(-20)
        .reverse()
        .map((event) => ({ ...event })),
  },
  commit: {
    change: (sample) => aCommit(next(sample)),
    store: (store, change) => committed(store.commit([change])),
    statements: (bare, { subscription: { id } }) => bare.run(UPDATE, [FAR.getTime(), id]),
    rows: (bare, { subscription }) => bare.subscriptions.set(subscription.id, subscription),
  },
  'settled charge': {
    change: (sample) => {
      const subscription = next(sample);
      const of = { subscriptionId: sample.id, periodStart: FAR };
      return aCommit(subscription, {
        transfers: [aTransfer({ ...of, state: 'landed' })],
        attempts: [anAttempt(of)],
        events: [
          anEvent({
            projectId: sample.projectId,
            subscriptionId: sample.id,
            sequence: subscription.lastSequence,
          }),
        ],
      });
    },
    store: (store, change) => committed(store.commit([change])),
    statements: (bare, change) => bare.transaction(() => settle(bare, change)),
    rows: (bare, { subscription, transfers, attempts, events }) => {
      bare.subscriptions.set(subscription.id, subscription);
      for (const transfer of transfers) bare.transfers.set(transfer.id, transfer);
      for (const attempt of attempts) bare.attempts.set(attempt.id, attempt);
      bare.events.push(...events);
    },
  },
  'claim of 100': {
    change: aCommit,
    store: (store, _, at) => store.claimDue(new Date(FAR.getTime() + (at + 1) * 1e9), 100, LEASE_MS),
    statements: (bare, _, at) =>
      bare.transaction(async () => {
        const now = FAR.getTime() + (at + 100) * 1e9;
        const due = await bare.run(
          `select * from subscriptions where id in
            (select subscription_id from subscription_dates where wake_at <= ? order by wake_at limit 100)`,
          [now],
        );
        const places = due.map(() => '?').join(', ');
        await bare.run(
          `update subscriptions set wake_at = ?, version = version + 1 where id in (${places})`,
          [now + LEASE_MS, ...due.map((row) => (row as { readonly id: string }).id)],
        );
      }),
    rows: (bare, _, at) => bare.claim(100, new Date(FAR.getTime() + at * 1e9 + LEASE_MS)),
  },
};

async function settle(bare: Bare, change: Commit): Promise<void> {
  const { id, projectId, planId } = change.subscription;
  const now = FAR.getTime();
  const [[transfer], [attempt], [event]] = [change.transfers, change.attempts, change.events];
  if (transfer === undefined || attempt === undefined || event === undefined)
    throw new Error('A settled charge has a transfer, an attempt and an event.');
  await bare.run(UPDATE, [now, id]);
  await bare.run(
    `insert into transfers (id, subscription_id, kind, signature, payment_index, wire, amount, period_start,
      last_valid_block_height, state, not_found_count, long_wait_recorded, created_at)
      values (?, ?, 'charge', ?, 0, 'AQID', '1', ?, '1', 'landed', 0, 0, ?)`,
    [transfer.id, id, transfer.signature, now, now],
  );
  await bare.run(
    `insert into attempts (id, subscription_id, attempted_at, outcome, amount, retry, period_start, project_id, plan_id)
      values (?, ?, ?, 'paid', '1', 0, ?, ?, ?)`,
    [attempt.id, id, now, now, projectId, planId],
  );
  const [counter] = await bare.run(
    'update project_counters set last_position = last_position + 1 where project_id = ? returning last_position',
    [projectId],
  );
  await bare.run(
    `insert into events (id, project_id, subscription_id, type, created_at, sequence, data, detail, position, latest_at)
      values (?, ?, ?, 'subscription.renewed', ?, 1000, '{}', '{}', ?, ?)`,
    [event.id, projectId, id, now, (counter as { readonly last_position: number }).last_position, now],
  );
}

async function committed(commit: Promise<'committed' | 'lost'>): Promise<void> {
  if ((await commit) !== 'committed') throw new Error('A commit of the bench was lost.');
}
