import type { EndpointId, ProjectId, StoreOperations } from '@subrail/core/ports';
import type { RowOf } from './codec/record-table.js';
import { LostRace, unlessLost, type Handle, type Session } from './session.js';
import { changing, pick, prepare } from './statement.js';
import { endpointTable } from './tables/webhooks.js';

type EndpointOperations = Pick<
  StoreOperations,
  'insertEndpoint' | 'updateEndpoint' | 'listEndpoints' | 'findEndpoint'
>;

const read = endpointTable.decoder();

export function endpointOperations(db: Handle): (session: Session) => EndpointOperations {
  const insert = prepare((given: RowOf<typeof endpointTable>) =>
    db
      .insertInto('endpoints')
      .values(pick(given, endpointTable.columns))
      .onConflict((clash) => clash.columns(['project_id', 'url']).doNothing()),
  );
  const update = prepare((given: RowOf<typeof endpointTable> & { before: number }) =>
    db
      .updateTable('endpoints')
      .set(pick(given, changing(endpointTable.columns, ['id'])))
      .where('id', '=', given.id)
      .where('version', '=', given.before),
  );
  const endpoints = db.selectFrom('endpoints').select(endpointTable.selection());
  const ofProject = prepare((given: { projectId: ProjectId }) =>
    endpoints.where('project_id', '=', given.projectId).orderBy('created_at', 'desc').orderBy('id', 'desc'),
  );
  const find = prepare((given: { projectId: ProjectId; id: EndpointId }) =>
    endpoints.where('id', '=', given.id).where('project_id', '=', given.projectId),
  );

  return (session) => ({
    async insertEndpoint(endpoint) {
      const written = await insert.write(session.handle, endpointTable.encode(endpoint));
      return written === 1 ? 'inserted' : 'taken';
    },
    updateEndpoint: (endpoint) =>
      unlessLost(session, async (handle) => {
        const row = { ...endpointTable.encode(endpoint), before: endpoint.version - 1 };
        if ((await update.write(handle, row)) !== 1) throw new LostRace();
        return 'updated' as const;
      }),
    async listEndpoints(projectId) {
      return (await ofProject.all(session.handle, { projectId })).map(read);
    },
    async findEndpoint(projectId, id) {
      const row = await find.first(session.handle, { projectId, id });
      return row === null ? null : read(row);
    },
  });
}
