/** A request in plain values, with all that the contract reads, so a mount needs no fetch `Request`. */
export interface HandlerRequest {
  readonly method: string;
  /**
   * The path as `URL.pathname` has it: without `.` and `..`, percent-encoded as it was sent. A target that is
   * no path, such as the `*` of OPTIONS, is passed on, and is not found.
   */
  readonly path: string;
  /** The query with its `?`, as `URL.search` has it; empty without one. */
  readonly search: string;
  /** The client's address. Calls without a valid key are counted against it. */
  readonly ip: string;
  /**
   * The body in chunks; no chunks without a body. A chunk is read only when the service asks for it. The
   * service may stop early; the mount must be able to send the answer then, too.
   */
  readonly body: AsyncIterable<Uint8Array>;
  /** The value of a header by its lowercase name, several joined with commas; null without the header. */
  header(name: string): string | null;
}

/** An answer in plain values. */
export interface HandlerResponse {
  readonly status: number;
  /** Headers by name. Two names never differ in case only. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The text to send in UTF-8; empty for none. An export comes in parts: a part is asked for when the client
   * has taken the ones before, and none is when the client has gone, which ends the iteration. When a part
   * cannot be read, the connection is cut, so that what arrived does not look whole.
   */
  readonly body: string | AsyncIterable<string>;
}

/** An answer that is whole. */
export interface WholeResponse extends HandlerResponse {
  readonly body: string;
}

/** The service as a function of plain values. It never rejects. */
export type RequestHandler = (request: HandlerRequest) => Promise<HandlerResponse>;

/** Where a handler is mounted. */
export interface MountOptions {
  /** The part of the path before `/v1`, such as `/billing`; empty when absent. */
  readonly basePath?: string;
}
