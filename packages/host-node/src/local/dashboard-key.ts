import { join } from 'node:path';
import type { Billing } from '@subrail/core';
import { readPrivateFile, writePrivateFile } from '../state/private-files.js';

/**
 * The management key with which a local host opens its dashboard: the one in its folder, or a new one when
 * the service does not accept that any more.
 */
export async function ensureDashboardKey(billing: Billing, folder: string): Promise<string> {
  const path = join(folder, 'dashboard-key');
  const stored = readPrivateFile(path);
  if (stored !== null && (await isAccepted(billing, stored))) return stored;
  const { key } = await billing.management.createKey({ name: 'Local dashboard', access: 'write' });
  writePrivateFile(path, key);
  return key;
}

async function isAccepted(billing: Billing, key: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await billing.handler(new Request('http://localhost/manage/v1/projects', { headers }));
  return response.status === 200;
}
