import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { webhookTargets } from '@subrail/core/webhooks';
import { checkedLookup, RefusedTarget } from '../checked-lookup.js';
import { createHttpSender } from '../sender.js';
import { createNameResolver } from '../resolve-names.js';
import { BLOCKS } from './blocks.js';
import { openNameServer, type NameServer } from './name-server.js';

const post = (url: string) => ({ url, headers: {}, body: '', timeoutMs: 10_000 });
const inUrl = (address: string) => (address.includes(':') ? `[${address}]` : address);

/** The name of an address, which also has a public one when it is `mixed`. */
const nameOf = (address: string, mixed = '') =>
  `${address.replaceAll(':', 'x').replaceAll('.', 'o')}${mixed}.test`;

let server: NameServer;
beforeAll(async () => {
  server = await openNameServer((name) => {
    const [, written = '', mixed] = /^([0-9a-fxo]+?)(-mixed)?\.test$/.exec(name) ?? [];
    const address = written.replaceAll('x', ':').replaceAll('o', '.');
    return mixed === undefined ? [address] : ['93.184.215.14', '2606:2800:21f:cb07::1', address];
  });
});
afterAll(() => server.close());

// deliveries#endpoint-address
describe('an address outside the public internet', () => {
  const sender = createHttpSender();

  test.each(BLOCKS)('is refused in a URL: $name, from $first to $last', async ({ first, last }) => {
    for (const address of [first, last])
      expect((await sender.post(post(`https://${inUrl(address)}/`))).kind, address).toBe('refused');
  });

  test.each(BLOCKS)(
    'is refused when a name resolves to it: $name, from $first to $last',
    async ({ first, last }) => {
      const byName = createHttpSender({ resolve: createNameResolver({ servers: [server.address] }) });
      for (const address of [first, last]) {
        for (const name of [nameOf(address), nameOf(address, '-mixed')]) {
          expect(await byName.post(post(`https://${name}/`)), address).toEqual({
            kind: 'refused',
            reason: `${name} resolves to an address that is not public`,
          });
        }
      }
    },
  );

  test.each([
    'https://2130706433/',
    'https://017700000001/',
    'https://0x7f000001/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://127.0.1/',
    'https://127.0.0.1./',
    'https://①②⑦.0.0.1/',
    'https://127。0。0。1/',
    'https://%31%32%37.0.0.1/',
    'https://[::127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[0:0:0:0:0:ffff:127.0.0.1]/',
    'https://[0000:0000:0000:0000:0000:FFFF:7F00:0001]/',
    'https://[64:ff9b::127.0.0.1]/',
    'https://[fe80::1%25eth0]/',
    'https://[fe80::1%eth0]/',
    'https://[::1]:443/',
    'https://user@127.0.0.1/',
    'https://127.0.0.1#@example.com/',
    'https:127.0.0.1/',
    'https:\\\\127.0.0.1/',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://a.localhost/',
  ])('is refused in the spelling %s', async (url) => {
    expect((await sender.post(post(url))).kind).toBe('refused');
  });
});

// deliveries#endpoint-address
test.each(BLOCKS.filter(({ before, after }) => before !== null || after !== null))(
  'the public neighbours of the block from $first to $last may be connected to',
  async ({ before, after }) => {
    const url = new URL('https://hooks.test/');
    // Only the lookup of a connection is asked, so that the test connects to nobody.
    const lookup = checkedLookup(createNameResolver({ servers: [server.address] }), (address) =>
      webhookTargets(false).allows(url, address),
    );
    for (const address of [before, after].filter((one) => one !== null)) {
      const found = await new Promise((resolve, reject) => {
        lookup(nameOf(address), { all: true }, (error, addresses) =>
          error === null ? resolve(addresses) : reject(error),
        );
      });
      const spelled = new URL(`https://${inUrl(address)}/`).hostname.replace(/^\[|\]$/g, '');
      expect(found).toEqual([{ address: spelled, family: address.includes(':') ? 6 : 4 }]);
    }
  },
);

// deliveries#endpoint-address
test('a name may resolve to a private address in a listed block, and to no other', async () => {
  const resolve = createNameResolver({ servers: [server.address] });
  const targets = webhookTargets(['10.1.0.0/16']);
  const url = new URL('https://hooks.test/');
  const lookup = checkedLookup(resolve, (address) => targets.allows(url, address));
  const ask = (address: string) =>
    new Promise((resolveAsked) => lookup(nameOf(address), { all: true }, (error) => resolveAsked(error)));
  expect(await ask('10.1.2.3')).toBeNull();
  expect(await ask('10.2.2.3')).toBeInstanceOf(RefusedTarget);
});
