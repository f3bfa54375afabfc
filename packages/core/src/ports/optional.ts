/** A token whose name its source vouches for. */
export interface VerifiedToken {
  readonly mint: string;
  /** At most 10 bytes. */
  readonly symbol: string;
  readonly name: string;
  readonly logoUrl: string | null;
}

/** A source of verified tokens, beside the well-known ones that the service knows itself. */
export interface Tokens {
  /**
   * Returns every token that the source vouches for: all at once, because a token of another mint that looks
   * like a verified one must not be taken for it. An unchanged list may be returned again: it is read once.
   */
  list(): Promise<readonly VerifiedToken[]>;
}

/** A source of token prices in US dollars. */
export interface Prices {
  /** Returns the price of one whole token as a decimal string, or null when none is known now. */
  usd(mint: string): Promise<string | null>;
}

/**
 * Structured logging: `message` is a constant sentence, and `facts` are the fields that vary. An error is
 * always under `err`, as the error itself, so that pino and the like print its stack; no other field is an
 * error. The service never logs a secret, and nothing of a request but its id and its route.
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
