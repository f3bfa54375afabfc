/** A webhook request. */
export interface HttpPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The deadline for the whole request: name lookup, connecting, sending and reading the response. */
  readonly timeoutMs: number;
}

/**
 * The outcome of a request. `answered`: the endpoint sent a status, also when the rest of its response
 * stalled or broke off. `timed_out`: no complete head of a response came before the deadline. `failed`: the
 * connection or its TLS failed, or the response is not HTTP. `refused`: nothing was sent, because the address
 * is private, not https, or not a valid URL.
 */
export type HttpOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** The whole seconds of a `Retry-After` header, from now; null when absent, malformed or negative. */
      readonly retryAfter: number | null;
      /** The `Location` header of a redirect. Absent where the platform does not show it. */
      readonly location?: string | null;
      /** The start of the response's body as text, decompressed, at most 1,024 characters. */
      readonly excerpt: string;
    }
  | { readonly kind: 'timed_out' }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Posts webhooks. It never rejects, follows no redirect, reads no more of a response than the excerpt, and
 * sends body and headers unchanged. In production it posts over https only and connects to no private
 * address: it connects to the very address that it checked. Its requests may run concurrently. It may use a
 * connection again. When that breaks before any byte of an answer, the sender may send the request once more
 * on a new connection before the deadline, so an endpoint may get a request twice.
 */
export interface HttpSender {
  post(request: HttpPost): Promise<HttpOutcome>;
}

/**
 * The private targets that webhooks may go to, in development: all, none, or the entries of a list. An entry
 * is a host (`localhost`, `receiver.test`), an address or a block of them (`10.1.2.3`, `10.1.0.0/16`,
 * `fd00::/8`), or a host or address with the only port it allows (`localhost:3000`, `[::1]:3000`). A name
 * without a dot, other than `localhost`, needs its port, so that a word such as `yes` is no entry.
 */
export type PrivateTargets = boolean | readonly string[];
