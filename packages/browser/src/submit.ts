import type { SubscriptionWire } from '@subrail/core/schemas';
import { isProblemCode, ProblemError } from './problem.js';
import type { ProblemCode } from './sentences.js';
import { pause, type SubmitInput, type Transport } from './transport.js';

/** The outcome of a signed payment. */
export type Outcome =
  | { readonly kind: 'paid'; readonly subscription: SubscriptionWire }
  /** It may still land: only the same bytes are sent again. */
  | { readonly kind: 'open'; readonly error: ProblemError }
  /** It was never sent or can never land. `terms` says whether their signature can be used again. */
  | { readonly kind: 'over'; readonly error: ProblemError; readonly terms: 'kept' | 'spent' };

/** The pause before the same bytes are sent again, when the service does not wait for the chain itself. */
const LOOK_AGAIN_MS = 2_000;

/** The refusals after which the terms that were signed are still good. */
const TERMS_KEPT: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'transaction_not_built',
  'not_our_transaction',
  'wallet_mismatch',
  'transaction_expired',
  'seat_cap_reached',
  'transaction_refused',
]);

/**
 * The refusals that also say that nothing was sent. Any other answer may hide a payment that landed. After
 * `change_in_flight` the same bytes may be taken later, so the wallet is not asked anew.
 */
const NOTHING_SENT: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  ...TERMS_KEPT,
  'invalid_request',
  'payload_too_large',
  'subscription_not_found',
  'not_awaiting_signature',
  'terms_missing',
  'invalid_terms_signature',
  'terms_used',
  'terms_expired',
  'terms_changed',
  'already_subscribed',
  'subscription_stopped',
  'subscription_terms_changed',
  'not_replaceable',
  'comeback_landed',
  'session_complete',
]);

/** The refusals that a payment of the same subscription explains, which another tab may have made. */
export const MAYBE_PAID: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'not_awaiting_signature',
  'terms_used',
  'already_subscribed',
  'session_complete',
]);

/** The reasons by which what was sent can never pay for the subscription. */
const NEVER_PAYS: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'not_our_transaction',
  'transaction_failed',
  'transaction_expired',
  'subscription_mismatch',
  'subscription_remade',
  'dev_not_running',
  'earlier_subscription_running',
]);

/**
 * Sends a signed payment, and the same bytes again until the service knows what became of them, or until
 * `stopped`, which leaves it open.
 */
export async function submitUntilKnown(
  transport: Transport,
  subscription: string,
  input: SubmitInput,
  stopped: AbortSignal,
): Promise<Outcome> {
  for (;;) {
    try {
      const answer = await transport.submit(subscription, input);
      if (!('reason_code' in answer)) return { kind: 'paid', subscription: answer.subscription };
      const { reason_code: reason, reason: detail } = answer;
      if (answer.subscription.status === 'active') return { kind: 'paid', subscription: answer.subscription };
      const error = new ProblemError(isProblemCode(reason) ? reason : 'unknown_code', { detail });
      if (NEVER_PAYS.has(error.code)) return { kind: 'over', error, terms: 'spent' };
      if (reason !== 'nothing_landed') return { kind: 'open', error };
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      const paid = MAYBE_PAID.has(error.code) ? await paidAlready(transport, subscription) : null;
      if (paid !== null) return { kind: 'paid', subscription: paid };
      if (NOTHING_SENT.has(error.code))
        return { kind: 'over', error, terms: TERMS_KEPT.has(error.code) ? 'kept' : 'spent' };
      const isLost = error.code === 'no_answer' || error.code === 'internal_error';
      return { kind: 'open', error: isLost ? new ProblemError('submit_unanswered') : error };
    }
    await pause(LOOK_AGAIN_MS, stopped);
    if (stopped.aborted) return { kind: 'open', error: new ProblemError('submit_unanswered') };
  }
}

/** The subscription, when it was paid meanwhile. */
export async function paidAlready(transport: Transport, id: string): Promise<SubscriptionWire | null> {
  const now = await transport.subscription(id).catch(() => null);
  return now?.confirmed_at == null ? null : now;
}
