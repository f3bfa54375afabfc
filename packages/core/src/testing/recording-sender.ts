import type { HttpOutcome, HttpPost, HttpSender } from '../ports/http-sender.js';

/** The outcome of a request that an endpoint accepted: status 200 and an empty response. */
export const OK: HttpOutcome = { kind: 'answered', status: 200, retryAfter: null, excerpt: '' };

/**
 * An `HttpSender` for tests, which records every request in `posts` instead of sending it.
 *
 * @example
 * const sender = new RecordingSender(({ url }) => ({ ...OK, status: url.endsWith('/b') ? 500 : 200 }));
 */
export class RecordingSender implements HttpSender {
  /** Every request so far, in order. */
  readonly posts: HttpPost[] = [];
  readonly #respond: (post: HttpPost) => HttpOutcome | Promise<HttpOutcome>;

  /** `respond` returns the outcome of each request; without it every request gets `OK`. */
  constructor(respond: (post: HttpPost) => HttpOutcome | Promise<HttpOutcome> = () => OK) {
    this.#respond = respond;
  }

  async post(request: HttpPost): Promise<HttpOutcome> {
    this.posts.push(request);
    return this.#respond(request);
  }
}
