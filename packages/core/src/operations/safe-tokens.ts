import { isSafeLine } from '../contract/inputs.js';
import type { Tokens } from '../ports/index.js';

/**
 * Wraps a source of token names: returns null for a token whose symbol or name could make a signed text look different from
 * what it says, so that the token is shown by its mint alone (plans#safe-one-line-texts).
 */
export function safeTokens(tokens: Tokens): Tokens {
  return {
    async find(mint) {
      const token = await tokens.find(mint);
      return token !== null && isSafeLine(token.symbol) && isSafeLine(token.name) ? token : null;
    },
  };
}
