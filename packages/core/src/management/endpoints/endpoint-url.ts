import { ServiceError } from '../../contract/errors.js';
import type { Settings } from '../../service.js';
import { webhookTargets } from '../../webhooks/webhook-targets.js';

const IN_DEVELOPMENT = ', unless the setting privateTargets allows it, in development';

/**
 * The normal form of an address, without its fragment, which is never sent: two spellings are one address.
 * Throws `invalid_request` for an address that no webhook may reach. Resolved addresses are checked at each
 * connection.
 */
export function endpointUrl(text: string, { privateTargets }: Settings): string {
  if (!URL.canParse(text)) throw refused('must be an address');
  const url = new URL(text);
  const refusal = webhookTargets(privateTargets).refusal(url);
  if (refusal !== null) throw refused(refusal + (privateTargets === true ? '' : IN_DEVELOPMENT));
  if (url.username !== '' || url.password !== '') throw refused('must not contain a user name or a password');
  url.hash = '';
  if (url.href.length > 2_048) throw refused('must be at most 2048 characters once written out');
  return url.href;
}

function refused(why: string): ServiceError {
  return new ServiceError('invalid_request', { sentences: [`"url" ${why}.`] });
}
