import { expect, it } from 'vitest';

import { isPrivateTarget, webhookTargets } from './webhook-targets.js';

const refusal = (privateTargets: boolean | readonly string[], url: string) =>
  webhookTargets(privateTargets).refusal(new URL(url));
const allows = (privateTargets: boolean | readonly string[], url: string, address: string) =>
  webhookTargets(privateTargets).allows(new URL(url), address);

// deliveries#endpoint-address
it.each([
  ['localhost', 'http://localhost/', true],
  ['localhost', 'http://LOCALHOST.:3000/', true],
  ['localhost', 'http://api.localhost/', false],
  ['localhost:3000', 'http://localhost:3000/', true],
  ['localhost:3000', 'https://localhost:3000/', true],
  ['localhost:3000', 'http://localhost:3001/', false],
  ['localhost:3000', 'http://127.0.0.1:3000/', false],
  ['localhost:80', 'http://localhost/', true],
  ['localhost:443', 'https://localhost/', true],
  ['localhost:443', 'http://localhost/', false],
  ['Receiver.Test', 'http://receiver.test/', true],
  ['receiver:8080', 'http://receiver:8080/', true],
  ['10.1.2.3', 'http://10.1.2.3:8080/', true],
  ['10.1.2.3', 'http://10.1.2.4/', false],
  ['10.1.2.3:8080', 'http://10.1.2.3:8080/', true],
  ['10.1.2.3:8080', 'http://10.1.2.3:8081/', false],
  ['10.1.0.0/16', 'http://10.1.255.255/', true],
  ['10.1.0.0/16', 'http://10.2.0.0/', false],
  ['10.1.0.0/16', 'http://0x0a010203/', true],
  ['10.1.0.0/16', 'http://[::ffff:10.1.2.3]/', false],
  ['::1', 'http://[::1]:3000/', true],
  ['[::1]', 'http://[::1]:3000/', true],
  ['[::1]:3000', 'http://[::1]:3000/', true],
  ['[::1]:3000', 'http://[::1]:3001/', false],
  ['fd00::/8', 'http://[fd12::1]/', true],
  ['fd00::/8', 'http://[fc12::1]/', false],
  // Plain http and names that are private by their form need the name itself.
  ['10.1.0.0/16', 'http://example.com/', false],
  ['10.1.0.0/16', 'https://db.internal/', false],
])('with the private target "%s" it may go to %s: %s', (entry, url, expected) => {
  expect(refusal([entry], url) === null).toBe(expected);
});

// deliveries#endpoint-address
it('decides by the address that a name resolves to', () => {
  const url = 'https://hooks.example.com/';
  expect(allows(false, url, '93.184.215.14')).toBe(true);
  expect(allows(false, url, '10.1.2.3')).toBe(false);
  expect(allows(['10.1.0.0/16'], url, '93.184.215.14')).toBe(true);
  expect(allows(['10.1.0.0/16'], url, '10.1.2.3')).toBe(true);
  expect(allows(['10.1.0.0/16'], url, '10.2.2.3')).toBe(false);
  expect(allows(['10.1.2.3:8080'], url, '10.1.2.3')).toBe(false);
  expect(allows(['hooks.example.com'], 'http://hooks.example.com/', '10.2.2.3')).toBe(true);
  expect(allows(true, 'http://hooks.example.com/', '10.2.2.3')).toBe(true);
});

// deliveries#endpoint-address
it('never allows another scheme', () => {
  for (const privateTargets of [true, false, ['localhost']])
    expect(refusal(privateTargets, 'ftp://localhost/')).toMatch(/^must be an https address/);
});

it('refuses private targets that are no list', () => {
  expect(() => webhookTargets('localhost' as never)).toThrow(
    new TypeError('Private targets must be true, false, or a list of hosts and address blocks.'),
  );
  expect(() => webhookTargets([3000 as never])).toThrow('The private target "3000" must be a host (');
});

it.each([
  '',
  'yes',
  'true',
  '*',
  '10.1.0.0/33',
  '10.1.0.0/',
  '10.1.0.0/16/8',
  '10.1.0.0/16:80',
  '10.1',
  '127.1',
  '0x7f000001',
  '2130706433:80',
  '010.0.0.1',
  'fe80::1%eth0',
  'fd00::/129',
  '[::1',
  'localhost:',
  'localhost:0',
  'localhost:65536',
  'localhost:3000/hooks',
  'http://localhost:3000',
  'user@localhost',
  'two words',
  'a..test',
  ' localhost',
])('refuses the private target "%s"', (entry) => {
  expect(isPrivateTarget(entry)).toBe(false);
  expect(() => webhookTargets(['localhost', entry])).toThrow(
    new TypeError(
      `The private target "${entry}" must be a host (localhost, receiver.test), an address or a block of addresses (10.1.0.0/16), or a host with a port (localhost:3000).`,
    ),
  );
});
