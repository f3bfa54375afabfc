import type {
  AttemptPage,
  BuildAnswer,
  Confirmation,
  CustomerCreated,
  CustomerSession,
  CustomerSubscriptionPage,
  ErrorBody,
  OpenedLink,
  ReceiptWire,
  SubscriptionWire,
} from '@subrail/core/schemas';
import { isProblemCode, type Missing, ProblemError } from './problem.js';

/** The version of the contract that this package speaks. */
const VERSION = '2026-10-02';

const CUSTOMER_ROUTES = '/customer/v1';

/** Longer than the 90 seconds that a submit or a confirm may wait for the chain. */
export const WAITING_MS = 100_000;
const CALL_MS = 30_000;

/** How often one call is made, and the first wait between two, which doubles. */
const MOST_TRIES = 4;
const FIRST_WAIT_MS = 500;

/** The longest Retry-After that a call waits by itself; a longer one is told to the person. */
const LONGEST_RETRY_AFTER = 10;

/** An error of the routes of customers, or what a proxy answers in its place. */
type Refusal = Partial<ErrorBody> & { readonly missing?: Missing };

/** Where the service is, and what opens it. */
export interface Place {
  /** The address before the paths of a customer. */
  readonly base: string;
  /** The secret of a session; null where the app's own log-in says who calls, or before a link is opened. */
  readonly secret: string | null;
  readonly fetch: typeof fetch | undefined;
}

/** The place of a service with sessions. */
export function servicePlace(service: string, secret: string | null, fetcher: Place['fetch']): Place {
  return { base: service.replace(/\/+$/, '') + CUSTOMER_ROUTES, secret, fetch: fetcher };
}

/** An action that is built, signed by the wallet, sent, and confirmed. */
export type SignedAction = 'cancel' | 'resume' | 'close';

/** The signatures of the wallet for a first payment. */
export interface SubmitInput {
  readonly transaction: string;
  readonly terms_signature: string;
  readonly terms_signed_message?: string;
}

/** Calls a route: a GET without a body. Throws a ProblemError. */
export type Caller = <Answer>(path: string, body?: object, limitMs?: number) => Promise<Answer>;

/**
 * Makes what calls the routes of a place. A call that got no answer, or one that may succeed later, is made
 * again with the same bytes, up to `most` times in all. `stopped` ends them all. `delay` is called with 1
 * once a call is made for the second time, or waits longer than a moment for it, and with -1 when it is over.
 */
export function callerOf(
  { base, secret, fetch: given }: Place,
  stopped: AbortSignal,
  most = MOST_TRIES,
  delay: (by: 1 | -1) => void = () => undefined,
): Caller {
  async function call<Answer>(path: string, body?: object, limitMs = CALL_MS): Promise<Answer> {
    const request = {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'Service-Version': VERSION,
        ...(secret === null ? {} : { Authorization: `Bearer ${secret}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      credentials: 'same-origin',
      cache: 'no-store',
    } as const;
    let isDelayed = false;
    try {
      for (let tried = 1; ; tried += 1)
        try {
          return (await once(path, request, limitMs)) as Answer;
        } catch (error) {
          if (!(error instanceof ProblemError)) throw error;
          const { retryAfter, isRetryable } = error.facts;
          const after = retryAfter ?? 0;
          if (stopped.aborted || isRetryable !== true || tried === most || after > LONGEST_RETRY_AFTER)
            throw error;
          const wait = Math.max(after * 1000, FIRST_WAIT_MS * 2 ** (tried - 1));
          if (after === 0) await pause(wait, stopped);
          if (!isDelayed) delay(1);
          isDelayed = true;
          if (after > 0) await pause(wait, stopped);
        }
    } finally {
      if (isDelayed) delay(-1);
    }
  }

  /** Calls once. */
  async function once(path: string, request: object, limitMs: number): Promise<object> {
    const limit = new AbortController();
    const end = () => limit.abort();
    const timer = setTimeout(end, limitMs);
    stopped.addEventListener('abort', end);
    let refusal = new ProblemError('no_answer', { isRetryable: true });
    try {
      const response = await (given ?? fetch)(base + path, { ...request, signal: limit.signal });
      // The connection is not at fault, whatever the body is, as where an app could not open its service.
      if (response.status >= 500) refusal = new ProblemError('internal_error', { isRetryable: true });
      const answer: unknown = await response.json();
      if (response.ok && typeof answer === 'object' && answer !== null) return answer;
      const { code, message, retryable, missing = null } = answer as Refusal;
      const seconds = Number.parseInt(response.headers.get('Retry-After') ?? '', 10);
      // The page of a proxy has no code, and says nothing of what became of the call.
      if (code !== undefined)
        refusal = new ProblemError(isProblemCode(code) ? code : 'unknown_code', {
          detail: message === undefined ? null : [message].flat().join(' '),
          retryAfter: Number.isNaN(seconds) ? null : seconds,
          missing,
          isRetryable: retryable === true,
        });
    } catch {
      // No answer came, or none that can be read.
    } finally {
      clearTimeout(timer);
      stopped.removeEventListener('abort', end);
    }
    throw refusal;
  }

  return call;
}

/** The routes of a customer as functions. Each throws a ProblemError. */
export type Transport = ReturnType<typeof transportOf>;

/** Makes the routes of a customer into functions. Every route is safe to call twice, and is called again. */
export function transportOf(place: Place, stopped: AbortSignal, delay?: (by: 1 | -1) => void) {
  const call = callerOf(place, stopped, MOST_TRIES, delay);
  const of = (id: string) => `/subscriptions/${encodeURIComponent(id)}`;
  const after = (id: string | null) => (id === null ? '' : `?starting_after=${encodeURIComponent(id)}`);
  return {
    session: () => call<CustomerSession>('/session'),
    openLink: (link: string) => call<OpenedLink>(`/links/${encodeURIComponent(link)}/sessions`, {}),
    list: (last: string | null) => call<CustomerSubscriptionPage>(`/subscriptions${after(last)}`),
    create: (plan: string, wallet: string, email: string | null, replaces: string | null) =>
      call<CustomerCreated>('/subscriptions', {
        plan,
        wallet,
        ...(email === null ? {} : { email }),
        ...(replaces === null ? {} : { replaces }),
      }),
    subscription: (id: string) => call<SubscriptionWire>(of(id)),
    attempts: (id: string, last: string | null) => call<AttemptPage>(`${of(id)}/attempts${after(last)}`),
    receipt: (attempt: string) => call<ReceiptWire>(`/receipts/${encodeURIComponent(attempt)}`),
    transaction: (id: string) => call<CustomerCreated>(`${of(id)}/transaction`, {}),
    submit: (id: string, input: SubmitInput) => call<Confirmation>(`${of(id)}/submit`, input, WAITING_MS),
    retry: (id: string) => call<SubscriptionWire>(`${of(id)}/retry`, {}),
    build: (id: string, action: SignedAction) => call<BuildAnswer>(`${of(id)}/${action}`, {}),
    send: (id: string, transaction: string) =>
      call<{ readonly signature: string }>(`${of(id)}/send`, { transaction }),
    confirm: (id: string, action: SignedAction, signature: string) =>
      call<Confirmation>(`${of(id)}/${action}/confirm`, { signature }, WAITING_MS),
  };
}

/** Waits, or until `stopped`. */
export function pause(ms: number, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      stopped.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    stopped.addEventListener('abort', end);
    if (stopped.aborted) end();
  });
}
