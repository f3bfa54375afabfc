import type { EndpointId, EndpointStore, ManagementStore, ProjectId } from '@subrail/core/ports';
import { readEach } from '../query/related-rows.js';
import type { RowOf } from '../tables/record-table.js';
import { WriteConflict, lostOnConflict, type Handle, type Session } from '../query/session.js';
import { columnsExcept, pick, prepare } from '../query/statement.js';
import { endpointTable } from '../tables/webhooks.js';

const readEndpoint = endpointTable.decoder();

export function endpointStore(
  db: Handle,
): (session: Session) => EndpointStore & Pick<ManagementStore, 'listEndpointsAfter'> {
  const insertEndpoint = prepare((values: RowOf<typeof endpointTable>) =>
    db
      .insertInto('endpoints')
      .values(pick(values, endpointTable.columns))
      .onConflict((conflict) =>
        conflict.columns(['project_id', 'url']).where('deleted_at', 'is', null).doNothing(),
      ),
  );
  const updateEndpoint = prepare((values: RowOf<typeof endpointTable> & { previousVersion: number }) =>
    db
      .updateTable('endpoints')
      .set(pick(values, columnsExcept(endpointTable.columns, ['id'])))
      .where('id', '=', values.id)
      .where('version', '=', values.previousVersion),
  );
  const selected = db
    .selectFrom('endpoints')
    .select(endpointTable.selection())
    .where('deleted_at', 'is', null);
  const listEndpoints = prepare((values: { projectId: ProjectId }) =>
    selected.where('project_id', '=', values.projectId).orderBy('created_at', 'desc').orderBy('id', 'desc'),
  );
  const findEndpoint = prepare(
    (values: { projectId: ProjectId; id: EndpointId }) =>
      selected.where('id', '=', values.id).where('project_id', '=', values.projectId),
    readEndpoint,
  );
  const listEndpointsAfter = prepare((values: { after: EndpointId; limit: number }) =>
    selected.where('id', '>', values.after).orderBy('id').limit(values.limit),
  );

  return (session) => ({
    async insertEndpoint(endpoint) {
      const written = await insertEndpoint.write(session.handle, endpointTable.encode(endpoint));
      return written === 1 ? 'inserted' : 'taken';
    },
    updateEndpoint: (endpoint) =>
      lostOnConflict(session, async (handle) => {
        const row = { ...endpointTable.encode(endpoint), previousVersion: endpoint.version - 1 };
        if ((await updateEndpoint.write(handle, row)) !== 1) throw new WriteConflict();
        return 'updated' as const;
      }),
    async listEndpoints(projectId) {
      const rows = await listEndpoints.all(session.handle, { projectId });
      const { readable: endpoints, unreadable } = readEach(rows, readEndpoint);
      return { endpoints, unreadable };
    },
    findEndpoint: (projectId, id) => findEndpoint.first(session.handle, { projectId, id }),
    async listEndpointsAfter(after, limit) {
      // Every id follows the empty text.
      const from = { after: after ?? ('' as EndpointId), limit };
      const rows = await listEndpointsAfter.all(session.handle, from);
      const { readable: endpoints, unreadable } = readEach(rows, readEndpoint);
      const last = rows.length === limit ? rows.at(-1) : undefined;
      return { endpoints, unreadable, next: last === undefined ? null : (last['id'] as EndpointId) };
    },
  });
}
