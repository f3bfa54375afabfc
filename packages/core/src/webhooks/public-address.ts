import { parseIpAddress } from '../contract/ip-address.js';

/** IPv4 blocks outside the internet: IANA's special-purpose registry, multicast, reserved addresses. */
const NON_PUBLIC_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
].map(block);

/**
 * IPv6's global unicast addresses. All others are local, multicast or unassigned, or embed an IPv4 address.
 */
const UNICAST_IPV6 = block('2000::/3');

/**
 * Blocks of global unicast that are not public: protocol assignments (Teredo and benchmarking among them),
 * documentation, and 6to4, which embeds an IPv4 address.
 */
const NON_PUBLIC_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map(block);

/**
 * Whether an IP address is on the public internet, so that a webhook sent to it cannot reach the service's
 * own network (SSRF). False for other texts, and for an IPv6 address that embeds an IPv4 address, because a
 * translator decides its target. A sender checks every address before it connects.
 *
 * No library has this table: it runs without Node, and lists the public part of IPv6, so that a block that
 * IANA assigns tomorrow is refused until it is listed.
 */
export function isPublicAddress(text: string): boolean {
  const address = parseIpAddress(text);
  if (address === null) return false;
  if (address.length === 4) return !NON_PUBLIC_IPV4.some((one) => contains(one, address));
  return contains(UNICAST_IPV6, address) && !NON_PUBLIC_IPV6.some((one) => contains(one, address));
}

/** Top-level names that only resolve inside a private network. */
const PRIVATE_NAME = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|private|home\.arpa)$/;

/**
 * Whether a URL's host may be public: a public address, or a name of two labels or more that is not reserved
 * for private networks. The sender checks the address to which a name resolves.
 */
export function isPublicHost({ hostname }: Pick<URL, 'hostname'>): boolean {
  const host = plainHost(hostname);
  if (parseIpAddress(host) !== null) return isPublicAddress(host);
  return host.includes('.') && !PRIVATE_NAME.test(host);
}

/** A URL's host without the brackets of an IPv6 address and without the dot after a complete name. */
export function plainHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

function block(text: string): AddressBlock {
  const parsed = parseBlock(text);
  if (parsed === null) throw new Error(`Expected a block of addresses like 10.0.0.0/8, found ${text}.`);
  return parsed;
}

/** A block of IP addresses: those whose first `bits` bits are those of `bytes`. */
export interface AddressBlock {
  /** 4 bytes for IPv4, 16 for IPv6. */
  readonly bytes: readonly number[];
  readonly bits: number;
}

/** Reads a block such as `10.0.0.0/8`, or a single address. Null when the text is neither. */
export function parseBlock(text: string): AddressBlock | null {
  const [address = '', bits, ...rest] = text.split('/');
  const bytes = parseIpAddress(address);
  if (bytes === null || rest.length > 0) return null;
  const most = 8 * bytes.length;
  if (bits === undefined) return { bytes, bits: most };
  return /^\d{1,3}$/.test(bits) && Number(bits) <= most ? { bytes, bits: Number(bits) } : null;
}

/** Whether an address, as its 4 or 16 bytes, is in a block. */
export function contains({ bytes, bits }: AddressBlock, address: readonly number[]): boolean {
  if (bytes.length !== address.length) return false;
  return bytes.every((byte, index) => {
    const mask = (0xff << (8 - Math.min(8, Math.max(0, bits - 8 * index)))) & 0xff;
    return (byte & mask) === ((address[index] ?? 0) & mask);
  });
}
