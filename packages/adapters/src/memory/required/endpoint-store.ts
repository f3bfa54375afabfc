import type { EndpointStore } from '@subrail/core/ports';
import { newestFirst } from '../order.js';
import { requireNew } from '../table.js';
import type { Tables } from '../tables.js';

export function endpointStore({ endpoints }: Tables): EndpointStore {
  return {
    async insertEndpoint(row) {
      const conflict = endpoints.insert([row]);
      if (conflict === 'url') return 'taken';
      requireNew('endpoint', conflict);
      return 'inserted';
    },
    async updateEndpoint(row) {
      if (endpoints.get(row.id)?.version !== row.version - 1) return 'lost';
      return endpoints.put([row]) === null ? 'updated' : 'lost';
    },
    async listEndpoints(projectId) {
      return { endpoints: newestFirst(endpoints.where('project', projectId)), unreadable: [] };
    },
    async findEndpoint(projectId, id) {
      const found = endpoints.get(id);
      return found?.projectId === projectId && found.deletedAt === null ? found : null;
    },
  };
}
