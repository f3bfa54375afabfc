/**
 * A request in plain values: all that the contract reads of one. Whatever mounts the service makes it, so that a server
 * which has no fetch `Request` at hand need not build one.
 */
export interface HandlerRequest {
  readonly method: string;
  /**
   * The address's path as `URL` has it: `.` and `..` resolved, percent-encoded as it was sent. What was asked for instead,
   * such as the `*` of OPTIONS, when that is no path: it is not found.
   */
  readonly path: string;
  /** The address's query with its `?`, as `URL` has it; empty without one. */
  readonly search: string;
  /** Whom calls without a valid key are counted against (requests#client-address-behind-proxies). */
  readonly ip: string;
  /**
   * The body piece by piece, never read further than it is asked for; without a body there are no pieces. Leaving it
   * early must not stand in the way of the answer.
   */
  readonly body: AsyncIterable<Uint8Array>;
  /** A header by its name in lowercase, given several times joined with commas; null when it was not sent. */
  header(name: string): string | null;
}

/** An answer in plain values. */
export interface HandlerResponse {
  readonly status: number;
  /** By their names, none of which comes twice in whatever case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Text to be sent in UTF-8; empty for none. */
  readonly body: string;
}

export type RequestHandler = (request: HandlerRequest) => Promise<HandlerResponse>;
