import type { EndpointWire } from './schemas.js';
import { toWireDate } from '../../contract/scalars.js';
import type { Endpoint } from '../../records/index.js';
import { liveSecrets } from '../../rules/signing-secrets.js';

/** An endpoint as its project sees it. `canSign` says whether the sealing key opens its secrets. */
export function endpointWire(endpoint: Endpoint, canSign: boolean, now: Date): EndpointWire {
  const [, previous] = liveSecrets(endpoint.secrets, now);
  return {
    id: endpoint.id,
    url: endpoint.url,
    types: [...endpoint.types],
    enabled: endpoint.enabled,
    disabled_reason: endpoint.disabledReason,
    failing_since: toWireDate(endpoint.failingSince),
    can_sign: canSign,
    previous_secret_expires_at: toWireDate(previous?.expiresAt ?? null),
    created_at: toWireDate(endpoint.createdAt),
  };
}
