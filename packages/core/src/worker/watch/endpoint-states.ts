import type { Endpoint, EndpointId } from '../../records/index.js';
import type { EndpointBatch } from '../../ports/store.js';
import type { Service } from '../../service.js';
import { ENDPOINT_ENDINGS } from '../../service/alert-kinds.js';
import { signingKeys } from '../../webhooks/signing-keys.js';
import { factsOf } from '../deliveries/endpoint-health.js';

/** How many endpoints are read at once. */
const BATCH = 100;

/**
 * Reports from the records which endpoints the service turned off, and for which this process cannot sign:
 * another process, or an earlier run of this one, may have seen it happen (alerts#endpoints).
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
  const { alerts, crypto, wallClock } = service;
  const { id, enabled, disabledReason } = endpoint;
  const facts = factsOf(endpoint);
  if (disabledReason !== null)
    alerts.seen({ kind: 'endpoint_turned_off', subject: id, facts: { ...facts, reason: disabledReason } });
  if (!enabled) return;
  const { opened } = await signingKeys(crypto, endpoint, wallClock.now());
  if (opened.length > 0) alerts.over('endpoint_cannot_sign', id, ENDPOINT_ENDINGS.signed);
  else alerts.seen({ kind: 'endpoint_cannot_sign', subject: id, facts });
}
