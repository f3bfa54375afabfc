import { readFileSync } from 'node:fs';
import * as kit from '@solana/kit';
import { ATTEMPT_REASONS } from '@subrail/core/schemas';
import { expect, it } from 'vitest';
import { CUSTOM_ERRORS } from './errors.js';

const page = readFileSync(new URL('../../../../../docs/charge-errors.md', import.meta.url), 'utf8');
const rows = [...page.matchAll(/^\| `([\w-]+)` \| (.+) \|$/gm)].map(([, reason = '', cells = '']) => ({
  reason,
  cells: cells.split(' | '),
}));

/** Each family of kit's errors with which a request or a transaction of the service can fail. */
const FAMILIES = ['JSON_RPC', 'TRANSACTION_ERROR', 'INSTRUCTION_ERROR'];

/** Every code of these families, with its name as the page writes it. */
const solanaCodes = Object.entries(kit).flatMap(([name, code]) => {
  const [, family = '', rest = ''] = name.split('__');
  const pascal = rest.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
  return typeof code === 'number' && name.startsWith('SOLANA_ERROR__') && FAMILIES.includes(family)
    ? [[`solana_${code}`, pascal] as const]
    : [];
});

it('docs/charge-errors.md lists every code of the programs and of Solana, with its name', () => {
  const named = Object.fromEntries(
    rows.flatMap(({ reason, cells }) => (cells.length === 3 ? [[reason, cells[0]] as const] : [])),
  );
  expect(named).toEqual({
    ...Object.fromEntries(Object.entries(CUSTOM_ERRORS).map(([code, name]) => [`program_${code}`, name])),
    ...Object.fromEntries(solanaCodes),
    [`solana_${kit.SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR}`]: 'TransportHttpError',
  });
});

it('docs/charge-errors.md lists each of the service’s own reasons, and only reasons that attempts can have', () => {
  const own = rows.filter(({ cells }) => cells.length === 2).map(({ reason }) => reason);
  expect([...own].sort()).toEqual([
    'gone_unconfirmed',
    'landing_unknown',
    'puller_missing',
    'send_unconfirmed',
    'terms_missing',
    'transport',
  ]);
  expect(own.filter((reason) => !ATTEMPT_REASONS.some((known) => known === reason))).toEqual([]);
  const listed = new Set(rows.map(({ reason }) => reason));
  expect(
    ATTEMPT_REASONS.filter((reason) => /^(program|solana)_/.test(reason) && !listed.has(reason)),
  ).toEqual([]);
});

it('docs/charge-errors.md says of each what it means and what to do', () => {
  expect(rows.length).toBe(new Set(rows.map(({ reason }) => reason)).size);
  for (const { reason, cells } of rows)
    expect([reason, ...cells.slice(-2)]).toEqual([
      reason,
      expect.stringMatching(/^[A-Z].+\.$/),
      expect.stringMatching(/^[A-Z].+\.$/),
    ]);
});
