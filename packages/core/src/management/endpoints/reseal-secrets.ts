import type { CryptoProvider, EndpointBatch } from '../../ports/index.js';
import type { Endpoint, EndpointId, SigningSecret } from '../../records/index.js';
import { liveSecrets } from '../../rules/signing-secrets.js';
import type { Service } from '../../service.js';
import type { ResealedSecrets } from './schemas.js';

const BATCH = 100;

/**
 * Seals the stored signing secrets of all projects with the newest key. Hosts may run meanwhile, and an
 * interrupted run may be repeated.
 */
export async function resealSecrets(
  service: Pick<Service, 'store' | 'crypto' | 'wallClock'>,
): Promise<ResealedSecrets> {
  const counts = { resealed: 0, unchanged: 0 };
  const not_opened: { project: string; endpoint: string }[] = [];
  const unreadable: string[] = [];
  let after: EndpointId | null = null;
  for (;;) {
    const batch: EndpointBatch = await service.store.listEndpointsAfter(after, BATCH);
    unreadable.push(...batch.unreadable.map(({ id }) => id));
    for (const endpoint of batch.endpoints) {
      const result = await resealEndpoint(service, endpoint);
      if (result === 'not_opened') not_opened.push({ project: endpoint.projectId, endpoint: endpoint.id });
      else if (result !== 'deleted') counts[result] += 1;
    }
    if (batch.next === null) return { ...counts, not_opened, unreadable };
    after = batch.next;
  }
}

/**
 * Seals the secrets of an endpoint that open. An endpoint that changes meanwhile is read again: a rotation
 * wins.
 */
async function resealEndpoint(
  { store, crypto, wallClock }: Pick<Service, 'store' | 'crypto' | 'wallClock'>,
  listed: Endpoint,
): Promise<'resealed' | 'unchanged' | 'not_opened' | 'deleted'> {
  let endpoint: Endpoint | null = listed;
  while (endpoint !== null) {
    const results = await Promise.all(endpoint.secrets.map((secret) => resealSecret(crypto, secret)));
    const secrets = results.map(({ after }) => after);
    const isSame = results.every(({ before, after }) => before === after);
    const changed: Endpoint = { ...endpoint, version: endpoint.version + 1, secrets };
    if (isSame || (await store.updateEndpoint(changed)) === 'updated') {
      // An expired secret signs nothing any more, so nobody has to rotate it.
      const closed = results.filter(({ opens }) => !opens).map(({ before }) => before);
      if (liveSecrets(closed, wallClock.now()).length > 0) return 'not_opened';
      return isSame ? 'unchanged' : 'resealed';
    }
    endpoint = await store.findEndpoint(listed.projectId, listed.id);
  }
  return 'deleted';
}

/** A secret as the newest key seals it. A secret that no key opens stays as it is. */
async function resealSecret(crypto: Pick<CryptoProvider, 'reseal'>, before: SigningSecret) {
  try {
    const sealed = await crypto.reseal(before.sealed);
    return { before, after: sealed === null ? before : { ...before, sealed }, opens: true };
  } catch {
    return { before, after: before, opens: false };
  }
}
