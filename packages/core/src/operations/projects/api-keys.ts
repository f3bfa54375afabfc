import type { NewApiKey } from '../../contract/management.js';
import { type ApiKey, type ApiKeyId, type ProjectId, newId } from '../../records/index.js';
import type { Service } from '../../service.js';
import { API_KEY, hashKeyText, newKeyText } from './key-text.js';

/** Creates an API key of a project. Only its hash is stored. */
export async function createApiKey(service: Service, projectId: ProjectId): Promise<NewApiKey> {
  const key = newKeyText(service.random, API_KEY);
  const record: ApiKey = {
    id: newId(service.random, 'key'),
    projectId,
    hash: await hashKeyText(service.crypto, key),
    createdAt: service.clock.now(),
    lastUsedAt: null,
    revokedAt: null,
  };
  await service.store.insertApiKey(record);
  return { id: record.id, key };
}

/** Revokes an API key at once. */
export async function revokeApiKey(service: Service, id: ApiKeyId): Promise<void> {
  await service.store.revokeApiKey(id, service.clock.now());
}
