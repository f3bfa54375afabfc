import { expect, it } from 'vitest';

import { createBilling, type BillingPorts } from './billing.js';
import { serviceFixture } from './http/tests/fixtures.js';

const PORTS: BillingPorts = serviceFixture().billing.service;
const create = (changes: object) => () => createBilling({ ...PORTS, ...changes });

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
    'The port "crypto" of createBilling lacks the methods digest, seal, open, verify.',
  );
});
