/** A block of addresses that are not public, and the addresses next to it, where those are public. */
interface Block {
  readonly name: string;
  readonly first: string;
  readonly last: string;
  /** The address before the first one; null when it is not public either. */
  readonly before: string | null;
  /** The address after the last one; null when it is not public either. */
  readonly after: string | null;
}

const LAST = 'ffff:ffff:ffff:ffff:ffff:ffff';

/** Every block that webhooks may not go to, written out and not computed as the code does it. */
export const BLOCKS: readonly Block[] = (
  [
    ['this network', '0.0.0.0', '0.255.255.255', null, '1.0.0.0'],
    ['private', '10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
    ['carrier-grade NAT', '100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
    ['loopback', '127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
    ['link-local', '169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
    ['private', '172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
    ['protocol assignments', '192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
    ['documentation', '192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
    ['6to4 relays', '192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
    ['private', '192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
    ['benchmarking', '198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
    ['documentation', '198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
    ['documentation', '203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
    ['multicast', '224.0.0.0', '239.255.255.255', '223.255.255.255', null],
    ['reserved, and broadcast', '240.0.0.0', '255.255.255.255', null, null],
    ['unspecified, loopback and IPv4-compatible', '::', '::ffff:ffff', null, null],
    ['IPv4-mapped', '::ffff:0.0.0.0', '::ffff:255.255.255.255', null, null],
    ['IPv4-translated', '::ffff:0:0.0.0.0', '::ffff:0:255.255.255.255', null, null],
    ['NAT64', '64:ff9b::', '64:ff9b::ffff:ffff', null, null],
    ['local NAT64', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff', null, null],
    ['discard', '100::', '100::ffff:ffff:ffff:ffff', null, null],
    ['all before global unicast', '::', `1fff:ffff:${LAST}`, null, '2000::'],
    ['Teredo', '2001::', `2001:0:${LAST}`, `2000:ffff:${LAST}`, null],
    ['benchmarking', '2001:2::', '2001:2:0:ffff:ffff:ffff:ffff:ffff', null, null],
    ['ORCHID', '2001:10::', `2001:2f:${LAST}`, null, null],
    ['protocol assignments', '2001::', `2001:1ff:${LAST}`, `2000:ffff:${LAST}`, '2001:200::'],
    ['documentation', '2001:db8::', `2001:db8:${LAST}`, `2001:db7:${LAST}`, '2001:db9::'],
    ['6to4', '2002::', `2002:ffff:${LAST}`, `2001:ffff:${LAST}`, '2003::'],
    ['documentation', '3fff::', `3fff:fff:${LAST}`, `3ffe:ffff:${LAST}`, '3fff:1000::'],
    ['all after global unicast', '4000::', `ffff:ffff:${LAST}`, `3fff:ffff:${LAST}`, null],
    ['segment routing', '5f00::', `5f00:ffff:${LAST}`, null, null],
    ['unique local', 'fc00::', `fdff:ffff:${LAST}`, null, null],
    ['link-local', 'fe80::', `febf:ffff:${LAST}`, null, null],
    ['site-local', 'fec0::', `feff:ffff:${LAST}`, null, null],
    ['multicast', 'ff00::', `ffff:ffff:${LAST}`, null, null],
  ] as const
).map(([name, first, last, before, after]) => ({ name, first, last, before, after }));
