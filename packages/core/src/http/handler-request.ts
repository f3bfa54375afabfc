/**
 * A request in plain values: all that the contract reads of one. The mount makes it, so that a server without a fetch
 * `Request` need not build one.
 */
export interface HandlerRequest {
  readonly method: string;
  /**
   * The path of the address as `URL` has it: `.` and `..` resolved, percent-encoded as it was sent. A target that is no path,
   * such as the `*` of OPTIONS, is passed as it is, and is not found.
   */
  readonly path: string;
  /** The query of the address with its `?`, as `URL` has it; empty without one. */
  readonly search: string;
  /** The client's address. Calls without a valid key are counted against it. */
  readonly ip: string;
  /**
   * The body in chunks, read no further than the service asks; without a body there are no chunks. The service may stop
   * reading early, which must not keep it from answering.
   */
  readonly body: AsyncIterable<Uint8Array>;
  /** A header by its name in lowercase; its values joined with commas when it was sent several times, null when it was not sent. */
  header(name: string): string | null;
}

/** An answer in plain values. */
export interface HandlerResponse {
  readonly status: number;
  /** Headers by name. No name appears twice, in any case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The text to send in UTF-8; empty for none. */
  readonly body: string;
}

/** The service as a function of plain values. It never rejects. */
export type RequestHandler = (request: HandlerRequest) => Promise<HandlerResponse>;

/** How a handler is mounted. */
export interface HandlerOptions {
  /** The part of the path before `/v1`, such as `/billing`; empty when absent. */
  readonly basePath?: string;
}
