/** One webhook request. */
export interface HttpPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The deadline for the whole request: connecting, sending and reading the response. */
  readonly timeoutMs: number;
}

/**
 * The outcome of a request. `answered`: the endpoint sent a status. `timed_out`: it sent no status before the deadline.
 * `failed`: the connection failed. `refused`: nothing was sent, because the address is private, not https, or not a valid
 * URL.
 */
export type HttpOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** Whole seconds of a `Retry-After` header, or null. */
      readonly retryAfter: number | null;
      /** The start of the response's body, at most 1,024 characters. */
      readonly excerpt: string;
    }
  | { readonly kind: 'timed_out' }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Posts webhooks. It never rejects, follows no redirect, connects to no private address, and reads no more of a
 * response than the excerpt.
 */
export interface HttpSender {
  post(request: HttpPost): Promise<HttpOutcome>;
}
