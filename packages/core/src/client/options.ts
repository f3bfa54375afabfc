/** How a client reaches the service, and how it repeats calls. */
export interface ClientOptions {
  /**
   * The URL of the service with its base path and without `/v1`, such as `https://billing.example.com`. In a
   * browser also a path of the page's own server, such as `/billing`.
   */
  readonly url: string;
  /**
   * An API key of the project. It opens every route, so keep it on your server. Without it, calls carry no
   * key: in a browser, a proxy of your own adds it, after checking who calls.
   */
  readonly key?: string;
  /**
   * Sends a request; the platform's `fetch` when absent. `billing.handler` calls a service in this process
   * without a socket.
   */
  readonly fetch?: (request: Request) => Promise<Response>;
  /**
   * How often a call is repeated after a retryable error or no answer; 4 when absent, 0 for never. Every try
   * sends the same bytes, and every route is safe to call twice.
   */
  readonly maxRetries?: number;
  /**
   * The longest `Retry-After`, in seconds, that the client waits for; 60 when absent. An error that asks for
   * more is thrown at once, with the wait in `retryAfter`.
   */
  readonly maxRetryAfter?: number;
  /**
   * Waits before a retry: resolves after `ms` milliseconds, or at once, without throwing, when the signal
   * aborts. A timer when absent. Tests pass a function that moves their clock.
   */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** How one call differs from the client's own settings. It is the last argument of every function. */
export interface CallOptions {
  /** Ends the call, its retries and its waits. The call then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /**
   * How long one try may take, in milliseconds. Default: 100 seconds for a submit or a confirm, which may
   * wait 90 for the chain, and 30 for every other call.
   */
  readonly timeoutMs?: number;
  /** How often this call is repeated at most. */
  readonly maxRetries?: number;
}
