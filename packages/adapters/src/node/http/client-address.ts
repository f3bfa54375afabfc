import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** Where a mount finds the address of a client. Calls without a valid key are limited by it. */
export interface ClientAddressOptions<Request extends IncomingMessage = IncomingMessage> {
  /**
   * How many proxies in front of the process append to `X-Forwarded-For`. Default: 0, the header is ignored, because
   * clients can write it themselves.
   */
  readonly trustedProxies?: number;
  /**
   * Returns the client's address instead, such as what your framework or platform vouches for; null when it is unknown.
   * Give either this or `trustedProxies`.
   */
  readonly clientAddress?: (request: Request) => string | null;
}

/** All requests whose client is unknown are counted against this one address. */
export const UNKNOWN = 'unknown';

/** Throws a TypeError that names the option when the options are of no use. */
export function requireClientAddress({ trustedProxies = 0, clientAddress }: ClientAddressOptions): void {
  if (!Number.isInteger(trustedProxies) || trustedProxies < 0) {
    throw new TypeError(`"trustedProxies" must be a whole number from 0 on; it is ${trustedProxies}.`);
  }
  if (clientAddress !== undefined && trustedProxies > 0) {
    throw new TypeError('"trustedProxies" has no effect with "clientAddress": give one of them.');
  }
}

/**
 * The address a request came from: the peer of the socket, or, behind `trustedProxies` proxies, the entry that the
 * outermost of them appended to `X-Forwarded-For`. Entries further left were written by the client and are ignored. If
 * there are fewer entries than proxies, or the entry is not an IP address, the result is the peer's address.
 */
export function forwardedAddress(
  peer: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: number,
): string {
  const peerAddress = parseAddress(peer ?? '') ?? UNKNOWN;
  if (trustedProxies === 0 || forwardedFor === undefined) return peerAddress;
  const entries = forwardedFor.split(',');
  const entry = entries[entries.length - trustedProxies] ?? '';
  return parseAddress(entry.trim()) ?? peerAddress;
}

/** An IP address without the port that some proxies add, and without the IPv6 prefix of a mapped IPv4 address. */
function parseAddress(text: string): string | null {
  const bare = /^\[([^\]]+)\](:\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  const address = bare.replace(/^::ffff:(?=[\d.]+$)/i, '');
  return isIP(address) === 0 ? null : address;
}
