import { isIP } from 'node:net';

/**
 * The address a request came from (requests#client-address-behind-proxies): the socket's peer, or, behind `trustedProxies` proxies that each append the
 * address they saw to `X-Forwarded-For`, the entry that the outermost of them wrote. What a client wrote itself stands
 * further left and is never believed; an entry that is no address, or fewer entries than proxies, leaves the peer.
 */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: number,
): string {
  const seen = plain(peer ?? '') ?? 'unknown';
  if (trustedProxies === 0 || forwardedFor === undefined) return seen;
  const entries = forwardedFor.split(',');
  const entry = entries[entries.length - trustedProxies] ?? '';
  return plain(entry.trim()) ?? seen;
}

/** An address without the port some proxies add, and IPv4 in its own form. Null when it is none. */
function plain(text: string): string | null {
  const bare = /^\[([^\]]+)\](:\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  const address = bare.replace(/^::ffff:(?=[\d.]+$)/i, '');
  return isIP(address) === 0 ? null : address;
}
