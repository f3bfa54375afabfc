import { isSafeLine } from '../contract/inputs.js';
import type { VerifiedToken } from '../ports/index.js';
import type { Plan, TokenNames } from '../records/index.js';

/** How a token is shown, and whether its name is verified. */
export interface TokenName {
  readonly symbol: string | null;
  readonly name: string | null;
  readonly logoUrl: string | null;
  readonly verified: boolean;
  /** The symbol of the verified token that an unverified symbol passes for; null when there is none. */
  readonly resembles: string | null;
  /** The unit of amounts: the symbol, or null when there is none or it passes for another token's. */
  readonly unit: string | null;
}

/** Verified tokens by their mints, and the symbols and names that look like theirs. */
export interface KnownTokens {
  readonly byMint: ReadonlyMap<string, VerifiedToken>;
  /** Their symbols, by the looks of their symbols and names. */
  readonly looks: ReadonlyMap<string, string>;
}

/** The most bytes of a symbol that is shown. */
export const MOST_SYMBOL_BYTES = 10;
const MOST_NAME_CHARACTERS = 64;

/** A symbol that is shown: one word, which reads neither as a number nor as part of the text around it. */
const SYMBOL = /^[A-Za-z$][A-Za-z0-9$]{0,9}$/;

/** Characters that a reader takes for another one, after the letters are capital. */
const LOOK_ALIKES = new Map(
  '0O QO 1I LI 5S $S 8B 2Z 6G 7T VU'.split(' ').map((pair) => [pair[0], pair[1]] as const),
);

/** The looks of words that would change the meaning of a text in the place of a symbol. */
const WORDS: ReadonlySet<string> = new Set(
  [
    'cent cents dollar dollars euro euros buck bucks penny pennies',
    'token tokens mint verified known free none nothing once only per total',
    'hour hours day days week weeks month months year years',
  ]
    .join(' ')
    .split(' ')
    .map(look),
);

/** The shortest symbol that passes for another one by being a part of it. */
const LEAST_PART = 3;

/**
 * Prepares verified tokens for reading. Of two with one mint the later counts. A token is left out when its
 * names could make signed terms look different (plans#token-verification), or when its symbol looks like
 * that of a later token of another mint.
 */
export function knownTokens(tokens: readonly VerifiedToken[]): KnownTokens {
  const bySymbol = new Map<string, VerifiedToken>();
  for (const token of tokens) if (isShown(token)) bySymbol.set(look(token.symbol), shown(token));
  const byMint = new Map([...bySymbol.values()].map((token) => [token.mint, token]));
  const looks = new Map<string, string>();
  for (const { symbol, name } of byMint.values()) looks.set(look(name), symbol);
  for (const { symbol } of byMint.values()) looks.set(look(symbol), symbol);
  looks.delete('');
  return { byMint, looks };
}

function isShown({ symbol, name }: TokenNames): boolean {
  return (
    SYMBOL.test(symbol) && !WORDS.has(look(symbol)) && name.length <= MOST_NAME_CHARACTERS && isSafeLine(name)
  );
}

function shown({ mint, symbol, name, logoUrl }: VerifiedToken): VerifiedToken {
  return { mint, symbol, name, logoUrl: logoUrl?.startsWith('https://') === true ? logoUrl : null };
}

/** The names of a mint that can be shown, or null (plans#names-from-the-mint). */
export function ownNames(names: TokenNames | null): TokenNames | null {
  const symbol = names?.symbol.trim() ?? '';
  const name = names?.name.trim() ?? '';
  return isShown({ symbol, name }) ? { symbol, name: name === '' ? symbol : name } : null;
}

/** How the token of a plan is shown (plans#token-verification). */
export function tokenName(
  { mint, tokenNames }: Pick<Plan, 'mint' | 'tokenNames'>,
  known: KnownTokens,
): TokenName {
  const verified = known.byMint.get(mint);
  if (verified !== undefined) {
    const { symbol, name, logoUrl } = verified;
    return { symbol, name, logoUrl, verified: true, resembles: null, unit: symbol };
  }
  const { symbol = null, name = null } = tokenNames ?? {};
  const resembles = symbol === null ? null : resembled(symbol, known);
  return {
    symbol,
    name,
    logoUrl: null,
    verified: false,
    resembles,
    unit: resembles === null ? symbol : null,
  };
}

/** The symbol of the verified token for which a symbol passes: both look alike, or contain each other. */
function resembled(symbol: string, { looks }: KnownTokens): string | null {
  const own = look(symbol);
  const same = looks.get(own);
  if (same !== undefined) return same;
  for (const [other, known] of looks) {
    const [part, whole] = own.length < other.length ? [own, other] : [other, own];
    if (part.length >= LEAST_PART && whole.includes(part)) return known;
  }
  return null;
}

/** A text as readers take it in: without case, marks, and differences between similar characters. */
function look(text: string): string {
  return text
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}$]/gu, '')
    .replace(/[0Q1L5$8267V]/g, (character) => LOOK_ALIKES.get(character) ?? character);
}
