import { parseIpAddress } from '../contract/ip-address.js';

/** The bytes before the IPv4 address in an IPv6 address that stands for one, `::ffff:203.0.113.7`. */
const MAPPED_IPV4 = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];

/**
 * The name under which calls of a client without a valid key are counted: its IPv4 address, or the /64 of its
 * IPv6 address, which is usually one client (requests#anonymous-limit-by-ipv6-prefix). A text that is
 * no IP address stands for itself.
 */
export function anonymousCaller(ip: string): string {
  const [address = ''] = ip.split('%');
  const bytes = parseIpAddress(address);
  if (bytes === null) return ip;
  if (bytes.length === 4) return bytes.join('.');
  if (MAPPED_IPV4.every((byte, index) => bytes[index] === byte)) return bytes.slice(12).join('.');
  return bytes
    .slice(0, 8)
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}
