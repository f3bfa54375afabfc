import type { ProjectStore } from '@subrail/core/ports';
import { newestFirst } from '../order.js';
import { requireNew } from '../table.js';
import type { Tables } from '../tables.js';

/** Projects and their API keys. */
export function projectStore({ projects, apiKeys, plans, endpoints }: Tables): ProjectStore {
  return {
    async insertProject(project) {
      requireNew('project', projects.insert([project]));
    },
    async updateProject(project) {
      if (projects.get(project.id) === null) throw new Error(`There is no project ${project.id}.`);
      projects.put([project]);
    },
    async findProject(id) {
      return projects.get(id);
    },
    async listProjects() {
      return newestFirst(projects.all(), 'createdAt');
    },
    async deleteProject(id) {
      const hasEndpoint = endpoints.all().some(({ projectId }) => projectId === id);
      if (hasEndpoint || plans.where('project', id).length > 0) return 'in_use';
      apiKeys.delete(apiKeys.where('project', id).map((key) => key.id));
      projects.delete([id]);
      return 'deleted';
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
    async listApiKeys(projectId) {
      return newestFirst(apiKeys.where('project', projectId), 'createdAt');
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
    async expireApiKey(id, at) {
      const apiKey = apiKeys.get(id);
      if (apiKey === null || apiKey.revokedAt !== null || apiKey.expiresAt !== null) return 'lost';
      apiKeys.put([{ ...apiKey, expiresAt: at }]);
      return 'expired';
    },
  };
}
