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
      ...{ symbol: 'USDC', name: 'USD Coin', logoUrl: null, verified: true, resembles: null, unit: 'USDC' },
    });
  });

  it('is what the mint says of itself, and not verified', () => {
    expect(shown('BONK')).toEqual({
      ...{ symbol: 'BONK', name: 'A token', logoUrl: null, verified: false, resembles: null, unit: 'BONK' },
    });
  });

  it('is none when the mint says nothing', () => {
    expect(shown(null)).toMatchObject({ symbol: null, name: null, verified: false, unit: null });
  });

  // A symbol that passes for another token's is never behind an amount. Each report of one is a row.
  it.each([
    ...[
      'USDC',
      'usdc',
      'UsdC',
      'U5DC',
      '$USDC',
      'USDC2',
      'USDCoin',
      'wUSDC',
      'USD',
      'SDC',
      'U$DC',
      'VSDC',
      'Coin',
    ],
  ])('does not count amounts in %s beside the verified USDC', (symbol) => {
    expect(shown(symbol)).toMatchObject({ symbol, resembles: 'USDC', unit: null, verified: false });
  });

  it.each([
    ['S0L', 'SOL'],
    ['SoI', 'SOL'],
    ['SQL', 'SOL'],
    ['mSOL', 'SOL'],
    ['USD6', 'USDG'],
    ['USD7', 'USDT'],
    ['Tether', 'USDT'],
    ['PayPal', 'PYUSD'],
  ])('says that %s is not the well-known %s', (symbol, resembles) => {
    expect(shown(symbol, WELL_KNOWN_TOKENS['mainnet-beta'])).toMatchObject({ resembles, unit: null });
  });

  it.each(['dUSD', 'tUSD', 'BONK', 'JUP', 'UD', 'X'])('counts amounts in %s', (symbol) => {
    expect(shown(symbol, WELL_KNOWN_TOKENS['mainnet-beta']).unit).toBe(symbol);
  });
});

// plans#token-verification, plans#symbols-that-are-shown
describe('a listed token', () => {
  const known = (...tokens: readonly VerifiedToken[]) => [...knownTokens(tokens).byMint.values()];

  it('is the later one of two for the same mint, and of two whose symbols look alike', () => {
    const renamed = { ...USDC, symbol: 'COIN' };
    expect(known(USDC, renamed)).toEqual([renamed]);
    const other = { ...USDC, mint: 'other', symbol: 'U5DC' };
    expect(known(other, USDC)).toEqual([USDC]);
  });

  // plans#safe-one-line-texts
  it.each([
    ['no symbol', { symbol: '' }],
    ['a symbol of several words', { symbol: 'cents USDC' }],
    ['a number for a symbol', { symbol: '000' }],
    ['a symbol of other letters', { symbol: 'USD\u0421' }],
    ['a word for a symbol', { symbol: 'Cents' }],
    ['a symbol of more bytes than are shown', { symbol: 'ABCDEFGHIJK' }],
    ['a symbol that turns the text around', { symbol: 'U\u202eSD' }],
    ['a name of two lines', { name: 'A\u2028name' }],
    ['a name that is too long', { name: 'x'.repeat(65) }],
  ])('is not verified with %s', (_, changed) => {
    expect(known({ ...USDC, ...changed })).toEqual([]);
  });

  it.each([
    ['https://tokens.example/usdc.png', 'https://tokens.example/usdc.png'],
    ['javascript:alert(1)', null],
    ['http://tokens.example/usdc.png', null],
    [null, null],
  ])('has the logo %j as %j', (logoUrl, kept) => {
    expect(known({ ...USDC, logoUrl })).toEqual([{ ...USDC, logoUrl: kept }]);
  });
});

// plans#names-from-the-mint
describe('the names that a mint gave itself', () => {
  it('are kept without white space around them', () => {
    expect(ownNames({ symbol: ' BONK ', name: ' Bonk ' })).toEqual({ symbol: 'BONK', name: 'Bonk' });
    expect(ownNames({ symbol: '$WIF', name: '' })).toEqual({ symbol: '$WIF', name: '$WIF' });
  });

  it.each([
    ...[
      '',
      '5',
      '000',
      '.5',
      '-',
      'A B',
      'A,B',
      'A.B',
      'for-a-year',
      'ABCDEFGHIJK',
      'ÜSD',
      'USD\u0421',
      '💵',
      'A\nB',
    ],
    ...['A\u202eB', 'now,', 'cents', 'CENT5', 'verified', 'mint', 'tokens'],
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
