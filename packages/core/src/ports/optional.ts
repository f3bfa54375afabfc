/** What a token is called, by someone who vouches for it. */
export interface TokenFacts {
  readonly symbol: string;
  readonly name: string;
  readonly logoUrl: string | null;
}

/** Names of tokens. A token it does not vouch for is shown without a name (plans#display-amount). */
export interface Tokens {
  find(mint: string): Promise<TokenFacts | null>;
}

/** Prices of tokens in US dollars. */
export interface Prices {
  /** Price of one whole token as a decimal string, or null when none is known now. */
  usd(mint: string): Promise<string | null>;
}

/** Structured logging. Nothing secret is ever passed to it. */
export interface Logger {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}
