import { isIP } from 'node:net';
import type { HttpSender } from '@subrail/core/ports';
import { isPublicAddress } from '@subrail/core/webhooks';
import { checkedLookup, resolveHost, type Resolve } from './checked-lookup.js';
import { exchange } from './exchange.js';

export interface HttpSenderOptions {
  /** Private addresses and plain http are let pass: for development on one machine only. False when absent. */
  readonly allowPrivate?: boolean;
  /** How names become addresses; the operating system's way when absent. */
  readonly resolve?: Resolve;
}

/**
 * The HttpSender port on node:http and node:https. Names are resolved here, and a connection goes to an address that was
 * checked, so that a name which changes its mind after the check cannot lead inside. No redirect is followed, no
 * connection is kept, and everything ends at the deadline. Always answers with a value.
 */
export function createHttpSender(options: HttpSenderOptions = {}): HttpSender {
  const { allowPrivate = false, resolve = resolveHost } = options;
  const isAllowed = allowPrivate ? () => true : isPublicAddress;
  const schemes = allowPrivate ? ['https:', 'http:'] : ['https:'];
  const lookup = checkedLookup(resolve, isAllowed);
  return {
    async post(post) {
      if (!URL.canParse(post.url)) return { kind: 'refused', reason: 'this is not an address' };
      const url = new URL(post.url);
      if (!schemes.includes(url.protocol)) {
        return { kind: 'refused', reason: `${url.protocol} is not ${schemes.join(' or ')}` };
      }
      // Only names are looked up: an address in the URL is connected to as it stands.
      const host = url.hostname.replace(/^\[|\]$/g, '');
      if (isIP(host) !== 0 && !isAllowed(host)) return { kind: 'refused', reason: `${host} is not public` };
      return exchange(url, post, lookup);
    },
  };
}
