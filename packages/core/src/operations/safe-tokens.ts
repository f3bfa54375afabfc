import { isSafeLine } from '../contract/inputs.js';
import type { Tokens } from '../ports/index.js';

/**
 * A source of token names that vouches for no token whose symbol or name could make a signed text look different from what
 * it says: such a token is shown by its mint alone (plans#safe-one-line-texts).
 */
export function safeTokens(tokens: Tokens): Tokens {
  return {
    async find(mint) {
      const token = await tokens.find(mint);
      return token !== null && isSafeLine(token.symbol) && isSafeLine(token.name) ? token : null;
    },
  };
}
