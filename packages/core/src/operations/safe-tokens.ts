import { isSafeLine } from '../contract/inputs.js';
import type { Tokens } from '../ports/index.js';
import { MOST_SYMBOL_BYTES } from '../rules/terms.js';

/**
 * Wraps a source of token names: returns null for a token whose symbol or name could make a signed text look different from
 * what it says, or too long to be signed, so that the token is shown by its mint alone (plans#safe-one-line-texts).
 */
export function safeTokens(tokens: Tokens): Tokens {
  return {
    async find(mint) {
      const token = await tokens.find(mint);
      if (token === null || !isSafeLine(token.symbol) || !isSafeLine(token.name)) return null;
      return new TextEncoder().encode(token.symbol).length <= MOST_SYMBOL_BYTES ? token : null;
    },
  };
}
