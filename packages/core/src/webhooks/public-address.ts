import { parseIpAddress } from '../contract/ip-address.js';

/** IPv4 blocks outside the public internet: IANA's special-purpose registry, multicast and reserved addresses. */
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

/** IPv6's global unicast addresses. All others are local, multicast or unassigned. */
const UNICAST_IPV6 = block('2000::/3');

/**
 * Blocks of global unicast that are not public: protocol assignments, documentation, and 6to4, which can embed a
 * private IPv4.
 */
const NON_PUBLIC_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map(block);

/** Blocks whose last 32 bits are the IPv4 address that is actually reached: mapped addresses and NAT64. */
const EMBEDDING_IPV4 = ['::ffff:0:0/96', '64:ff9b::/96'].map(block);

/**
 * Whether an IP address is on the public internet, so that a webhook sent to it cannot reach the service's own network
 * (SSRF). False for a text that is not an IP address. A sender checks every address before it connects.
 */
export function isPublicAddress(text: string): boolean {
  const address = parseIpAddress(text);
  if (address === null) return false;
  if (address.length === 4) return !NON_PUBLIC_IPV4.some((one) => contains(one, address));
  if (EMBEDDING_IPV4.some((one) => contains(one, address)))
    return isPublicAddress(address.slice(12).join('.'));
  return contains(UNICAST_IPV6, address) && !NON_PUBLIC_IPV6.some((one) => contains(one, address));
}

/** Top-level names that only resolve inside a private network. */
const PRIVATE_NAME = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|private|home\.arpa)$/;

/**
 * Whether a URL's host may be public: a public address, or a name of at least two labels that is not reserved for
 * private networks. A name resolves only when the sender connects, so the sender checks the resolved address again.
 */
export function isPublicHost({ hostname }: Pick<URL, 'hostname'>): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (parseIpAddress(host) !== null) return isPublicAddress(host);
  return host.includes('.') && !PRIVATE_NAME.test(host);
}

interface Block {
  readonly bytes: readonly number[];
  readonly bits: number;
}

function block(text: string): Block {
  const [address = '', bits] = text.split('/');
  const bytes = parseIpAddress(address);
  if (bytes === null) throw new Error(`Expected a block of addresses like 10.0.0.0/8, found ${text}.`);
  return { bytes, bits: Number(bits) };
}

function contains({ bytes, bits }: Block, address: readonly number[]): boolean {
  if (bytes.length !== address.length) return false;
  return bytes.every((byte, index) => {
    const mask = (0xff << (8 - Math.min(8, Math.max(0, bits - 8 * index)))) & 0xff;
    return (byte & mask) === ((address[index] ?? 0) & mask);
  });
}
