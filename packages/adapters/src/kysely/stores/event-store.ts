import type { EventId, EventStore, ProjectId } from '@subrail/core/ports';
import { keysetPage } from '../query/keyset.js';
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
        async (id) =>
          (await listed.select('position').where('id', '=', id).executeTakeFirst())?.position ?? null,
        async (after, limit) => {
          const rest = after === null ? listed : listed.where('position', '<', after);
          return (await rest.orderBy('position', 'desc').limit(limit).execute()).map(read);
        },
      );
    },
    saveBodyIfAbsent: (id, body) =>
      atomically(async (transaction) => {
        await writeBody.write(transaction, { id, body });
        const stored = (await readBody.first(transaction, { id }))?.body;
        if (stored === undefined || stored === null)
          throw new Error(`Event ${id} is not in the database: its body cannot be saved.`);
        return stored;
      }),
  });
}
