import type { HttpOutcome, HttpSender, PrivateTargets } from '@subrail/core/ports';
import { webhookTargets } from '@subrail/core/webhooks';
import { EXCERPT_BYTES, excerptOf } from '../../excerpt.js';
import { reasonOf } from '../../reason-of.js';
import { retryAfterSeconds } from '../../retry-after.js';

/** What the sender may call. */
export interface FetchSenderOptions {
  /**
   * Allows private addresses and plain http, for development: true for all, or hosts and address blocks, such
   * as `['localhost:3000', '10.1.0.0/16']`. Default: false.
   */
  readonly allowPrivate?: PrivateTargets;
}

/**
 * Creates the HttpSender port on the `fetch` of the platform, for runtimes without the sockets of Node, such
 * as Cloudflare Workers.
 *
 * It refuses private addresses in URLs, names that are private by their form (`localhost`, `db.internal`) and
 * plain http. It cannot refuse a public name that resolves to a private address, because `fetch` shows no
 * address before it connects. Use it only where the platform keeps requests from your private network, as
 * Workers do, or where there is none. On Node use `createHttpSender`, which checks each address.
 *
 * It follows no redirect and ends every post at its deadline. It reads an answer to the end of the excerpt.
 * It always returns a value and never throws. The platform decides whether connections are reused; one that
 * the endpoint closes just then is a failed attempt. So is a redirect where the platform hides its status.
 *
 * @throws TypeError that names the entry of `allowPrivate` which cannot be read
 * @example
 * const sender = createFetchSender();
 */
export function createFetchSender({ allowPrivate = false }: FetchSenderOptions = {}): HttpSender {
  const targets = webhookTargets(allowPrivate);
  return {
    async post({ url, headers, body, timeoutMs }) {
      if (!URL.canParse(url)) return { kind: 'refused', reason: 'the endpoint is not a valid URL' };
      const refusal = targets.refusal(new URL(url));
      if (refusal !== null) return { kind: 'refused', reason: `the endpoint ${refusal}` };
      const stop = new AbortController();
      let pass: (passed: null) => void = () => undefined;
      const deadline = new Promise<null>((resolve) => (pass = resolve));
      const timer = setTimeout(() => pass(null), timeoutMs);
      try {
        const request = { method: 'POST', headers, body, redirect: 'manual', signal: stop.signal } as const;
        const response = await Promise.race([fetch(url, request), deadline]);
        if (response === null) return { kind: 'timed_out' };
        return await outcomeOf(response, deadline);
      } catch (error) {
        return { kind: 'failed', reason: reasonOf(error) };
      } finally {
        clearTimeout(timer);
        stop.abort();
      }
    },
  };
}

async function outcomeOf(response: Response, deadline: Promise<null>): Promise<HttpOutcome> {
  if (response.type === 'opaqueredirect')
    return { kind: 'failed', reason: 'the endpoint redirects, which is not followed' };
  return {
    kind: 'answered',
    status: response.status,
    retryAfter: retryAfterSeconds(response.headers.get('retry-after'), new Date()),
    location: response.headers.get('location'),
    excerpt: excerptOf(await startOf(response, deadline), response.headers.get('content-type')),
  };
}

/** The start of a body. A stalled or broken body is no fault, because the status decides. */
async function startOf(
  { body }: { readonly body: ReadableStream<Uint8Array> | null },
  deadline: Promise<null>,
): Promise<Uint8Array> {
  const start = new Uint8Array(EXCERPT_BYTES);
  let length = 0;
  const reader = body?.getReader();
  try {
    while (length < EXCERPT_BYTES) {
      const piece = await Promise.race([reader?.read(), deadline]);
      if (piece?.value === undefined) break;
      const { value } = piece;
      start.set(value.subarray(0, EXCERPT_BYTES - length), length);
      length += value.length;
    }
  } catch {
    // The body broke off.
  }
  return start.subarray(0, length);
}
