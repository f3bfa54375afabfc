import type {
  EventFilter,
  EventId,
  EventStore,
  ProjectId,
  SubscriptionEvent,
  SubscriptionId,
} from '@subrail/core/ports';
import { sql } from 'kysely';
import { keysetPage } from '../query/keyset.js';
import { readEach } from '../query/related-rows.js';
import type { Handle, Session } from '../query/session.js';
import { prepare } from '../query/statement.js';
import { eventTable } from '../tables/webhooks.js';
import { projectCounters } from './project-counters.js';

const read = eventTable.decoder();

/** The largest value of the column on every engine. */
const BEYOND_SEQUENCES = 2 ** 31 - 1;

const BEYOND_POSITIONS = Number.MAX_SAFE_INTEGER;

/** The rows of a further read, after one whose rows were partly too old. */
const ROWS_OF_A_FURTHER_READ = 500;

/** The filter and limits of a list. Its statements leave null filters out. */
interface Listed extends EventFilter {
  readonly projectId: ProjectId;
  readonly since: number;
}

/** Events, and the body that their deliveries share. */
export function eventStore(db: Handle): (session: Session) => EventStore {
  const findEvent = prepare(
    (values: { projectId: ProjectId; id: EventId }) =>
      db
        .selectFrom('events')
        .select(eventTable.selection())
        .where('id', '=', values.id)
        .where('project_id', '=', values.projectId)
        .where('held_state', 'is', null),
    read,
  );
  const writeBody = prepare((values: { id: EventId; body: string }) =>
    db.updateTable('events').set({ body: values.body }).where('id', '=', values.id).where('body', 'is', null),
  );
  const readBody = prepare((values: { id: EventId }) =>
    db.selectFrom('events').select('body').where('id', '=', values.id),
  );

  const firstHeld = prepare((values: { id: SubscriptionId }) =>
    db
      .selectFrom('events')
      .select('sequence')
      .where('held_state', 'is not', null)
      .where('subscription_id', '=', values.id)
      .orderBy('subscription_id')
      .orderBy('sequence')
      .limit(1),
  );
  const wakeDeliveries = prepare((values: { id: SubscriptionId; before: number; at: number }) =>
    db
      .updateTable('deliveries')
      .set({ next_attempt_at: values.at })
      .where('state', '=', sql.lit('pending' as const))
      .where('next_attempt_at', 'is', null)
      .where(
        'event_id',
        'in',
        db
          .selectFrom('events')
          .select('id')
          .where('subscription_id', '=', values.id)
          .where('sequence', '<', values.before),
      ),
  );
  const takeCounters = projectCounters(db);

  /** The place of an event in a list, and the events before a place, of whatever date. */
  const list = (byType: boolean, bySubscription: boolean) => {
    const listed = (values: EventFilter & { projectId: ProjectId }) => {
      let events = db.selectFrom('events').where('project_id', '=', values.projectId);
      if (byType) events = events.where('type', '=', values.type);
      if (bySubscription) events = events.where('subscription_id', '=', values.subscriptionId);
      return events;
    };
    return {
      place: prepare((values: Listed & { id: EventId }) =>
        listed(values)
          .select('position')
          // A held event has no position.
          .where('position', 'is not', null)
          .where('created_at', '>=', values.since)
          .where('id', '=', values.id),
      ),
      before: prepare((values: EventFilter & { projectId: ProjectId; before: number; limit: number }) =>
        listed(values)
          .select(eventTable.selection())
          .select(['created_at', 'position', 'latest_at'])
          .where('position', '<', values.before)
          .orderBy('position', 'desc')
          .limit(values.limit),
      ),
    };
  };
  const ofAllTypes = { ofProject: list(false, false), ofSubscription: list(false, true) };
  const ofOneType = { ofProject: list(true, false), ofSubscription: list(true, true) };

  return ({ handle, atomically }) => ({
    findEvent: (projectId, id) => findEvent.first(handle, { projectId, id }),
    listEvents(projectId, since, filter, page) {
      const lists = filter.type === null ? ofAllTypes : ofOneType;
      const list = filter.subscriptionId === null ? lists.ofProject : lists.ofSubscription;
      const listed = { ...filter, projectId };
      /** Reads on until there are enough, or the rest is too old. */
      const follow = async (after: number | null, limit: number) => {
        const found: SubscriptionEvent[] = [];
        const sinceMs = since.getTime();
        let before = after ?? BEYOND_POSITIONS;
        for (let most = limit; ; most = Math.max(limit, ROWS_OF_A_FURTHER_READ)) {
          const rows = await list.before.all(handle, { ...listed, before, limit: most });
          for (const row of rows) {
            if (row.latest_at !== null && row.latest_at < sinceMs) return found;
            // A released event may be older than those below it.
            if (row.created_at >= sinceMs) found.push(read(row));
            if (found.length === limit) return found;
          }
          if (rows.length < most) return found;
          before = rows.at(-1)?.position ?? 0;
        }
      };
      return keysetPage(
        page,
        async (id) =>
          (await list.place.first(handle, { ...listed, since: since.getTime(), id }))?.position ?? null,
        follow,
      );
    },
    saveBodiesIfAbsent: (bodies) =>
      atomically(async (transaction) => {
        const stored: string[] = [];
        for (const { eventId: id, body } of bodies) {
          const written = await writeBody.write(transaction, { id, body });
          const kept = written === 1 ? body : (await readBody.first(transaction, { id }))?.body;
          if (kept === undefined || kept === null)
            throw new Error(`Event ${id} is not in the database: its body cannot be saved.`);
          stored.push(kept);
        }
        return stored;
      }),
    async listHeldEvents(limit, after) {
      let following = handle.selectFrom('events').where('held_state', 'is not', null);
      if (after !== null)
        following = following.where(
          sql<boolean>`(subscription_id, sequence) > (${after.subscriptionId}, ${after.sequence})`,
        );
      const rows = await following
        .select(eventTable.selection())
        .orderBy('subscription_id')
        .orderBy('sequence')
        .limit(limit)
        .execute();
      const { readable: held, unreadable } = readEach(rows, read);
      const last = rows.length === limit ? rows.at(-1) : undefined;
      const next =
        last === undefined
          ? null
          : {
              subscriptionId: last['subscription_id'] as SubscriptionId,
              sequence: Number(last['sequence']),
            };
      return { held, unreadable, next };
    },
    releaseEvents: (subscriptionId, snapshots, at) =>
      atomically(async (transaction) => {
        // First, because it locks the subscription against commits.
        await transaction
          .updateTable('subscriptions')
          .set({ version: sql`version + 1` })
          .where('id', '=', subscriptionId)
          .execute();
        const found = await transaction
          .selectFrom('events')
          .select(['id', 'project_id', 'created_at'])
          .where('held_state', 'is not', null)
          .where('subscription_id', '=', subscriptionId)
          .orderBy('subscription_id')
          .orderBy('sequence')
          .execute();
        const released = found.filter(({ id }) => snapshots.has(id));
        const [first] = released;
        if (first !== undefined) {
          const counters = await takeCounters(transaction, {
            projectId: first.project_id,
            events: released.length,
            latestAt: Math.max(...released.map((row) => row.created_at)),
            receipts: 0,
          });
          let position = counters.position;
          for (const { id } of released) {
            const data = JSON.stringify(snapshots.get(id) ?? null);
            await transaction
              .updateTable('events')
              .set({ data, held_state: null, position: ++position, latest_at: counters.latestAt })
              .where('id', '=', id)
              .execute();
          }
        }
        const stillHeld = await firstHeld.first(transaction, { id: subscriptionId });
        const before = stillHeld?.sequence ?? BEYOND_SEQUENCES;
        await wakeDeliveries.write(transaction, { id: subscriptionId, before, at: at.getTime() });
        await transaction
          .updateTable('subscriptions')
          .set({ has_held_events: stillHeld === null ? 0 : 1 })
          .where('id', '=', subscriptionId)
          .execute();
        return released.length;
      }),
  });
}
