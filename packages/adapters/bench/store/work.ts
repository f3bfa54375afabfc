import type { Store, Subscription } from '@subrail/core/ports';
import { aCommit, anAttempt, anEvent, aTransfer, MADE_AT } from '@subrail/core/testing';
import type { Bare } from './engines.js';

/** An instant at which every subscription is due. */
export const FAR = new Date(MADE_AT.getTime() + 1_000 * 86_400_000);

export const LEASE_MS = 60_000;

/** The same done by the store and by bare statements. */
interface Work {
  readonly store: (store: Store, sample: Subscription, at: number) => Promise<unknown>;
  readonly bare: (bare: Bare, sample: Subscription, at: number) => Promise<unknown>;
}

/** How often each subscription was written, for its next version. Those of two stores may have the same ids. */
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
    store: (store, { projectId, wallet }) =>
      store.listForAccess(projectId, { by: 'wallet', value: wallet }, null),
    bare: (bare, { projectId, wallet }) =>
      bare.run('select * from subscriptions where project_id = ? and wallet = ?', [projectId, wallet]),
  },
  'page of 20 events': {
    store: (store, { projectId }) =>
      store.listEvents(
        projectId,
        new Date(0),
        { type: null, subscriptionId: null },
        { limit: 20, startingAfter: null },
      ),
    bare: (bare, { projectId }) =>
      bare.run('select * from events where project_id = ? order by position desc limit 20', [projectId]),
  },
  commit: {
    store: (store, sample) => committed(store.commit([aCommit(next(sample))])),
    bare: (bare, { id }) => bare.run(UPDATE, [FAR.getTime(), id]),
  },
  'settled charge': {
    store: (store, sample) => {
      const subscription = next(sample);
      const of = { subscriptionId: sample.id, periodStart: FAR };
      return committed(
        store.commit([
          aCommit(subscription, {
            transfers: [aTransfer({ ...of, state: 'landed' })],
            attempts: [anAttempt(of)],
            events: [
              anEvent({
                projectId: sample.projectId,
                subscriptionId: sample.id,
                sequence: subscription.lastSequence,
              }),
            ],
          }),
        ]),
      );
    },
    bare: (bare, { id, projectId }) => bare.transaction(() => settleBare(bare, id, projectId)),
  },
  'claim of 100': {
    store: (store, _, at) => store.claimDue(new Date(FAR.getTime() + (at + 1) * 1e9), 100, LEASE_MS),
    bare: (bare, _, at) =>
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
  },
};

async function settleBare(bare: Bare, id: string, projectId: string): Promise<void> {
  const now = FAR.getTime();
  const [transfer, attempt, event] = [aTransfer(), anAttempt(), anEvent()];
  await bare.run(UPDATE, [now, id]);
  await bare.run(
    `insert into transfers (id, subscription_id, kind, signature, wire, amount, period_start, last_valid_block_height, state,
      not_found_count, long_wait_recorded, created_at) values (?, ?, 'charge', ?, 'AQID', '1', ?, '1', 'landed', 0, 0, ?)`,
    [transfer.id, id, transfer.signature, now, now],
  );
  await bare.run(
    `insert into attempts (id, subscription_id, attempted_at, outcome, amount, retry, period_start, project_id)
      values (?, ?, ?, 'paid', '1', 0, ?, ?)`,
    [attempt.id, id, now, now, projectId],
  );
  const [counter] = await bare.run(
    'update event_positions set last = last + 1 where project_id = ? returning last',
    [projectId],
  );
  await bare.run(
    `insert into events (id, project_id, subscription_id, type, created_at, sequence, data, detail, position)
      values (?, ?, ?, 'subscription.renewed', ?, 1000, '{}', '{}', ?)`,
    [event.id, projectId, id, now, (counter as { readonly last: number }).last],
  );
}

async function committed(commit: Promise<'committed' | 'lost'>): Promise<void> {
  if ((await commit) !== 'committed') throw new Error('A commit of the bench was lost.');
}
