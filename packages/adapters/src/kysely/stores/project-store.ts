import type { ApiKeyId, ManagementStore, ProjectId, ProjectStore } from '@subrail/core/ports';
import { insertRecords } from '../query/insert-rows.js';
import type { KeyCache } from '../query/key-cache.js';
import type { Handle, Session } from '../query/session.js';
import { columnsExcept, pick, prepare } from '../query/statement.js';
import type { RowOf } from '../tables/record-table.js';
import { apiKeyTable, projectTable } from '../tables/projects.js';
import { keyWrites } from './key-writes.js';

const readProject = projectTable.decoder();
const readKey = apiKeyTable.decoder('key_');
const readProjectOfKey = projectTable.decoder('project_');

type Projects = ProjectStore &
  Pick<
    ManagementStore,
    'updateProject' | 'deleteProject' | 'listApiKeys' | 'touchApiKey' | 'revokeApiKey' | 'expireApiKey'
  >;

/** The tables of which a project without plans and endpoints may have rows. */
const OF_PROJECT = [
  'api_keys',
  'sessions',
  'links',
  'project_looks',
  'sellers',
  'mail_settings',
  'refused_addresses',
] as const;

/**
 * Projects and their API keys.
 * @param keys answers sessions outside of a transaction; null when the database cannot say that a key changed
 */
export function projectStore(db: Handle, keys: KeyCache | null): (session: Session) => Projects {
  const insertProject = insertRecords(db, 'projects', projectTable);
  const updateProject = prepare((values: RowOf<typeof projectTable>) =>
    db
      .updateTable('projects')
      .set(pick(values, columnsExcept(projectTable.columns, ['id'])))
      .where('id', '=', values.id),
  );
  const projects = db.selectFrom('projects').select(projectTable.selection());
  const findProject = prepare(
    (values: { id: ProjectId }) => projects.where('id', '=', values.id),
    readProject,
  );
  const listProjects = prepare(
    () => projects.orderBy('created_at', 'desc').orderBy('id', 'desc'),
    readProject,
  );

  const insertKey = insertRecords(db, 'api_keys', apiKeyTable);
  const findKey = prepare(
    (values: { hash: string }) =>
      db
        .selectFrom('api_keys')
        .innerJoin('projects', 'projects.id', 'api_keys.project_id')
        .select(apiKeyTable.selection('key_'))
        .select(projectTable.selection('project_'))
        .where('api_keys.hash', '=', values.hash)
        .where('api_keys.revoked_at', 'is', null),
    (row) => ({ key: readKey(row), project: readProjectOfKey(row) }),
  );
  const listKeys = prepare(
    (values: { projectId: ProjectId }) =>
      db
        .selectFrom('api_keys')
        .select(apiKeyTable.selection('key_'))
        .where('project_id', '=', values.projectId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc'),
    readKey,
  );
  const { touchKey, revokeKey } = keyWrites(db, 'api_keys');
  const expireKey = prepare((values: { id: ApiKeyId; at: number }) =>
    db
      .updateTable('api_keys')
      .set({ expires_at: values.at })
      .where('id', '=', values.id)
      .where('revoked_at', 'is', null)
      .where('expires_at', 'is', null),
  );

  const hasRowIn = (handle: Handle, table: 'plans' | 'endpoints', projectId: ProjectId) =>
    handle.selectFrom(table).select('id').where('project_id', '=', projectId).limit(1).executeTakeFirst();

  /** Does a write that may change cached keys. */
  async function changing<T>(write: Promise<T>): Promise<T> {
    try {
      return await write;
    } finally {
      keys?.drop();
    }
  }

  return ({ handle, traits, atomically, isTransaction }) => ({
    insertProject: (project) => insertProject(handle, [project]),
    async updateProject(project) {
      const written = await changing(updateProject.write(handle, projectTable.encode(project)));
      if (written !== 1) throw new Error(`There is no project ${project.id}.`);
    },
    findProject: (id) => findProject.first(handle, { id }),
    listProjects: () => listProjects.all(handle, {}),
    deleteProject: (id) =>
      changing(
        atomically(async (step) => {
          const project = step.selectFrom('projects').select('id').where('id', '=', id);
          // So that nothing is inserted for the project before its deletion.
          await (traits.locksRows ? project.forUpdate() : project).execute();
          for (const table of ['plans', 'endpoints'] as const)
            if ((await hasRowIn(step, table, id)) !== undefined) return 'in_use';
          for (const table of OF_PROJECT) await step.deleteFrom(table).where('project_id', '=', id).execute();
          await step.deleteFrom('projects').where('id', '=', id).execute();
          return 'deleted';
        }),
      ),

    insertApiKey: (key) => insertKey(handle, [key]),
    async findApiKey(hash) {
      const read = () => findKey.first(handle, { hash });
      // A transaction sees its own writes, which others do not see yet.
      return keys === null || isTransaction ? read() : keys.find(hash, read);
    },
    listApiKeys: (projectId) => listKeys.all(handle, { projectId }),
    async touchApiKey(id, at) {
      await touchKey.write(handle, { id, at: at.getTime() });
      keys?.forget(id);
    },
    async revokeApiKey(id, at) {
      await changing(revokeKey.write(handle, { id, at: at.getTime() }));
    },
    async expireApiKey(id, at) {
      const written = await changing(expireKey.write(handle, { id, at: at.getTime() }));
      return written === 1 ? 'expired' : 'lost';
    },
  });
}
