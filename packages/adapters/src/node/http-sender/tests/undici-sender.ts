import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { HttpOutcome, HttpPost, HttpSender } from '@subrail/core/ports';
import { isPublicAddress } from '@subrail/core/webhooks';
import { Agent, fetch } from 'undici';

/** The target is private, so nothing was sent to it. */
class PrivateTarget extends Error {}

/** An HttpSender on undici's fetch. `allowPrivate` also allows plain http, for development and for tests. */
export function createUndiciSender({ allowPrivate = false } = {}): HttpSender {
  const isAllowed = (address: string) => allowPrivate || isPublicAddress(address);

  // Checked where the connection is made: between an earlier check and the connection, the name could get
  // another address.
  const checkedLookup: LookupFunction = (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) {
        callback(error, []);
        return;
      }
      const [first] = addresses;
      if (!addresses.every(({ address }) => isAllowed(address)))
        callback(new PrivateTarget(`${hostname} resolves to a private address`), []);
      else if (first === undefined) callback(new Error(`${hostname} has no address`), []);
      else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
  const dispatcher = new Agent({ connect: { lookup: checkedLookup }, pipelining: 0 });

  return {
    async post({ url, headers, body, timeoutMs }: HttpPost): Promise<HttpOutcome> {
      const target = URL.canParse(url) ? new URL(url) : null;
      if (target === null || !(target.protocol === 'https:' || (allowPrivate && target.protocol === 'http:')))
        return { kind: 'refused', reason: 'the endpoint is not an https URL' };
      // An address in the URL is never looked up.
      const host = target.hostname.replace(/^\[|\]$/g, '');
      if (isIP(host) !== 0 && !isAllowed(host))
        return { kind: 'refused', reason: `${host} is a private address` };

      const signal = AbortSignal.timeout(timeoutMs);
      try {
        const request = { method: 'POST', headers, body, signal, dispatcher, redirect: 'manual' } as const;
        const response = await fetch(target, request);
        const retryAfter = secondsOf(response.headers.get('retry-after'));
        const excerpt = await startOf(response.body?.getReader() ?? null);
        return { kind: 'answered', status: response.status, retryAfter, excerpt };
      } catch (error) {
        const { cause = error } = error as Error;
        if (cause instanceof PrivateTarget) return { kind: 'refused', reason: cause.message };
        return signal.aborted ? { kind: 'timed_out' } : { kind: 'failed', reason: String(cause) };
      }
    },
  };
}

/** Whole seconds from now that a Retry-After header asks for, which has either a number or a date. */
function secondsOf(header: string | null): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const seconds = header.endsWith('GMT') ? Math.ceil((Date.parse(header) - Date.now()) / 1_000) : NaN;
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}

/** The first 1,024 characters of a body. What came before it stalled or broke off is enough. */
async function startOf(reader: { read(): Promise<Chunk>; cancel(): Promise<void> } | null): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  try {
    for (let chunk = await reader?.read(); chunk?.value !== undefined; chunk = await reader?.read()) {
      text += decoder.decode(chunk.value, { stream: true });
      if (text.length >= 1_024) break;
    }
  } catch {
    // The status has arrived, and it decides the outcome.
  }
  await reader?.cancel().catch(() => undefined);
  return text.slice(0, 1_024);
}

interface Chunk {
  readonly value?: Uint8Array | undefined;
}
