/** A token's name, from a source that vouches for it. */
export interface TokenFacts {
  readonly symbol: string;
  readonly name: string;
  readonly logoUrl: string | null;
}

/** Names of tokens. `find` returns null for a token it does not vouch for, which is then shown without a name. */
export interface Tokens {
  find(mint: string): Promise<TokenFacts | null>;
}

/** Prices of tokens in US dollars. */
export interface Prices {
  /** Returns the price of one whole token as a decimal string, or null when none is known now. */
  usd(mint: string): Promise<string | null>;
}

/**
 * Structured logging: `facts` are fields, `message` is a constant sentence. The service never passes a secret to it.
 */
export interface Logger {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}
