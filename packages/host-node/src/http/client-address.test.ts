import { expect, test } from 'vitest';
import { clientAddress } from './client-address.js';

test.each([
  {
    why: 'without trusted proxies the header is not believed',
    proxies: 0,
    forwarded: '1.1.1.1',
    expected: '9.9.9.9',
  },
  { why: 'one proxy: the last entry', proxies: 1, forwarded: '6.6.6.6, 1.1.1.1', expected: '1.1.1.1' },
  {
    why: 'two proxies: the last but one',
    proxies: 2,
    forwarded: '6.6.6.6, 1.1.1.1, 2.2.2.2',
    expected: '1.1.1.1',
  },
  {
    why: 'fewer entries than proxies: the peer, for the caller may have written all of them',
    proxies: 3,
    forwarded: '1.1.1.1, 2.2.2.2',
    expected: '9.9.9.9',
  },
  { why: 'no header: the peer', proxies: 1, forwarded: undefined, expected: '9.9.9.9' },
  {
    why: 'an entry that is no address: the peer',
    proxies: 1,
    forwarded: '1.1.1.1, unknown',
    expected: '9.9.9.9',
  },
  { why: 'an empty header: the peer', proxies: 1, forwarded: '', expected: '9.9.9.9' },
  { why: 'a port some proxies add is dropped', proxies: 1, forwarded: '1.1.1.1:4711', expected: '1.1.1.1' },
  {
    why: 'IPv6 in brackets with a port',
    proxies: 1,
    forwarded: '[2001:db8::1]:443',
    expected: '2001:db8::1',
  },
])('requests#client-address-behind-proxies $why', ({ proxies, forwarded, expected }) => {
  expect(clientAddress('9.9.9.9', forwarded, proxies)).toBe(expected);
});

test('requests#client-address-behind-proxies an IPv4 peer on an IPv6 socket is counted under its IPv4 address', () => {
  expect(clientAddress('::ffff:10.0.0.7', undefined, 0)).toBe('10.0.0.7');
});
