import { isIP } from 'node:net';
import type { HttpSender, PrivateTargets } from '@subrail/core/ports';
import { webhookTargets } from '@subrail/core/webhooks';
import { checkedLookup, type ResolveHost } from './checked-lookup.js';
import { Connections } from './connections.js';
import { sendRequest } from './request.js';
import { createNameResolver } from './resolve-names.js';

/** What the sender may call, how it resolves names, and what it keeps of connections. */
export interface HttpSenderOptions {
  /**
   * Allows private addresses and plain http, for development: true for all, or a list of hosts and address blocks, such
   * as `['localhost:3000', '10.1.0.0/16']`. Default: false.
   */
  readonly allowPrivate?: PrivateTargets;
  /**
   * Resolves host names. Default: by the machine's hosts file, then by its name servers, with a time limit for each name
   * of its own. A name that is not complete, which the machine would complete by its search domains, is not found.
   */
  readonly resolve?: ResolveHost;
  /** How long a connection that is not in use stays open, in milliseconds. Default: 4,000. */
  readonly idleMs?: number;
  /** How many connections that are not in use stay open; 0 for none. Default: 256. */
  readonly mostIdle?: number;
}

/** An HttpSender that keeps connections open. */
export interface NodeHttpSender extends HttpSender {
  /**
   * Closes the connections that are not in use, and from then on keeps none: those in use close when their answer ends.
   * A sender that is not closed keeps no process alive.
   */
  close(): void;
}

/**
 * Creates the HttpSender port on node:http and node:https. It checks the addresses a name resolves to and connects to
 * exactly those, so a name that changes after the check cannot reach a private network. It follows no redirect. It ends
 * every post at its deadline, which counts from the call: looking up the name, connecting, sending and reading share it.
 * It always returns a value and never throws.
 *
 * A connection is used again for the same scheme, host and port, for at most a minute, and goes to the address that was
 * checked when it was opened. An answer that is longer than the excerpt costs its connection. When a connection that is
 * used again breaks before any byte of an answer, the post is sent once more on a new one, within the same deadline: a
 * server may have closed it just then. So one attempt may reach an endpoint twice, with the same `webhook-id`.
 *
 * Names are looked up side by side: a name server that is silent about one name delays the posts to that name only.
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
      // Node looks up names only, so an address in the URL is checked here.
      const host = url.hostname.replace(/^\[|\]$/g, '');
      if (isIP(host) !== 0 && !isAllowed(host))
        return { kind: 'refused', reason: `${host} is not a public address` };
      return sendRequest(url, post, connections, checkedLookup(resolve, isAllowed));
    },
    close: () => connections.close(),
  };
}
