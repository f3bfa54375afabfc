import type * as z from 'zod';

import { ServiceError } from '../../contract/errors.js';
import { toWireDate } from '../../contract/scalars.js';
import { hashKeyText, MANAGEMENT_KEY, newKeyText } from '../../operations/projects/keys.js';
import { newId, type ManagementKey, type ManagementKeyId } from '../../records/index.js';
import type { Service } from '../../service.js';
import type { ManagementKeyInput, ManagementKeyWire, NewManagementKey } from './schemas.js';

export async function createManagementKey(
  service: Service,
  { name, access }: z.output<typeof ManagementKeyInput>,
): Promise<NewManagementKey> {
  const text = newKeyText(service.random, MANAGEMENT_KEY);
  const key: ManagementKey = {
    id: newId(service.random, 'mkey'),
    name,
    access,
    hash: await hashKeyText(service.crypto, text),
    createdAt: service.wallClock.now(),
    lastUsedAt: null,
    revokedAt: null,
  };
  await service.store.insertManagementKey(key);
  return { ...managementKeyWire(key), key: text };
}

export async function listManagementKeys({ store }: Service): Promise<readonly ManagementKeyWire[]> {
  return (await store.listManagementKeys()).map(managementKeyWire);
}

export async function revokeManagementKey(service: Service, id: ManagementKeyId): Promise<void> {
  const keys = await service.store.listManagementKeys();
  if (!keys.some((key) => key.id === id)) {
    throw new ServiceError('not_found', { message: 'No management key has that id.' });
  }
  await service.store.revokeManagementKey(id, service.wallClock.now());
}

function managementKeyWire(key: ManagementKey): ManagementKeyWire {
  return {
    id: key.id,
    name: key.name,
    access: key.access,
    created_at: toWireDate(key.createdAt),
    last_used_at: toWireDate(key.lastUsedAt),
    revoked_at: toWireDate(key.revokedAt),
  };
}
