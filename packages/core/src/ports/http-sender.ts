/** One webhook to be posted. */
export interface HttpPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** A total deadline: connecting, sending and reading the answer. */
  readonly timeoutMs: number;
}

/** What came of it. `refused` was never sent: the target is private, or not https. */
export type HttpOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** Whole seconds of a `Retry-After` header, or null. */
      readonly retryAfter: number | null;
      /** The start of the answer's body, at most 1,024 characters. */
      readonly excerpt: string;
    }
  | { readonly kind: 'timed_out' }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'refused'; readonly reason: string };

/** Posts webhooks. Always answers with a value, follows no redirect, and reads no more of an answer than the excerpt. */
export interface HttpSender {
  post(request: HttpPost): Promise<HttpOutcome>;
}
