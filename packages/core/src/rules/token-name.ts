import { isSafeLine } from '../contract/inputs.js';
import type { VerifiedToken } from '../ports/index.js';
import type { Plan, TokenNames } from '../records/index.js';

/** How a token is shown, and whether somebody vouches for its name. */
export interface TokenName {
  readonly symbol: string | null;
  readonly name: string | null;
  readonly logoUrl: string | null;
  readonly verified: boolean;
  /** What an amount is counted in: the symbol, or null when it would pass for another token's or there is none. */
  readonly unit: string | null;
}

/** Verified tokens, so that each is found by its mint, and what looks like one of them by its symbol. */
export interface KnownTokens {
  readonly byMint: ReadonlyMap<string, VerifiedToken>;
  /** Their symbols as a reader takes them in. */
  readonly looks: ReadonlySet<string>;
}

/** The most bytes of a symbol that is shown. */
export const MOST_SYMBOL_BYTES = 10;
const MOST_NAME_CHARACTERS = 64;

/**
 * A symbol that a mint gave itself: a letter or a dollar sign, then what stands in no sentence, so that nothing of it reads as a
 * number or as a word of the text around it.
 */
const OWN_SYMBOL = /^[A-Za-z$][A-Za-z0-9$.+-]{0,9}$/;

/** The shortest symbol that is taken for a part of another one. */
const LEAST_PART = 3;

/** Characters that a reader takes for another one, after the letters are capital. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  '0': 'O',
  '1': 'I',
  L: 'I',
  '5': 'S',
  $: 'S',
  '8': 'B',
  '2': 'Z',
};

/**
 * Prepares verified tokens for reading. Where two have one mint the later counts. A token is left out when its symbol or its name
 * could make a text that a wallet signs look different from what it says, or too long to be signed (plans#safe-one-line-texts).
 */
export function knownTokens(tokens: readonly VerifiedToken[]): KnownTokens {
  const shown = tokens.filter(
    ({ symbol, name }) =>
      symbol !== '' &&
      isSafeLine(symbol) &&
      isSafeLine(name) &&
      new TextEncoder().encode(symbol).length <= MOST_SYMBOL_BYTES,
  );
  return {
    byMint: new Map(shown.map((token) => [token.mint, token])),
    looks: new Set(shown.map(({ symbol }) => look(symbol))),
  };
}

/** What is kept of a name that a mint gave itself; null when it cannot be shown (plans#names-from-the-mint). */
export function ownNames(names: TokenNames | null): TokenNames | null {
  const symbol = names?.symbol.trim() ?? '';
  const name = names?.name.trim() ?? '';
  const shown = OWN_SYMBOL.test(symbol) && name.length <= MOST_NAME_CHARACTERS && isSafeLine(name);
  return shown ? { symbol, name: name === '' ? symbol : name } : null;
}

/** How the token of a plan is shown (plans#token-verification). */
export function tokenName(
  { mint, tokenNames }: Pick<Plan, 'mint' | 'tokenNames'>,
  known: KnownTokens,
): TokenName {
  const verified = known.byMint.get(mint);
  if (verified !== undefined) {
    const { symbol, name, logoUrl } = verified;
    return { symbol, name, logoUrl, verified: true, unit: symbol };
  }
  const { symbol = null, name = null } = tokenNames ?? {};
  const unit = symbol !== null && isMistakable(symbol, known) ? null : symbol;
  return { symbol, name, logoUrl: null, verified: false, unit };
}

/** Whether a symbol passes for that of a verified token: it looks the same, or one is a part of the other. */
function isMistakable(symbol: string, { looks }: KnownTokens): boolean {
  const own = look(symbol);
  if (looks.has(own)) return true;
  for (const other of looks) {
    const [part, whole] = own.length < other.length ? [own, other] : [other, own];
    if (part.length >= LEAST_PART && whole.includes(part)) return true;
  }
  return false;
}

/** A symbol as a reader takes it in: without case, marks, and the differences between characters that look the same. */
function look(symbol: string): string {
  return symbol
    .normalize('NFKD')
    .toUpperCase()
    .replace(/./gsu, (character) => LOOK_ALIKES[character] ?? character)
    .replace(/[^\p{L}\p{N}]/gu, '');
}
