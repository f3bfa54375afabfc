import type { EndpointWire } from '../../contract/endpoint.js';
import type { Endpoint } from '../../records/index.js';
import type { Service } from '../../service.js';
import { signingKeys } from '../../webhooks/signing-keys.js';
import { endpointWire } from '../../wire/endpoint.js';

/** An endpoint as its project sees it, with whether the sealing key of this process opens its secrets. */
export async function describeEndpoint(
  { crypto, clock }: Service,
  endpoint: Endpoint,
): Promise<EndpointWire> {
  const now = clock.now();
  const canSign = await signingKeys(crypto, endpoint, now).then(
    () => true,
    () => false,
  );
  return endpointWire(endpoint, canSign, now);
}
