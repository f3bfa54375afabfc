/** One webhook request. */
export interface HttpPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The deadline for the whole request: connecting, sending and reading the response. */
  readonly timeoutMs: number;
}

/**
 * The outcome of a request. `answered`: the endpoint sent a status, also when the rest of its response stalled or broke
 * off. `timed_out`: it sent no complete head of a response before the deadline. `failed`: the connection or its TLS failed,
 * or the response is not HTTP. `refused`: nothing was sent, because the address is private, not https, or not a valid
 * URL.
 */
export type HttpOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** Whole seconds from now that a `Retry-After` header asks for; null when it is absent, malformed or negative. */
      readonly retryAfter: number | null;
      /** The start of the response's body, at most 1,024 characters. */
      readonly excerpt: string;
    }
  | { readonly kind: 'timed_out' }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Posts webhooks. It never rejects, follows no redirect, and reads no more of a response than the excerpt. It sends the
 * body and the headers as they are given. In production it posts over https only and connects to no private address,
 * whatever the name resolved to when it was checked: it connects to the very address that it checked. Its requests may run
 * concurrently.
 */
export interface HttpSender {
  post(request: HttpPost): Promise<HttpOutcome>;
}
