import { ServiceError } from '../../contract/errors.js';
import type { Service } from '../../service.js';

/** The address of a page of the service, which is below the path of the public one. */
export function pageUrl({ settings }: Pick<Service, 'settings'>, path: `/${string}`): string {
  const { origin, pathname } = new URL(settings.publicUrl);
  return origin + pathname.replace(/\/+$/, '') + path;
}

/**
 * Refuses addresses to return to that this network does not allow: plain http is for trials on one machine,
 * so only devnet takes it (checkout-sessions#addresses-to-return-to).
 * @param addresses by the name of their field
 */
export function requireReturnUrls(
  { chain }: Pick<Service, 'chain'>,
  addresses: Readonly<Record<string, string | undefined>>,
): void {
  if (chain.network === 'devnet') return;
  const sentences = Object.entries(addresses).flatMap(([field, address]) =>
    address === undefined || new URL(address).protocol === 'https:'
      ? []
      : [`"${field}" must be an https address: http is for devnet alone.`],
  );
  if (sentences.length > 0) throw new ServiceError('invalid_request', { sentences });
}
