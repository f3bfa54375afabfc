import { describe, expect, it } from 'vitest';
import {
  EVENT_AUTHORITY,
  findAuthority,
  findPlan,
  findSubscription,
  findTokenAccount,
  planAddressWithBump,
} from './pdas.js';
import { SPL_TOKEN, TOKEN_2022 } from './tests/instruction-builders.js';
import { A, M, MINT } from './tests/fixtures.js';

// A and M are the keys 0x01 and 0x02 of the page, and the mint is USDC.

const PLAN = 'GaXQmCTVvqbE5B987e4cVUCXTRpRF4L2cVPYo8QynyQC';

// program#pda-seeds-and-known-answers
describe('derived addresses match the known answers', () => {
  it.each([
    ['authority', findAuthority(A, MINT), 'DxYxm2LHres2FTQcRtS9LSmePjCNPtjhxkWAoXRe8Ez7', 255],
    ['plan 1', findPlan(M, 1n), PLAN, 254],
    ['plan 2^64 - 1', findPlan(M, 2n ** 64n - 1n), 'BQwKw22vuWUbSYgb2u2FiEWig6LG2m63HagNwCFXMJDg', 254],
    [
      'subscription',
      findSubscription(findPlan(M, 1n).address, A),
      '72WBUVFCYnM49PzaHQgDjb8gG8DRdWarmnHTNGhSSNyf',
      255,
    ],
    [
      'SPL account',
      findTokenAccount(A, SPL_TOKEN, MINT),
      'Gs6NxmndAL3PULGZeYUHCknpMdDVbL46eFCBh856p5z6',
      255,
    ],
    [
      'Token-2022 account',
      findTokenAccount(A, TOKEN_2022, MINT),
      '6mjL8U6ekDjfwKRWGfpkDov39u9UgqKwpPZVBkCzWKLC',
      255,
    ],
  ])('%s', (_, derived, address, bump) => {
    expect(derived).toEqual({ address, bump });
  });

  // program#program-addresses
  it('derives the event authority', () => {
    expect(EVENT_AUTHORITY).toBe('3Hnj4BYoDgtpBuqXfiy7Y8cNa3jXaNd4oqgSXBzkMcH7');
  });

  it("derives a plan's address with a given bump, or null when that is on the curve", () => {
    expect(planAddressWithBump(M, 1n, 254)).toBe(PLAN);
    expect(planAddressWithBump(M, 1n, 255)).toBeNull();
  });
});
