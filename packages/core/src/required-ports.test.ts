import { expect, it } from 'vitest';

import { createBilling, type BillingPorts } from './billing.js';
import { serviceFixture } from './http/tests/fixtures.js';
import { STORE_CAPABILITIES, STORE_METHODS } from './ports/store/tiers.js';

const PORTS: BillingPorts = serviceFixture().billing.service;
const create = (changes: object) => () => createBilling({ ...PORTS, ...changes });

it.each([undefined, null, 'ports'])('refuses %j in place of the ports', (ports) => {
  expect(() => createBilling(ports as never)).toThrow(
    new TypeError('createBilling needs an object with store, chain, clock, random, crypto, sender.'),
  );
});

it('accepts ports that have all their methods', () => {
  expect(create({})).not.toThrow();
});

it.each(['store', 'chain', 'clock', 'random', 'crypto', 'sender'])(
  'refuses a missing %s by its name',
  (name) => {
    expect(create({ [name]: undefined })).toThrow(
      new TypeError(`createBilling needs the port "${name}", an object: it is missing.`),
    );
  },
);

it.each([
  [null, 'null'],
  [() => new Date(), 'a function'],
  ['2026-10-02', 'a string'],
])('refuses a clock that is %s', (clock, found) => {
  expect(create({ clock })).toThrow(`createBilling needs the port "clock", an object: it is ${found}.`);
});

it('names every method that a port lacks', () => {
  expect(create({ clock: { now: () => new Date() } })).toThrow(
    'The port "clock" of createBilling lacks the method sleep.',
  );
  expect(create({ crypto: { digest: true, mac() {} } })).toThrow(
    'The port "crypto" of createBilling lacks the methods digest, seal, open, reseal.',
  );
});

it('accepts a store without any capability, and refuses one with a part of a capability', () => {
  const without = (names: readonly string[]) => ({
    store: Object.fromEntries(
      Object.values(STORE_METHODS)
        .flat()
        .filter((name) => !names.includes(name))
        .map((name) => [name, async () => null]),
    ),
  });
  const capabilities = STORE_CAPABILITIES.map((name) => STORE_METHODS[name]);
  expect(create(without(capabilities.flat()))).not.toThrow();
  for (const methods of capabilities) expect(create(without(methods))).not.toThrow();
  expect(create(without(['deleteEvents', 'deleteDeliveries']))).toThrow(
    new TypeError(
      'The port "store" of createBilling has a part of RetentionStore, and lacks the methods deleteEvents, deleteDeliveries. Add what it lacks, or leave out all of RetentionStore.',
    ),
  );
  expect(create(without(['commit']))).toThrow('The port "store" of createBilling lacks the method commit.');
});

it('refuses a setting that does not exist or cannot be used', () => {
  expect(create({ settings: { publicURL: 'https://shop.example' } })).toThrow(
    new TypeError(
      'createBilling has no setting "publicURL". Its settings are: serviceName, publicUrl, tiers, warnBelowCharges, chargerMayOwnPlans, mailFrom, privateTargets.',
    ),
  );
  expect(create({ settings: { publicUrl: 'shop.example' } })).toThrow(
    'The settings of createBilling: "publicUrl" must be an http or https address.',
  );
  expect(create({ settings: { privateTargets: 'yes' } })).toThrow(
    '"privateTargets" must be true, false, or a list of hosts and address blocks.',
  );
  expect(create({ settings: { privateTargets: ['localhost:3000', '10.1.0.0/40'] } })).toThrow(
    'Item 2 of "privateTargets" must be a host (localhost, receiver.test), an address or a block of addresses (10.1.0.0/16), or a host with a port (localhost:3000).',
  );
});

it('takes the default of a setting that is undefined', () => {
  const { settings } = create({ settings: { publicUrl: undefined } })().service;
  expect(settings.publicUrl).toBe('http://localhost:3000');
});

// plans#safe-one-line-texts
it('refuses a service name that could make signed terms look different from what they say', () => {
  expect(create({ settings: { serviceName: 'Shop\u202e' } })).toThrow(
    'The settings of createBilling: "serviceName" must not contain control, format or bidirectional characters.',
  );
  expect(create({ settings: { serviceName: '' } })).toThrow('"serviceName" must be 1 to 64 characters.');
});

// terms#lines-of-the-terms
it.each([
  ['mainnet-beta', {}, 1],
  ['mainnet-beta', { publicUrl: 'https://shop.example' }, 0],
  ['devnet', {}, 0],
])(
  'warns on %s with the settings %j of terms that would name this machine: %i',
  (network, settings, count) => {
    const warned: string[] = [];
    const logger = {
      debug() {},
      info() {},
      error() {},
      warn: (_: object, text: string) => void warned.push(text),
    };
    create({ settings, logger, chain: { ...PORTS.chain, network } })();
    expect(warned.filter((text) => text.startsWith('The setting publicUrl is missing.'))).toHaveLength(count);
  },
);
