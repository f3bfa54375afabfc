import { BlockList } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPublicAddress, isPublicHost } from '@subrail/core/webhooks';
import { BLOCKS } from './blocks.js';

/** The special blocks in Node's implementation, to compare with ours. */
const specialIpv4 = new BlockList();
for (const [address, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  specialIpv4.addSubnet(address, bits, 'ipv4');
}
const unicast = new BlockList();
unicast.addSubnet('2000::', 3, 'ipv6');
const specialIpv6 = new BlockList();
for (const [address, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  specialIpv6.addSubnet(address, bits, 'ipv6');
}

/** Half of the octets are near the edge of a block, where mistakes are likely. */
const octet = fc.oneof(fc.constantFrom(0, 9, 10, 100, 127, 169, 172, 192, 198, 203, 224, 255), fc.nat(255));
const second = fc.oneof(
  fc.constantFrom(0, 15, 16, 17, 18, 19, 20, 31, 32, 51, 63, 64, 127, 128, 168, 254),
  fc.nat(255),
);
const ipv4 = fc.tuple(octet, second, fc.oneof(fc.constantFrom(0, 2, 99, 100, 113), octet), octet);
const group = fc.oneof(fc.constantFrom(0, 1, 0xdb8, 0x1ff, 0x200, 0xfff), fc.nat(0xffff));
const ipv6 = fc.tuple(
  fc.oneof(fc.constantFrom(0x2001, 0x2002, 0x3fff, 0x64, 0xfc00, 0xfe80, 0xff02), fc.nat(0xffff)),
  ...Array.from({ length: 7 }, () => group),
);

/** The canonical spelling of an address, with `::`. */
const canonical = (text: string) => new URL(`http://[${text}]`).hostname.slice(1, -1);

test.each(BLOCKS)(
  'the block from $first to $last, $name, is not public',
  ({ first, last, before, after }) => {
    for (const inner of [first, last]) expect(isPublicAddress(inner), inner).toBe(false);
    for (const outer of [before, after].filter((one) => one !== null))
      expect(isPublicAddress(outer), outer).toBe(true);
  },
);

test('IPv4 addresses are public except in the special blocks', () => {
  fc.assert(
    fc.property(ipv4, (bytes) => {
      const text = bytes.join('.');
      expect(isPublicAddress(text)).toBe(!specialIpv4.check(text, 'ipv4'));
    }),
  );
});

test('IPv6 addresses are public only in global unicast outside its special blocks, in every spelling', () => {
  fc.assert(
    fc.property(ipv6, (parts) => {
      const text = parts.map((part) => part.toString(16)).join(':');
      const expected = unicast.check(text, 'ipv6') && !specialIpv6.check(text, 'ipv6');
      expect(isPublicAddress(text)).toBe(expected);
      expect(isPublicAddress(canonical(text))).toBe(expected);
    }),
  );
});

test('an IPv6 address that embeds an IPv4 address is not public, whatever the IPv4 address is', () => {
  const prefixes = [
    '::ffff:',
    '::',
    '64:ff9b::',
    '64:ff9b:1::',
    '0:0:0:0:0:ffff:',
    '::ffff:0:',
    '2002:808:808::',
  ];
  fc.assert(
    fc.property(fc.constantFrom(...prefixes), ipv4, (prefix, bytes) => {
      const dotted = bytes.join('.');
      expect(isPublicAddress(prefix + dotted)).toBe(false);
      expect(isPublicAddress(canonical(prefix + dotted))).toBe(false);
    }),
  );
});

test('a text that is not an address is not public, and never throws', () => {
  for (const text of [
    '',
    '1.2.3',
    '1.2.3.4.5',
    '256.1.1.1',
    '08.8.8.8',
    '1:2',
    ':::',
    '2600::1::2',
    '2600::1%eth0',
  ]) {
    expect(isPublicAddress(text), text).toBe(false);
  }
  fc.assert(fc.property(fc.string(), (text) => typeof isPublicAddress(text) === 'boolean'));
});

// deliveries#endpoint-address
test('a public host is a public address or a public name', () => {
  const isPublic = (url: string) => isPublicHost(new URL(url));
  for (const url of [
    'https://example.com',
    'https://8.8.8.8',
    'https://[2606:4700::1111]',
    'https://a.b.co.uk.',
  ]) {
    expect(isPublic(url), url).toBe(true);
  }
  for (const url of [
    'https://localhost',
    'https://localhost.',
    'https://LOCALHOST',
    'https://api.localhost',
    'https://intranet',
    'https://db.internal',
    'https://printer.local',
    'https://router.home.arpa',
    'https://127.0.0.1',
    'https://0x7f000001',
    'https://[::1]',
    'https://[::ffff:7f00:1]',
  ]) {
    expect(isPublic(url), url).toBe(false);
  }
});
