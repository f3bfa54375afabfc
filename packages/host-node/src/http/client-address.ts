import { isIP } from 'node:net';

/**
 * The address a request came from: the peer of the socket, or, behind `trustedProxies` proxies, the entry that the
 * outermost of them appended to `X-Forwarded-For`. Entries further left were written by the client and are ignored. If
 * there are fewer entries than proxies, or the entry is not an IP address, the result is the peer's address.
 */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: number,
): string {
  const peerAddress = parseAddress(peer ?? '') ?? 'unknown';
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
