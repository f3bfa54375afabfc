import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** Where a mount finds the address of a client, by which calls without a valid key are limited. */
export interface ClientAddressOptions<Request extends IncomingMessage = IncomingMessage> {
  /**
   * The proxies in front of the process that append to `X-Forwarded-For`. Default: 0, which ignores the
   * header, because clients can write it.
   */
  readonly trustedProxies?: number;
  /**
   * Returns the address of the client instead, as vouched for by your framework or platform; null when
   * unknown. Give this or `trustedProxies`.
   */
  readonly clientAddress?: (request: Request) => string | null;
}

/** The shared address of unknown clients. */
export const UNKNOWN = 'unknown';

/** Throws a TypeError that names an option without use. */
export function requireClientAddress({ trustedProxies = 0, clientAddress }: ClientAddressOptions): void {
  if (!Number.isInteger(trustedProxies) || trustedProxies < 0) {
    throw new TypeError(`"trustedProxies" must be a whole number from 0 on; it is ${trustedProxies}.`);
  }
  if (clientAddress !== undefined && trustedProxies > 0) {
    throw new TypeError('"trustedProxies" has no effect with "clientAddress": give one of them.');
  }
}

/**
 * The address of a request: the peer of the socket, or behind `trustedProxies` proxies the entry of the
 * outermost one in `X-Forwarded-For`. Entries further left are of the client, and ignored. Too few entries,
 * or one that is no IP address, give the peer.
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

/** An IP address without a port, and without the IPv6 prefix of a mapped IPv4 address. */
function parseAddress(text: string): string | null {
  const bare = /^\[([^\]]+)\](:\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  const address = bare.replace(/^::ffff:(?=[\d.]+$)/i, '');
  return isIP(address) === 0 ? null : address;
}
