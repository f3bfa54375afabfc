import { address, getProgramDerivedAddress } from '@solana/kit';
import { TOKEN_2022_PROGRAM_ADDRESS } from '@solana-program/token-2022';
import { describe, expect, it } from 'vitest';
import { EVENT_AUTHORITY, SUBSCRIPTIONS_PROGRAM, TOKEN_PROGRAM, createAddresses } from './addresses.js';
import { AUTHORITY, OWNER, PLAN, SOURCE, SUBSCRIPTION, USDC, WALLET } from '../tests/charge-view.js';

const addresses = createAddresses();

// program#pda-seeds-and-known-answers
describe('derived addresses', () => {
  it('derives the authority of a wallet and a mint', async () => {
    expect(await addresses.authority(WALLET, address(USDC))).toBe(AUTHORITY);
  });

  it.each([
    [1n, 'GaXQmCTVvqbE5B987e4cVUCXTRpRF4L2cVPYo8QynyQC', 254],
    [2n ** 64n - 1n, 'BQwKw22vuWUbSYgb2u2FiEWig6LG2m63HagNwCFXMJDg', 254],
  ])('derives the plan with number %s of an owner', async (number, plan, bump) => {
    expect(await addresses.plan(OWNER, number)).toEqual([plan, bump]);
  });

  it('derives the subscription of a wallet to a plan', async () => {
    expect(await addresses.subscription(address(PLAN.address), WALLET)).toBe(SUBSCRIPTION);
  });

  // program#program-addresses
  it('derives the event authority', async () => {
    const derived = await getProgramDerivedAddress({
      programAddress: SUBSCRIPTIONS_PROGRAM,
      seeds: ['event_authority'],
    });
    expect(derived).toEqual([EVENT_AUTHORITY, 251]);
  });

  it('derives the associated account of the classic token program', async () => {
    expect(await addresses.tokenAccount(WALLET, address(USDC), TOKEN_PROGRAM)).toBe(SOURCE);
  });

  it('derives the associated account of Token-2022', async () => {
    const derived = await addresses.tokenAccount(WALLET, address(USDC), TOKEN_2022_PROGRAM_ADDRESS);
    expect(derived).toBe('6mjL8U6ekDjfwKRWGfpkDov39u9UgqKwpPZVBkCzWKLC');
  });
});
