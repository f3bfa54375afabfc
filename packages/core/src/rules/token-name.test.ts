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
      symbol: 'USDC',
      name: 'USD Coin',
      logoUrl: null,
      verified: true,
      resembles: null,
      unit: 'USDC',
    });
  });

  it('is, for a token that nobody verified, the one that its mint gives', () => {
    expect(shown('BONK')).toEqual({
      symbol: 'BONK',
      name: 'A token',
      logoUrl: null,
      verified: false,
      resembles: null,
      unit: 'BONK',
    });
  });

  it('is null when nobody verified the token and its mint gives none', () => {
    expect(shown(null)).toMatchObject({ symbol: null, name: null, verified: false, unit: null });
  });

  // Symbols that readers took for USDC.
  it.each('USDC usdc UsdC U5DC $USDC USDC2 USDCoin wUSDC USD SDC U$DC VSDC Coin'.split(' '))(
    'is no unit of amounts when an unverified token calls itself %s and USDC is verified',
    (symbol) => {
      expect(shown(symbol)).toMatchObject({ symbol, resembles: 'USDC', unit: null, verified: false });
    },
  );

  it.each([
    ['S0L', 'SOL'],
    ['SoI', 'SOL'],
    ['SQL', 'SOL'],
    ['mSOL', 'SOL'],
    ['USD6', 'USDG'],
    ['USD7', 'USDT'],
    ['Tether', 'USDT'],
    ['PayPal', 'PYUSD'],
  ])(
    'resembles and is no unit of amounts when an unverified token calls itself %s: %s',
    (symbol, resembles) => {
      expect(shown(symbol, WELL_KNOWN_TOKENS['mainnet-beta'])).toMatchObject({ resembles, unit: null });
    },
  );

  it.each(['dUSD', 'tUSD', 'BONK', 'JUP', 'UD', 'X'])(
    'is the unit of amounts when an unverified token calls itself %s',
    (symbol) => {
      expect(shown(symbol, WELL_KNOWN_TOKENS['mainnet-beta']).unit).toBe(symbol);
    },
  );
});

// plans#token-verification, plans#symbols-that-are-shown
describe('a verified token', () => {
  const verified = (...tokens: readonly VerifiedToken[]) => [...knownTokens(tokens).byMint.values()];

  it('replaces an earlier one of the same mint, or with a symbol that looks alike', () => {
    const renamed = { ...USDC, symbol: 'COIN' };
    expect(verified(USDC, renamed)).toEqual([renamed]);
    const other = { ...USDC, mint: 'other', symbol: 'U5DC' };
    expect(verified(other, USDC)).toEqual([USDC]);
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
  ])('is left out with %s', (_, changed) => {
    expect(verified({ ...USDC, ...changed })).toEqual([]);
  });

  it.each([
    ['https://tokens.example/usdc.png', 'https://tokens.example/usdc.png'],
    ['javascript:alert(1)', null],
    ['http://tokens.example/usdc.png', null],
    [null, null],
  ])('with the logo %j is shown with the logo %j', (logoUrl, shownLogo) => {
    expect(verified({ ...USDC, logoUrl })).toEqual([{ ...USDC, logoUrl: shownLogo }]);
  });
});

// plans#names-from-the-mint
describe('the symbol and name that a mint gives', () => {
  it('are shown without white space around them, and the symbol for a missing name', () => {
    expect(ownNames({ symbol: ' BONK ', name: ' Bonk ' })).toEqual({ symbol: 'BONK', name: 'Bonk' });
    expect(ownNames({ symbol: '$WIF', name: '' })).toEqual({ symbol: '$WIF', name: '$WIF' });
  });

  it.each([
    ...['', 'A B', 'A\nB', 'A\u202eB', 'ABCDEFGHIJK', 'ÜSD', 'USD\u0421', '💵'],
    ...'5 000 .5 - A,B A.B for-a-year now, cents CENT5 verified mint tokens'.split(' '),
  ])('are null with the symbol %j', (symbol) => {
    expect(ownNames({ symbol, name: 'A token' })).toBeNull();
  });

  it.each(['A\u202eB', 'A\nB', 'x'.repeat(65)])('are null with the name %j', (name) => {
    expect(ownNames({ symbol: 'BONK', name })).toBeNull();
  });

  it('are null when the mint gives none', () => {
    expect(ownNames(null)).toBeNull();
  });
});
