import type { EventId, EventStore, ProjectId } from '@subrail/core/ports';
import { isAfter, keysetPage } from '../query/keyset.js';
import type { Handle, Session } from '../query/session.js';
import { prepare } from '../query/statement.js';
import { eventTable } from '../tables/webhooks.js';

const read = eventTable.decoder();

/** Events, and the body that every delivery of an event repeats. */
export function eventStore(db: Handle): (session: Session) => EventStore {
  const findEvent = prepare((values: { projectId: ProjectId; id: EventId }) =>
    db
      .selectFrom('events')
      .select(eventTable.selection())
      .where('id', '=', values.id)
      .where('project_id', '=', values.projectId),
  );
  const writeBody = prepare((values: { id: EventId; body: string }) =>
    db.updateTable('events').set({ body: values.body }).where('id', '=', values.id).where('body', 'is', null),
  );
  const readBody = prepare((values: { id: EventId }) =>
    db.selectFrom('events').select('body').where('id', '=', values.id),
  );

  return ({ handle, atomically }) => ({
    async findEvent(projectId, id) {
      const row = await findEvent.first(handle, { projectId, id });
      return row === null ? null : read(row);
    },
    listEvents(projectId, since, filter, page) {
      let listed = handle
        .selectFrom('events')
        .select(eventTable.selection())
        .where('project_id', '=', projectId)
        .where('created_at', '>=', since.getTime());
      if (filter.type !== null) listed = listed.where('type', '=', filter.type);
      if (filter.subscriptionId !== null)
        listed = listed.where('subscription_id', '=', filter.subscriptionId);
      return keysetPage(
        page,
        async (id) => {
          const row = await listed.where('id', '=', id).executeTakeFirst();
          return row === undefined ? null : { id, at: read(row).createdAt };
        },
        async (after, limit) => {
          const rest = after === null ? listed : listed.where(isAfter('created_at', 'id', after));
          const ordered = rest.orderBy('created_at', 'desc').orderBy('id', 'desc');
          return (await ordered.limit(limit).execute()).map(read);
        },
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
  });
}
