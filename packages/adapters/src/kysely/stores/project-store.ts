import type { ApiKeyId, ManagementStore, Project, ProjectId, ProjectStore } from '@subrail/core/ports';
import type { KeyCache } from '../query/key-cache.js';
import type { Handle, Session } from '../query/session.js';
import { columnsExcept, pick, prepare } from '../query/statement.js';
import { apiKeyTable, projectTable } from '../tables/projects.js';

const readProject = projectTable.decoder();
const readKey = apiKeyTable.decoder('key_');
const readProjectOfKey = projectTable.decoder('project_');

type Projects = ProjectStore &
  Pick<
    ManagementStore,
    'updateProject' | 'deleteProject' | 'listApiKeys' | 'touchApiKey' | 'revokeApiKey' | 'expireApiKey'
  >;

/**
 * Projects and their API keys.
 * @param keys what a session outside of a transaction may answer from; null for a database that cannot say when it is out of date
 */
export function projectStore(db: Handle, keys: KeyCache | null): (session: Session) => Projects {
  const insertProject = prepare((values: ReturnType<typeof projectTable.encode>) =>
    db.insertInto('projects').values(pick(values, projectTable.columns)),
  );
  const updateProject = prepare((values: ReturnType<typeof projectTable.encode>) =>
    db
      .updateTable('projects')
      .set(pick(values, columnsExcept(projectTable.columns, ['id'])))
      .where('id', '=', values.id),
  );
  const findProject = prepare((values: { id: ProjectId }) =>
    db.selectFrom('projects').select(projectTable.selection()).where('id', '=', values.id),
  );
  const listProjects = prepare(() =>
    db
      .selectFrom('projects')
      .select(projectTable.selection())
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc'),
  );

  const insertKey = prepare((values: ReturnType<typeof apiKeyTable.encode>) =>
    db.insertInto('api_keys').values(pick(values, apiKeyTable.columns)),
  );
  const findKey = prepare((values: { hash: string }) =>
    db
      .selectFrom('api_keys')
      .innerJoin('projects', 'projects.id', 'api_keys.project_id')
      .select(apiKeyTable.selection('key_'))
      .select(projectTable.selection('project_'))
      .where('api_keys.hash', '=', values.hash)
      .where('api_keys.revoked_at', 'is', null),
  );
  const listKeys = prepare((values: { projectId: ProjectId }) =>
    db
      .selectFrom('api_keys')
      .select(apiKeyTable.selection('key_'))
      .where('project_id', '=', values.projectId)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc'),
  );
  const touchKey = prepare((values: { id: ApiKeyId; at: number }) =>
    db
      .updateTable('api_keys')
      .set({ last_used_at: values.at })
      .where('id', '=', values.id)
      .where((key) => key.or([key('last_used_at', 'is', null), key('last_used_at', '<', values.at)])),
  );
  const revokeKey = prepare((values: { id: ApiKeyId; at: number }) =>
    db
      .updateTable('api_keys')
      .set({ revoked_at: values.at })
      .where('id', '=', values.id)
      .where('revoked_at', 'is', null),
  );
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

  async function readKeyOfProject(handle: Handle, hash: string) {
    const row = await findKey.first(handle, { hash });
    return row === null ? null : { key: readKey(row), project: readProjectOfKey(row) };
  }

  /** Does a write after which the keys that were read are out of date. */
  async function changing<T>(write: Promise<T>): Promise<T> {
    try {
      return await write;
    } finally {
      keys?.drop();
    }
  }

  return ({ handle, traits, atomically, isTransaction }) => ({
    async insertProject(project) {
      await insertProject.write(handle, projectTable.encode(project));
    },
    async updateProject(project) {
      const written = await changing(updateProject.write(handle, projectTable.encode(project)));
      if (written !== 1) throw new Error(`There is no project ${project.id}.`);
    },
    async findProject(id) {
      const row = await findProject.first(handle, { id });
      return row === null ? null : readProject(row);
    },
    async listProjects(): Promise<readonly Project[]> {
      return (await listProjects.all(handle, {})).map(readProject);
    },
    deleteProject: (id) =>
      changing(
        atomically(async (step) => {
          const project = step.selectFrom('projects').select('id').where('id', '=', id);
          // Nothing can be inserted for the project between the look for it and the deletion.
          await (traits.locksRows ? project.forUpdate() : project).execute();
          for (const table of ['plans', 'endpoints'] as const)
            if ((await hasRowIn(step, table, id)) !== undefined) return 'in_use';
          await step.deleteFrom('api_keys').where('project_id', '=', id).execute();
          await step.deleteFrom('projects').where('id', '=', id).execute();
          return 'deleted';
        }),
      ),

    async insertApiKey(key) {
      await insertKey.write(handle, apiKeyTable.encode(key));
    },
    async findApiKey(hash) {
      const read = () => readKeyOfProject(handle, hash);
      // A transaction sees what it wrote, and other callers do not see it yet.
      return keys === null || isTransaction ? read() : keys.find(hash, read);
    },
    async listApiKeys(projectId) {
      return (await listKeys.all(handle, { projectId })).map(readKey);
    },
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
