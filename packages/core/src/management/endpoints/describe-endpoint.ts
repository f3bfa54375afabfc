import type { EndpointWire } from './schemas.js';
import type { Endpoint } from '../../records/index.js';
import type { Service } from '../../service.js';
import { signingKeys } from '../../webhooks/signing-keys.js';
import { endpointWire } from './endpoint-wire.js';

/** An endpoint as its project sees it, with whether the sealing key of this process opens its secrets. */
export async function describeEndpoint(
  { crypto, wallClock }: Service,
  endpoint: Endpoint,
): Promise<EndpointWire> {
  const now = wallClock.now();
  const { closed } = await signingKeys(crypto, endpoint, now);
  return endpointWire(endpoint, closed === 0, now);
}
