import type { Address } from '@solana/kit';
import { TOKEN_2022_PROGRAM_ADDRESS } from '@solana-program/token-2022';
import { expect, it } from 'vitest';
import type { FundedAccount } from '../rpc/accounts.js';
import { TOKEN_PROGRAM } from '../program/addresses.js';
import { bytes, keyBytes, u64 } from '../tests/bytes.js';
import { key } from '../tests/charge-view.js';
import { readNamedMint } from './token-names.js';

const MINT = key(6);
const METADATA_PROGRAM = 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s' as Address;
const BONK = { symbol: 'BONK', name: 'Bonk' };

const text = (value: string) => {
  const encoded = new TextEncoder().encode(value);
  return bytes([encoded.length, 0, 0, 0], encoded);
};
const names = (symbol: string, name: string) =>
  bytes(keyBytes(1), keyBytes(6), text(name), text(symbol), text(''));
const entry = (type: number, value: Uint8Array) =>
  bytes([type, 0, value.length & 255, value.length >> 8], value);
const mintBytes = bytes(new Uint8Array(36), u64(1n), [6, 1], new Uint8Array(36));
const extended = (...entries: Uint8Array[]): FundedAccount => ({
  ...{ owner: TOKEN_2022_PROGRAM_ADDRESS, lamports: 1n },
  data: bytes(mintBytes, new Uint8Array(83), [1], ...entries),
});
const CLASSIC: FundedAccount = { owner: TOKEN_PROGRAM, lamports: 1n, data: mintBytes };
const inAccount = (data: Uint8Array, owner = METADATA_PROGRAM): FundedAccount => ({
  owner,
  lamports: 1n,
  data,
});
const pointTo = (of: number) => entry(18, bytes(keyBytes(0), keyBytes(of)));
const own = (...more: Uint8Array[]) => entry(19, bytes(names('BONK', 'Bonk'), ...more));

async function read(mint: FundedAccount | null, metadata: FundedAccount | null = null) {
  const asked: (readonly Address[])[] = [];
  const result = await readNamedMint(MINT, async (addresses) => {
    asked.push(addresses);
    return { ok: true, value: { slot: 1n, accounts: [mint, metadata] } };
  });
  expect(asked).toHaveLength(1);
  if (!result.ok) throw new Error('The mint was not read.');
  return result.value;
}

// program#token-names
it.each([
  [
    'in its account, filled up with zeros',
    CLASSIC,
    inAccount(bytes([4], names('BONK\0\0', 'Bonk\0\0\0'), [1, 2, 3])),
    BONK,
  ],
  ['in itself', extended(pointTo(6), own()), null, BONK],
  [
    'in itself, with fields of its own behind',
    extended(pointTo(6), own(Uint8Array.of(1, 0, 0, 0))),
    null,
    BONK,
  ],
  [
    'in itself rather than in its account',
    extended(pointTo(6), own()),
    inAccount(bytes([4], names('X', 'X'))),
    BONK,
  ],
  [
    'in its account without a pointer',
    extended(own()),
    inAccount(bytes([4], names('X', 'Y'))),
    { symbol: 'X', name: 'Y' },
  ],
  ['nowhere', CLASSIC, null, null],
  ['nowhere, with a pointer to itself', extended(pointTo(6)), null, null],
  [
    'nowhere that its pointer says',
    extended(pointTo(9), own()),
    inAccount(bytes([4], names('X', 'X'))),
    null,
  ],
  ['in an account of another program', CLASSIC, inAccount(bytes([4], names('X', 'X')), TOKEN_PROGRAM), null],
  ['in an account of another kind', CLASSIC, inAccount(bytes([6], names('X', 'X'))), null],
  ['in an empty account', CLASSIC, inAccount(new Uint8Array(0)), null],
  ['in an account that ends early', CLASSIC, inAccount(bytes([4], names('X', 'X')).slice(0, 70)), null],
  [
    'in an account with a length beyond its end',
    CLASSIC,
    inAccount(bytes([4], keyBytes(1), keyBytes(6), [255, 255, 255, 255])),
    null,
  ],
  [
    'in an account of another mint',
    CLASSIC,
    inAccount(bytes([4], keyBytes(1), keyBytes(7), text('X'), text('X'))),
    null,
  ],
])('a mint has its names %s', async (_, mint, metadata, expected) => {
  expect((await read(mint, metadata))?.names).toEqual(expected);
});

it.each([
  [10, true],
  [25, true],
  [26, false],
])('a mint with the extension %s has amounts that are shown changed: %s', async (type, scaled) => {
  expect((await read(extended(entry(type, new Uint8Array(52)))))?.scaled).toBe(scaled);
});

it('what is no mint has no names, whatever its account says', async () => {
  expect(await read(null, inAccount(bytes([4], names('X', 'X'))))).toBeNull();
  expect(await read({ ...CLASSIC, data: new Uint8Array(82) })).toBeNull();
});

it('its account is looked for at the address that the metadata program derives', async () => {
  const usdc = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;
  const asked: Address[] = [];
  await readNamedMint(usdc, async (addresses) => {
    asked.push(...addresses);
    return { ok: false, unavailable: { kind: 'transport' } };
  });
  expect(asked).toEqual([usdc, '5x38Kp4hvdomTCnCrAny4UtMUt5rQBdB6px2K1Ui45Wq']);
});
