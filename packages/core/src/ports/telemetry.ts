/**
 * A piece of work with a beginning and an end:
 * - `request`: a request over HTTP, by its method and the pattern of its route: `GET /v1/plans/{slug}`;
 * - `operation`: an operation of the service, called over HTTP or in process, such as `subscriptions.create`;
 * - `pass`: one run of a pass of the worker, such as `charges`;
 * - `charges`: the work on subscriptions that one pass claimed together;
 * - `delivery`: one attempt of a webhook;
 * - `chain`, `store`: a call of a port, by the name of the method;
 * - `rpc`: a request to a Solana RPC server, by its JSON-RPC method.
 */
export interface Span {
  readonly kind: 'request' | 'operation' | 'pass' | 'charges' | 'delivery' | 'chain' | 'rpc' | 'store';
  /** A text of a small set, so that it may be a label of a metric. */
  readonly name: string;
  /** Further texts of small sets, such as the route of a request. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Ids and counts, for traces and never for labels: their number has no bound. */
  readonly details?: Readonly<Record<string, string | number>>;
}

/** How a piece of work ended. */
export interface SpanEnd {
  /** A text of a small set, such as `ok`, `failed`, or the status of an answer. */
  readonly outcome: string;
  /** Whether a person may have to look at it. */
  readonly failed: boolean;
  readonly details?: Readonly<Record<string, string | number>>;
}

/**
 * Measures and traces the work of the service, such as for Prometheus and OpenTelemetry. The service measures
 * nothing itself, so without this port nothing is spent on it.
 *
 * @example
 * const telemetry: Telemetry = {
 *   async span({ kind, name }, work) {
 *     const began = performance.now();
 *     try {
 *       return await work(() => {});
 *     } finally {
 *       console.log(kind, name, performance.now() - began);
 *     }
 *   },
 *   late: (work, seconds) => console.log(work, seconds),
 * };
 */
export interface Telemetry {
  /**
   * Does a piece of work: returns what `work` returns, and throws what it throws. Calls `work` once, at once.
   * `work` may say how it ended; else it ended well, or failed if it throws. Work inside of it is part of it.
   */
  span<T>(span: Span, work: (end: (how: SpanEnd) => void) => Promise<T>): Promise<T>;
  /** Takes how many seconds a charge or a delivery had been due when it was sent. */
  late(work: 'charges' | 'deliveries', seconds: number): void;
}
