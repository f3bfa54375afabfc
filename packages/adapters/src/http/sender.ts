import { isIP } from 'node:net';
import type { HttpSender } from '@subrail/core/ports';
import { isPublicAddress } from '@subrail/core/webhooks';
import { checkedLookup, resolveWithSystem, type ResolveHost } from './checked-lookup.js';
import { sendRequest } from './request.js';

/** How the sender resolves names, and what it may call. */
export interface HttpSenderOptions {
  /** Allows private addresses and plain http, for development on one machine. Default: false. */
  readonly allowPrivate?: boolean;
  /** Resolves host names. Default: as the operating system does. */
  readonly resolve?: ResolveHost;
}

/**
 * Creates the HttpSender port on node:http and node:https. It checks the addresses a name resolves to and connects to
 * exactly those, so a name that changes after the check cannot reach a private network. It follows no redirect, reuses
 * no connection, and ends every post at its deadline. It always returns a value and never throws.
 *
 * @example
 * const sender = createHttpSender();
 * // For development, together with the setting `privateTargets` of the service:
 * const local = createHttpSender({ allowPrivate: true });
 */
export function createHttpSender(options: HttpSenderOptions = {}): HttpSender {
  const { allowPrivate = false, resolve = resolveWithSystem } = options;
  const isAllowed = allowPrivate ? () => true : isPublicAddress;
  const schemes = allowPrivate ? ['https:', 'http:'] : ['https:'];
  const lookup = checkedLookup(resolve, isAllowed);
  return {
    async post(post) {
      if (!URL.canParse(post.url)) return { kind: 'refused', reason: 'the endpoint is not a valid URL' };
      const url = new URL(post.url);
      if (!schemes.includes(url.protocol)) {
        return {
          kind: 'refused',
          reason: `the scheme is ${url.protocol}, but must be ${schemes.join(' or ')}`,
        };
      }
      // Node looks up names only, so an address in the URL is checked here.
      const host = url.hostname.replace(/^\[|\]$/g, '');
      if (isIP(host) !== 0 && !isAllowed(host))
        return { kind: 'refused', reason: `${host} is not a public address` };
      return sendRequest(url, post, lookup);
    },
  };
}
