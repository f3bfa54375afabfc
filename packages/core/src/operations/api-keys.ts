import { ServiceError } from '../contract/errors.js';
import type { ApiKey, ApiKeyId, Project, ProjectId } from '../records/index.js';
import { base62, newId } from '../records/index.js';
import type { Service } from '../service.js';

/** A key as it is handed out: the only time anyone sees it (D1.2). */
export interface NewApiKey {
  readonly id: ApiKeyId;
  readonly key: string;
}

const KEY = /^SUB_[0-9A-Za-z]{43}$/;

/** D1.2: the use of a key is kept at most once a minute. */
const TOUCH_EVERY_MS = 60_000;

/** Makes a key for a project. */
export async function createApiKey(service: Service, projectId: ProjectId): Promise<NewApiKey> {
  const key = `SUB_${base62(service.random, 43)}`;
  const record: ApiKey = {
    id: newId(service.random, 'key'),
    projectId,
    hash: await hashOf(service, key),
    createdAt: service.clock.now(),
    lastUsedAt: null,
    revokedAt: null,
  };
  await service.store.insertApiKey(record);
  return { id: record.id, key };
}

/** Ends a key at once. */
export async function revokeApiKey(service: Service, id: ApiKeyId): Promise<void> {
  await service.store.revokeApiKey(id, service.clock.now());
}

/**
 * The project a key belongs to. Throws `missing_api_key` for a text that is no key and `invalid_api_key` for one that is
 * not known or was revoked. Keys are looked up by their hash, so nothing about a wrong one can be timed.
 */
export async function authenticate(service: Service, key: string | null): Promise<{ key: ApiKey; project: Project }> {
  if (key === null || !KEY.test(key)) throw new ServiceError('missing_api_key');
  const found = await service.store.findApiKey(await hashOf(service, key));
  if (found === null) throw new ServiceError('invalid_api_key');
  const now = service.clock.now();
  const lastUsedAt = found.key.lastUsedAt?.getTime() ?? 0;
  if (now.getTime() - lastUsedAt >= TOUCH_EVERY_MS) await service.store.touchApiKey(found.key.id, now);
  return found;
}

async function hashOf(service: Service, key: string): Promise<string> {
  const digest = await service.crypto.digest(new TextEncoder().encode(key));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
