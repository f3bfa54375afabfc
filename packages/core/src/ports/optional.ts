/** A token's name, from a source that vouches for it. */
export interface TokenFacts {
  readonly symbol: string;
  readonly name: string;
  readonly logoUrl: string | null;
}

/** A source of token names. */
export interface Tokens {
  /** Returns the name of a token, or null when the source does not vouch for it: it is then shown without a name. */
  find(mint: string): Promise<TokenFacts | null>;
}

/** A source of token prices in US dollars. */
export interface Prices {
  /** Returns the price of one whole token as a decimal string, or null when none is known now. */
  usd(mint: string): Promise<string | null>;
}

/**
 * Structured logging: `message` is a constant sentence, and `facts` are the fields that vary. An error is always under
 * `err`, as the error itself, so that pino and the like print its stack; no other field is an error. The service never logs a
 * secret, and nothing of a request but its id and its route.
 *
 * The order of the arguments is pino's, so a pino logger can be given as it is.
 *
 * @example
 * const logger: Logger = {
 *   debug() {},
 *   info: (facts, message) => console.info(message, facts),
 *   warn: (facts, message) => console.warn(message, facts),
 *   error: (facts, message) => console.error(message, facts),
 * };
 */
export interface Logger {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}
