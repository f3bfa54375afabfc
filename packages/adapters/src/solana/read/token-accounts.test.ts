import type { Address } from '@solana/kit';
import { TOKEN_2022_PROGRAM_ADDRESS } from '@solana-program/token-2022';
import { describe, expect, it } from 'vitest';
import { TOKEN_PROGRAM } from '../program/addresses.js';
import { readMint, readTokenAccount } from './token-accounts.js';
import { bytes, keyBytes, u64 } from '../tests/bytes.js';
import { WALLET, key } from '../tests/charge-view.js';

const MINT = key(6);
const T22: Address = TOKEN_2022_PROGRAM_ADDRESS;

/** A token account by its documented layout, 165 bytes. */
function tokenAccountBytes({ state = 1, delegate = 0, delegated = 0n }): Uint8Array {
  return bytes(
    keyBytes(6),
    keyBytes(1),
    u64(500n),
    [delegate === 0 ? 0 : 1, 0, 0, 0],
    keyBytes(delegate),
    [state],
    new Uint8Array(12),
    u64(delegated),
    new Uint8Array(36),
  );
}

/** A mint by its documented layout, 82 bytes. */
function mintBytes({ initialised = 1 } = {}): Uint8Array {
  return bytes(new Uint8Array(36), u64(1_000_000n), [6, initialised], new Uint8Array(36));
}

const entry = (type: number, value: Uint8Array) =>
  bytes([type, 0, value.length & 255, value.length >> 8], value);
const extendedMint = (...entries: Uint8Array[]) => bytes(mintBytes(), new Uint8Array(83), [1], ...entries);
const extendedAccount = (...entries: Uint8Array[]) => bytes(tokenAccountBytes({}), [2], ...entries);

const t22 = (...entries: Uint8Array[]) => ({ owner: T22, data: extendedMint(...entries) });

const read = (data: Uint8Array, owner = T22) => readTokenAccount({ owner, data }, MINT, owner);
const mint = (data: Uint8Array, owner = T22) => readMint({ owner, data });

// program#token-account-and-mint-layouts
describe('a token account', () => {
  it('is read under the classic program', () => {
    const data = tokenAccountBytes({ delegate: 9, delegated: 2n ** 64n - 1n });
    expect(read(data, TOKEN_PROGRAM)).toEqual({
      mint: MINT,
      owner: WALLET,
      balance: 500n,
      delegate: key(9),
      delegatedAmount: 2n ** 64n - 1n,
      frozen: false,
      guarded: false,
      needsMemo: false,
      confidentialOnly: false,
    });
  });

  it('has no delegate when its tag says so, although the bytes of one are left', () => {
    const data = tokenAccountBytes({ delegate: 9 });
    data[72] = 0;
    expect(read(data)?.delegate).toBeNull();
  });

  // program#frozen-accounts-and-paused-mints
  it('is frozen in state 2', () => {
    expect(read(tokenAccountBytes({ state: 2 }))?.frozen).toBe(true);
  });

  it.each([
    ['never initialised', tokenAccountBytes({ state: 0 })],
    ['too short', tokenAccountBytes({}).slice(0, 164)],
    ['a mint', extendedMint()],
    ['broken by an extension that runs past its end', extendedAccount(bytes([8, 0, 9, 0], [1]))],
    ['broken by half an extension', extendedAccount(entry(7, bytes()), bytes([8, 0, 1]))],
  ])('is missing when it is %s', (_, data) => {
    expect(read(data)).toBeNull();
  });

  it('is missing when it is of another mint or token program, or does not exist', () => {
    const data = tokenAccountBytes({});
    expect(readTokenAccount({ owner: T22, data }, key(7), T22)).toBeNull();
    expect(readTokenAccount({ owner: TOKEN_PROGRAM, data }, MINT, T22)).toBeNull();
    expect(readTokenAccount(null, MINT, T22)).toBeNull();
  });

  // program#shared-account-checks
  it('is missing when it is longer than 165 bytes under the classic program', () => {
    expect(read(extendedAccount(), TOKEN_PROGRAM)).toBeNull();
  });

  // program#memo-and-confidential-receivers
  it('needs memos only when its extension says so', () => {
    expect(read(extendedAccount(entry(7, bytes()), entry(8, bytes([1]))))?.needsMemo).toBe(true);
    expect(read(extendedAccount(entry(7, bytes()), entry(8, bytes([0]))))?.needsMemo).toBe(false);
  });

  // program#memo-and-confidential-receivers
  it('takes only confidential credits when byte 262 of its extension is zero', () => {
    const confidential = (allowed: number) => {
      const value = new Uint8Array(295).fill(1);
      value[262] = allowed;
      return extendedAccount(entry(7, bytes()), entry(5, value));
    };
    expect(read(confidential(0))?.confidentialOnly).toBe(true);
    expect(read(confidential(1))?.confidentialOnly).toBe(false);
  });

  it('may have unknown extensions', () => {
    const data = extendedAccount(entry(200, new Uint8Array(7)), entry(8, bytes([1])));
    expect(read(data)?.needsMemo).toBe(true);
  });

  it('has no extension after the end of its list', () => {
    expect(read(extendedAccount(entry(0, bytes()), entry(8, bytes([1]))))?.needsMemo).toBe(false);
    expect(read(extendedAccount(entry(7, bytes()), bytes([8])))?.needsMemo).toBe(false);
  });
});

// program#token-account-and-mint-layouts
describe('a mint', () => {
  it('is read under the classic program', () => {
    expect(mint(mintBytes(), TOKEN_PROGRAM)).toEqual({
      tokenProgram: TOKEN_PROGRAM,
      decimals: 6,
      paused: false,
      transferable: true,
      hookProgram: null,
    });
  });

  it.each([
    ['never initialised', { owner: TOKEN_PROGRAM, data: mintBytes({ initialised: 0 }) }],
    ['of another program', { owner: key(9), data: mintBytes() }],
    ['a token account', { owner: T22, data: extendedAccount() }],
    ['absent', null],
    [
      'broken by an extension that runs past its end (106)',
      t22(entry(7, bytes()), bytes([26, 0, 33, 0], [1])),
    ],
    ['broken by half an extension (106)', t22(bytes([26, 0]))],
    ['broken by a hook too short (106)', t22(entry(14, keyBytes(9)))],
    ['broken by a hook too long (106)', t22(entry(14, new Uint8Array(65)))],
  ])('is missing when it is %s', (_, account) => {
    expect(readMint(account)).toBeNull();
  });

  // program#frozen-accounts-and-paused-mints
  it('is paused while its extension says so', () => {
    expect(mint(extendedMint(entry(26, bytes(keyBytes(9), [1]))))?.paused).toBe(true);
    expect(mint(extendedMint(entry(26, bytes(keyBytes(9), [0]))))?.paused).toBe(false);
  });

  // program#transfer-hooks
  it('has a hook only when its program is not zero', () => {
    expect(mint(extendedMint(entry(14, bytes(keyBytes(9), keyBytes(8)))))?.hookProgram).toBe(key(8));
    expect(mint(extendedMint(entry(14, bytes(keyBytes(9), keyBytes(0)))))?.hookProgram).toBeNull();
  });
});
