import { describe, expect, it } from 'vitest';
import type { VerifiedToken } from '../ports/index.js';
import { knownTokens, ownNames, tokenName } from './token-name.js';
import { WELL_KNOWN_TOKENS } from './well-known-tokens.js';

const USDC = { mint: 'usdc', symbol: 'USDC', name: 'USD Coin', logoUrl: null };
const STRANGER = 'stranger';

function shown(symbol: string | null, verified: readonly VerifiedToken[] = [USDC]) {
  const tokenNames = symbol === null ? null : { symbol, name: 'A token' };
  return tokenName({ mint: STRANGER, tokenNames }, knownTokens(verified));
}

// plans#token-verification
describe('the name of a token', () => {
  it('is the verified one, whatever its mint says', () => {
    const plan = { mint: USDC.mint, tokenNames: { symbol: 'FAKE', name: 'Fake' } };
    expect(tokenName(plan, knownTokens([USDC]))).toEqual({
      ...{ symbol: 'USDC', name: 'USD Coin', logoUrl: null, verified: true, unit: 'USDC' },
    });
  });

  it('is what the mint says of itself, and not verified', () => {
    expect(shown('BONK')).toEqual({
      ...{ symbol: 'BONK', name: 'A token', logoUrl: null, verified: false, unit: 'BONK' },
    });
  });

  it('is none when the mint says nothing', () => {
    expect(shown(null)).toEqual({ symbol: null, name: null, logoUrl: null, verified: false, unit: null });
  });

  it('is the later one of two for the same mint', () => {
    const renamed = { ...USDC, symbol: 'USDC.e' };
    const known = knownTokens([USDC, renamed]);
    expect(tokenName({ mint: USDC.mint, tokenNames: null }, known).unit).toBe('USDC.e');
  });

  // What passes for another token's symbol is never behind an amount. A report of another one is a row.
  it.each([
    'USDC',
    'usdc',
    'UsdC',
    'U5DC',
    'USDC.',
    'U-S-D-C',
    '$USDC',
    'USDC2',
    'USDCoin',
    'wUSDC',
    'USD',
    'SDC',
    'U$DC',
  ])('does not count amounts in %s beside the verified USDC', (symbol) => {
    expect(shown(symbol)).toMatchObject({ symbol, unit: null, verified: false });
  });

  it.each(['S0L', 'SoI', 'sol'])('does not count amounts in %s beside the verified SOL', (symbol) => {
    expect(shown(symbol, WELL_KNOWN_TOKENS.devnet).unit).toBeNull();
  });

  it.each(['dUSD', 'tUSD', 'BONK', 'JUP', 'UD', 'X'])('counts amounts in %s', (symbol) => {
    expect(shown(symbol, WELL_KNOWN_TOKENS['mainnet-beta']).unit).toBe(symbol);
  });

  // plans#safe-one-line-texts
  it.each([
    ['no symbol', ''],
    ['a direction', 'U\u202eSD'],
    ['a second line', 'US\nD'],
    ['more bytes than are shown', 'ABCDEFGHIJK'],
  ])('is not the verified one when its symbol has %s', (_, symbol) => {
    const known = knownTokens([
      { ...USDC, symbol },
      { ...USDC, mint: 'other', name: 'A\u2028name' },
    ]);
    expect([...known.byMint.keys()]).toEqual([]);
  });
});

// plans#names-from-the-mint
describe('the names that a mint gave itself', () => {
  it('are kept without white space around them', () => {
    expect(ownNames({ symbol: ' BONK ', name: ' Bonk ' })).toEqual({ symbol: 'BONK', name: 'Bonk' });
    expect(ownNames({ symbol: 'BONK', name: '' })).toEqual({ symbol: 'BONK', name: 'BONK' });
  });

  it.each([
    '',
    '5',
    '000',
    '.5',
    '-',
    'A B',
    'A,B',
    'ABCDEFGHIJK',
    'ÜSD',
    'USD\u0421',
    '💵',
    'A\nB',
    'A\u202eB',
    'now,',
  ])('are not kept with the symbol %j', (symbol) => {
    expect(ownNames({ symbol, name: 'A token' })).toBeNull();
  });

  it.each(['A\u202eB', 'A\nB', 'x'.repeat(65)])('are not kept with the name %j', (name) => {
    expect(ownNames({ symbol: 'BONK', name })).toBeNull();
  });

  it('are none when the mint gave none', () => {
    expect(ownNames(null)).toBeNull();
  });
});
