import { expect, test } from 'vitest';
import { forwardedAddress, requireClientAddress } from './client-address.js';

// requests#client-address-behind-proxies
test.each([
  {
    why: 'ignores the header without trusted proxies',
    proxies: 0,
    forwarded: '1.1.1.1',
    expected: '9.9.9.9',
  },
  {
    why: 'takes the last entry behind one proxy',
    proxies: 1,
    forwarded: '6.6.6.6, 1.1.1.1',
    expected: '1.1.1.1',
  },
  {
    why: 'takes the last but one entry behind two proxies',
    proxies: 2,
    forwarded: '6.6.6.6, 1.1.1.1, 2.2.2.2',
    expected: '1.1.1.1',
  },
  {
    why: 'takes the peer when there are fewer entries than proxies, since the client may have written them',
    proxies: 3,
    forwarded: '1.1.1.1, 2.2.2.2',
    expected: '9.9.9.9',
  },
  { why: 'takes the peer when there is no header', proxies: 1, forwarded: undefined, expected: '9.9.9.9' },
  {
    why: 'takes the peer when the entry is not an address',
    proxies: 1,
    forwarded: '1.1.1.1, unknown',
    expected: '9.9.9.9',
  },
  { why: 'takes the peer when the header is empty', proxies: 1, forwarded: '', expected: '9.9.9.9' },
  { why: 'drops a port that some proxies add', proxies: 1, forwarded: '1.1.1.1:4711', expected: '1.1.1.1' },
  {
    why: 'reads IPv6 in brackets with a port',
    proxies: 1,
    forwarded: '[2001:db8::1]:443',
    expected: '2001:db8::1',
  },
])('$why', ({ proxies, forwarded, expected }) => {
  expect(forwardedAddress('9.9.9.9', forwarded, proxies)).toBe(expected);
});

// requests#client-address-behind-proxies
test('reports the IPv4 address of an IPv4 peer on an IPv6 socket', () => {
  expect(forwardedAddress('::ffff:10.0.0.7', undefined, 0)).toBe('10.0.0.7');
});

test.each([-1, 1.5, Number.NaN])('refuses %s as a number of proxies', (trustedProxies) => {
  expect(() => requireClientAddress({ trustedProxies })).toThrow(
    `"trustedProxies" must be a whole number from 0 on; it is ${trustedProxies}.`,
  );
});

test('refuses two sources of the address', () => {
  expect(() => requireClientAddress({ trustedProxies: 1, clientAddress: () => null })).toThrow(
    '"trustedProxies" has no effect with "clientAddress": give one of them.',
  );
});
