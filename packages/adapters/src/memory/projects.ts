import type { StoreOperations } from '@subrail/core/ports';
import { newestFirst } from './order.js';
import type { Tables } from './tables.js';
import { mustBeNew } from './unexpected.js';

type ProjectOperations = Pick<
  StoreOperations,
  | 'insertProject'
  | 'findProject'
  | 'listProjects'
  | 'insertApiKey'
  | 'findApiKey'
  | 'touchApiKey'
  | 'revokeApiKey'
>;

export function projectOperations({ projects, apiKeys }: Tables): ProjectOperations {
  return {
    async insertProject(project) {
      mustBeNew('project', projects.insert([project]));
    },
    async findProject(id) {
      return projects.get(id);
    },
    async listProjects() {
      return newestFirst(projects.all(), 'createdAt');
    },

    async insertApiKey(apiKey) {
      mustBeNew('API key', apiKeys.insert([apiKey]));
    },
    async findApiKey(hash) {
      const apiKey = apiKeys.where('hash', hash).find((row) => row.revokedAt === null);
      const project = apiKey === undefined ? null : projects.get(apiKey.projectId);
      return apiKey === undefined || project === null ? null : { key: apiKey, project };
    },
    async touchApiKey(id, at) {
      const apiKey = apiKeys.get(id);
      if (apiKey === null || (apiKey.lastUsedAt !== null && apiKey.lastUsedAt >= at)) return;
      apiKeys.put([{ ...apiKey, lastUsedAt: at }]);
    },
    async revokeApiKey(id, at) {
      const apiKey = apiKeys.get(id);
      if (apiKey?.revokedAt === null) apiKeys.put([{ ...apiKey, revokedAt: at }]);
    },
  };
}
