import type { ApiKeyId, Project, ProjectId, ProjectStore } from '@subrail/core/ports';
import type { Handle, Session } from '../query/session.js';
import { columnsExcept, pick, prepare } from '../query/statement.js';
import { apiKeyTable, projectTable } from '../tables/projects.js';

const readProject = projectTable.decoder();
const readKey = apiKeyTable.decoder('key_');
const readProjectOfKey = projectTable.decoder('project_');

/** Projects and their API keys. */
export function projectStore(db: Handle): (session: Session) => ProjectStore {
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

  return ({ handle }) => ({
    async insertProject(project) {
      await insertProject.write(handle, projectTable.encode(project));
    },
    async updateProject(project) {
      const written = await updateProject.write(handle, projectTable.encode(project));
      if (written !== 1) throw new Error(`There is no project ${project.id}.`);
    },
    async findProject(id) {
      const row = await findProject.first(handle, { id });
      return row === null ? null : readProject(row);
    },
    async listProjects(): Promise<readonly Project[]> {
      return (await listProjects.all(handle, {})).map(readProject);
    },

    async insertApiKey(key) {
      await insertKey.write(handle, apiKeyTable.encode(key));
    },
    async findApiKey(hash) {
      const row = await findKey.first(handle, { hash });
      return row === null ? null : { key: readKey(row), project: readProjectOfKey(row) };
    },
    async touchApiKey(id, at) {
      await touchKey.write(handle, { id, at: at.getTime() });
    },
    async revokeApiKey(id, at) {
      await revokeKey.write(handle, { id, at: at.getTime() });
    },
  });
}
