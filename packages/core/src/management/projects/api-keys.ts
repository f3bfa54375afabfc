import type * as z from 'zod';

import { ServiceError } from '../../contract/errors.js';
import { toWireDate } from '../../contract/scalars.js';
import { API_KEY, hashKeyText, newKeyText } from '../../operations/projects/keys.js';
import { type ApiKey, type Project, newId } from '../../records/index.js';
import { plus } from '../../rules/billing-periods.js';
import type { Service } from '../../service.js';
import type { ApiKeyInput, ApiKeyRotation, ApiKeyWire, NewApiKey } from './schemas.js';

const HOUR_MS = 3_600_000;

export async function createApiKey(
  service: Service,
  project: Project,
  { name }: z.output<typeof ApiKeyInput>,
): Promise<NewApiKey> {
  const { record, text } = await newApiKey(service, project, name);
  await service.store.insertApiKey(record);
  return { ...apiKeyWire(record), key: text };
}

export async function listApiKeys(service: Service, project: Project): Promise<readonly ApiKeyWire[]> {
  return (await service.store.listApiKeys(project.id)).map(apiKeyWire);
}

/**
 * Replaces an API key by one with its name. The old key ends after the overlap; without one it is revoked, so
 * no clock that is set back opens it again. Throws `not_found`, or `conflict` for a key that ended or was
 * replaced.
 */
export async function rotateApiKey(
  service: Service,
  project: Project,
  id: string,
  { overlap_hours }: z.output<typeof ApiKeyRotation>,
): Promise<NewApiKey> {
  const old = await findApiKey(service, project, id);
  const { record, text } = await newApiKey(service, project, old.name);
  const now = record.createdAt;
  await service.store.transaction(async (store) => {
    if ((await store.expireApiKey(old.id, plus(now, overlap_hours * HOUR_MS))) === 'lost')
      throw new ServiceError('conflict', {
        message:
          'The key was revoked or replaced already. Create a new one, or rotate the one that replaced it.',
      });
    if (overlap_hours === 0) await store.revokeApiKey(old.id, now);
    await store.insertApiKey(record);
  });
  return { ...apiKeyWire(record), key: text };
}

export async function revokeApiKey(service: Service, project: Project, id: string): Promise<void> {
  const { id: found } = await findApiKey(service, project, id);
  await service.store.revokeApiKey(found, service.clock.now());
}

async function newApiKey(service: Service, project: Project, name: string | null) {
  const text = newKeyText(service.random, API_KEY);
  const record: ApiKey = {
    id: newId(service.random, 'key'),
    projectId: project.id,
    name,
    hash: await hashKeyText(service.crypto, text),
    createdAt: service.clock.now(),
    lastUsedAt: null,
    expiresAt: null,
    revokedAt: null,
  };
  return { record, text };
}

async function findApiKey({ store }: Service, project: Project, id: string): Promise<ApiKey> {
  const key = (await store.listApiKeys(project.id)).find((one) => one.id === id);
  if (key === undefined)
    throw new ServiceError('not_found', { message: 'No API key of this project has that id.' });
  return key;
}

function apiKeyWire(key: ApiKey): ApiKeyWire {
  return {
    id: key.id,
    name: key.name,
    created_at: toWireDate(key.createdAt),
    last_used_at: toWireDate(key.lastUsedAt),
    expires_at: toWireDate(key.expiresAt),
    revoked_at: toWireDate(key.revokedAt),
  };
}
