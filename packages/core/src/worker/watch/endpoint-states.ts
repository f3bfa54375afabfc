import type { Endpoint, EndpointId } from '../../records/index.js';
import type { EndpointBatch } from '../../ports/store.js';
import type { Service } from '../../service.js';
import { ENDPOINT_ENDINGS } from '../../service/endpoint-endings.js';
import { openSecret } from '../../webhooks/signing.js';

/** How many endpoints are read at once. */
const BATCH = 100;

/**
 * Derives from the records of all endpoints which of them the service turned off, and for which this process cannot sign. Whoever saw it
 * happen may have been another process, or this one before it was started again (alerts#endpoints).
 */
export async function watchEndpointStates(service: Service): Promise<void> {
  let after: EndpointId | null = null;
  do {
    const { endpoints, next }: EndpointBatch = await service.store.listEndpointsAfter(after, BATCH);
    for (const endpoint of endpoints) await watchEndpointState(service, endpoint);
    after = next;
  } while (after !== null);
}

async function watchEndpointState(service: Service, endpoint: Endpoint): Promise<void> {
  const { alerts } = service;
  const { id, projectId, url, enabled, disabledReason } = endpoint;
  // Its path and query may hold a secret of its owner.
  const facts = { project: projectId, host: new URL(url).host };
  if (disabledReason !== null)
    alerts.seen({ kind: 'endpoint_turned_off', subject: id, facts: { ...facts, reason: disabledReason } });
  if (!enabled) return;
  if (await canSign(service, endpoint)) alerts.over('endpoint_cannot_sign', id, ENDPOINT_ENDINGS.signed);
  else alerts.seen({ kind: 'endpoint_cannot_sign', subject: id, facts });
}

/** Whether one of the live secrets opens: then deliveries are signed by it. */
async function canSign({ crypto, wallClock }: Service, { secrets }: Endpoint): Promise<boolean> {
  const now = wallClock.now();
  for (const secret of secrets) {
    if (secret.expiresAt !== null && secret.expiresAt <= now) continue;
    const opens = await openSecret(crypto, secret).then(
      () => true,
      () => false,
    );
    if (opens) return true;
  }
  return false;
}
