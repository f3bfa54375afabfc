import { isIP } from 'node:net';
import type { HttpSender, PrivateTargets } from '@subrail/core/ports';
import { webhookTargets } from '@subrail/core/webhooks';
import { checkedLookup, type ResolveHost } from './checked-lookup.js';
import { Connections } from './connections.js';
import { sendRequest } from './request.js';
import { createNameResolver } from './resolve-names.js';

/** What a sender may call, how it resolves names, and its idle connections. */
export interface HttpSenderOptions {
  /**
   * Allows private addresses and plain http, for development: true for all, or hosts and address blocks, such
   * as `['localhost:3000', '10.1.0.0/16']`. Default: false.
   */
  readonly allowPrivate?: PrivateTargets;
  /**
   * Resolves host names. Default: the hosts file, then the name servers, with a time limit for each name.
   * Search domains are not used.
   */
  readonly resolve?: ResolveHost;
  /** The time for which an idle connection stays open, in milliseconds. Default: 4,000. */
  readonly idleMs?: number;
  /** The most idle connections; 0 for none. Default: 256. */
  readonly mostIdle?: number;
}

/** An HttpSender that keeps connections open. */
export interface NodeHttpSender extends HttpSender {
  /** Closes idle connections, and those in use after their answer. An open sender keeps no process alive. */
  close(): void;
}

/**
 * Creates the HttpSender port on node:http and node:https. It connects to exactly the addresses that it
 * checked, so a name that changes meanwhile reaches no private network. It follows no redirect. The deadline
 * of a post counts from the call and covers the lookup, connecting, sending and reading. It always returns a
 * value and never throws.
 *
 * A connection is reused for the same scheme, host and port, for at most a minute. An answer longer than the
 * excerpt costs its connection. When a reused connection breaks before any byte of an answer, the post is
 * sent again on a new one, within the same deadline: the server may have closed it just then. So one attempt
 * may reach an endpoint twice, with the same `webhook-id`.
 *
 * Names are looked up side by side: a name server that is silent about one name delays only its posts.
 *
 * @throws TypeError that names the entry of `allowPrivate` which cannot be read
 * @example
 * const sender = createHttpSender();
 * // For development, together with the setting `privateTargets` of the service:
 * const local = createHttpSender({ allowPrivate: ['localhost:3000'] });
 */
export function createHttpSender(options: HttpSenderOptions = {}): NodeHttpSender {
  const { allowPrivate = false, resolve = createNameResolver(), idleMs = 4_000, mostIdle = 256 } = options;
  const targets = webhookTargets(allowPrivate);
  const connections = new Connections({ idleMs, mostIdle });
  return {
    async post(post) {
      if (!URL.canParse(post.url)) return { kind: 'refused', reason: 'the endpoint is not a valid URL' };
      const url = new URL(post.url);
      const refusal = targets.refusal(url);
      if (refusal !== null) return { kind: 'refused', reason: `the endpoint ${refusal}` };
      const isAllowed = (address: string) => targets.allows(url, address);
      // Node looks up names only, so an address is checked here.
      const host = url.hostname.replace(/^\[|\]$/g, '');
      if (isIP(host) !== 0 && !isAllowed(host))
        return { kind: 'refused', reason: `${host} is not a public address` };
      return sendRequest(url, post, connections, checkedLookup(resolve, isAllowed));
    },
    close: () => connections.close(),
  };
}
