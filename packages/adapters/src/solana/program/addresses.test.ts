import { address } from '@solana/kit';
import { TOKEN_2022_PROGRAM_ADDRESS } from '@solana-program/token-2022';
import { describe, expect, it } from 'vitest';
import { boundedCache } from './bounded-cache.js';
import { TOKEN_PROGRAM, createAddresses } from './addresses.js';
import { AUTHORITY, OWNER, PLAN, SOURCE, SUBSCRIPTION, USDC, WALLET } from '../tests/charge-view.js';

const addresses = createAddresses();

describe('program#pda-seeds-and-known-answers: known answers', () => {
  it('SA(0x01, USDC)', async () => {
    expect(await addresses.authority(WALLET, address(USDC))).toBe(AUTHORITY);
  });

  it.each([
    [1n, 'GaXQmCTVvqbE5B987e4cVUCXTRpRF4L2cVPYo8QynyQC', 254],
    [2n ** 64n - 1n, 'BQwKw22vuWUbSYgb2u2FiEWig6LG2m63HagNwCFXMJDg', 254],
  ])('Plan(0x02, id %s)', async (number, plan, bump) => {
    expect(await addresses.plan(OWNER, number)).toEqual([plan, bump]);
  });

  it('Subscription(Plan id 1, 0x01)', async () => {
    expect(await addresses.subscription(address(PLAN.address), WALLET)).toBe(SUBSCRIPTION);
  });

  it('SPL ATA(0x01, USDC)', async () => {
    expect(await addresses.tokenAccount(WALLET, address(USDC), TOKEN_PROGRAM)).toBe(SOURCE);
  });

  it('T22 ATA(0x01, USDC address)', async () => {
    const derived = await addresses.tokenAccount(WALLET, address(USDC), TOKEN_2022_PROGRAM_ADDRESS);
    expect(derived).toBe('6mjL8U6ekDjfwKRWGfpkDov39u9UgqKwpPZVBkCzWKLC');
  });
});

describe('a bounded cache', () => {
  it('computes once for each key', async () => {
    let computed = 0;
    const remember = boundedCache<number>(2);
    const next = async () => ++computed;
    expect(await Promise.all([remember('a', next), remember('a', next), remember('b', next)])).toEqual([
      1, 1, 2,
    ]);
  });

  it('lets the oldest make room', async () => {
    let computed = 0;
    const remember = boundedCache<number>(2);
    const next = async () => ++computed;
    for (const key of ['a', 'b', 'c']) await remember(key, next);
    expect(await remember('c', next)).toBe(3);
    expect(await remember('a', next)).toBe(4);
  });

  it('forgets a failure', async () => {
    const remember = boundedCache<number>(2);
    await expect(remember('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await remember('a', async () => 1)).toBe(1);
  });
});
