import type { ProjectStore } from '@subrail/core/ports';
import { newestFirst } from '../order.js';
import { requireNew } from '../table.js';
import type { Tables } from '../tables.js';

export function projectStore({ projects, apiKeys }: Tables): ProjectStore {
  return {
    async insertProject(project) {
      requireNew('project', projects.insert([project]));
    },
    async findProject(id) {
      return projects.get(id);
    },
    async listProjects() {
      return newestFirst(projects.all());
    },

    async insertApiKey(apiKey) {
      requireNew('API key', apiKeys.insert([apiKey]));
    },
    async findApiKey(hash) {
      const apiKey = apiKeys.find('hash', hash);
      if (apiKey === null || apiKey.revokedAt !== null) return null;
      const project = projects.get(apiKey.projectId);
      return project === null ? null : { key: apiKey, project };
    },
  };
}
