import type { HttpOutcome, HttpPost, HttpSender } from '../ports/http-sender.js';

/** An endpoint's plain success. */
export const OK: HttpOutcome = { kind: 'answered', status: 200, retryAfter: null, excerpt: '' };

/** Keeps every post instead of sending it, and answers as told. */
export class RecordingSender implements HttpSender {
  readonly posts: HttpPost[] = [];
  readonly #answer: (post: HttpPost) => HttpOutcome | Promise<HttpOutcome>;

  /** `answer` stands in for the endpoints; without it all of them answer 200. */
  constructor(answer: (post: HttpPost) => HttpOutcome | Promise<HttpOutcome> = () => OK) {
    this.#answer = answer;
  }

  async post(request: HttpPost): Promise<HttpOutcome> {
    this.posts.push(request);
    return this.#answer(request);
  }
}
