import { describe, expect, it } from 'vitest';
import { postgresAddressFault } from './fault.js';

const KNOWN =
  'host, port, sslmode, sslrootcert, sslcert, sslkey, sslnegotiation, connect_timeout, pgbouncer, statement_cache_size, options';
const MODES = 'disable, no-verify, require, verify-ca, verify-full';

describe('an address of a Postgres database is refused that', () => {
  // starting#encryption-to-a-database
  it.each([
    // The driver ignores all of these, and would encrypt nothing.
    ['?sslMode=verify-full', `has the parameter sslMode, which does not exist. Those that do are: ${KNOWN}.`],
    ['?SSLMODE=verify-full', `has the parameter SSLMODE, which does not exist. Those that do are: ${KNOWN}.`],
    [
      '?ssl_mode=verify-full',
      `has the parameter ssl_mode, which does not exist. Those that do are: ${KNOWN}.`,
    ],
    ['?tls=true', `has the parameter tls, which does not exist. Those that do are: ${KNOWN}.`],
    ['?%20sslmode=verify-full', `has a parameter that does not exist. Those that do are: ${KNOWN}.`],
    ['?toString=1', `has the parameter toString, which does not exist. Those that do are: ${KNOWN}.`],
    ['?sslmode=', `has a value of sslmode that does not exist. Those that do are: ${MODES}.`],
    ['?sslmode=verify_full', `has a value of sslmode that does not exist. Those that do are: ${MODES}.`],
    ['?sslmode=prefer', `has a value of sslmode that does not exist. Those that do are: ${MODES}.`],
    ['?sslmode=allow', `has a value of sslmode that does not exist. Those that do are: ${MODES}.`],
    ['?sslrootcert=', 'has the parameter sslrootcert without a value.'],
    ['?sslmode=verify-full&sslmode=disable', 'has the parameter sslmode more than once.'],
    ['?host=/run/postgresql', 'has the parameter host, and another host before it: remove one.'],
    ['#?sslmode=verify-full', 'has a #, after which nothing is read: write it as %23.'],
    // The driver reads two values in one mode, and the address in another.
    ['?uselibpqcompat=true&sslmode=require', /^has the parameter uselibpqcompat, which does not exist/],
    ['?ssl=true', /^has the parameter ssl, which does not exist/],
  ])('ends in %s', (end, fault) => {
    const found = postgresAddressFault(`postgres://billing:hunter2@db.example/billing${end}`);
    if (typeof fault === 'string') expect(found).toBe(fault);
    else expect(found).toMatch(fault);
  });

  // invariants#no-secret-leaks
  it.each([
    ['a question mark', 'postgres://billing:12/3?hunter2@db.example/billing', /^has an @ after a \?/],
    ['a percent sign', 'postgres://billing:hunter2%@db.example/billing', /^has a % that begins no escape/],
    [
      'a percent sign before two digits that are no letter',
      'postgres://billing:hunter2%e9@db.example/billing',
      /^has a % that begins no escape/,
    ],
  ])('has %s in its password, without showing it', (_, address, fault) => {
    expect(postgresAddressFault(address)).toMatch(fault);
    expect(postgresAddressFault(address)).not.toContain('hunter2');
  });
});

it.each([
  'postgres://db.example/billing',
  'postgresql://billing:hunter%3F2@[::1]:5433/billing?sslmode=no-verify',
  'postgres://db.example/billing?sslmode=disable',
  'postgres://db.example/billing?sslmode=require&sslnegotiation=direct',
  'postgres://db.example/billing?sslmode=verify-ca&sslrootcert=/srv/ca.pem',
  'postgres://db.example/billing?sslmode=verify-full&sslcert=/srv/host.pem&sslkey=/srv/host.key',
  'postgres:///billing?host=/run/postgresql&port=5433',
])('%s is an address of a Postgres database', (address) => {
  expect(postgresAddressFault(address)).toBeNull();
});
