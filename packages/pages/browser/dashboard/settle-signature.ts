import type { ManagedPlan } from '@subrail/core/schemas';
import { CallError, type ProjectRoutes } from './api.js';
import { type KeptSignature, keptSignatureOf } from './kept-signature.js';
import { confirmationOf, NOT_YET } from './plan-change.js';

/**
 * The outcome of a signature. `open`: it may still arrive. `over`: it has not arrived and no longer can.
 * `error` is what the service said of it last.
 */
export type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'open' | 'over'; readonly error: CallError | null };

/** The pauses between two looks at the chain: about half a minute in all. */
const LOOKS_MS = [500, 1_000, 1_500, 2_000, 3_000, 4_000, 5_000, 6_000, 7_000];

/** No transaction can arrive later than this after it was signed: its blockhash lasts half as long. */
const LONGEST_LIFE_MS = 180_000;

/** The refusals after which a transaction that was never sent before was not sent now. */
const NOT_SENT: ReadonlySet<string> = new Set([
  'invalid_request',
  'not_our_transaction',
  'transaction_expired',
  'transaction_refused',
]);

/** The codes of calls whose answer says nothing of the plan. */
const UNANSWERED: ReadonlySet<string> = new Set([
  'no_answer',
  'internal_error',
  'network_unavailable',
  'rate_limited',
  'request_timeout',
  'unavailable',
]);

/**
 * Sends what was signed, unless its wallet has, and looks until the chain shows it. What the chain shows is
 * never sent again, and only the same bytes are. Throws a refusal that says that the plan is another one, and
 * one that ends the log-in. Once `isLeft`, nobody sees an outcome: it looks no more, and the signature stays.
 */
export async function settleSignature(
  routes: ProjectRoutes,
  plan: Pick<ManagedPlan, 'id' | 'slug'>,
  signature: KeptSignature,
  isLeft: () => boolean,
): Promise<Outcome> {
  const path = `plans/${encodeURIComponent(plan.slug)}`;
  const kept = keptSignatureOf(plan.id);
  const { change, transaction, at } = signature;
  let { isSent } = signature;
  const forget = () => {
    if (!isLeft()) kept.replace(signature, null);
  };

  /** Null once the chain shows the change; else why it is not known to. */
  async function look(): Promise<CallError | null> {
    const [route, body] = confirmationOf(change);
    try {
      await routes.post(`${path}/${route}`, body);
      return null;
    } catch (error) {
      if (error instanceof CallError && (error.code === NOT_YET[change.step] || UNANSWERED.has(error.code)))
        return error;
      // It is settled: the plan on chain is another one than this page has.
      if (error instanceof CallError && error.code.startsWith('plan_')) forget();
      throw error;
    }
  }
  const isMissing = (error: CallError) => error.code === NOT_YET[change.step];

  /** Sends the bytes. Returns why they cannot arrive; null when they may. */
  async function send(): Promise<CallError | null> {
    if (transaction === null) return null;
    const wasSent = isSent;
    isSent = true;
    // Kept before it is sent: a page that is closed now does not take it for unsent.
    kept.replace(signature, { ...signature, isSent });
    try {
      await routes.post(`${path}/submit`, { transaction });
      return null;
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      if (error.code === 'transaction_expired' || (!wasSent && NOT_SENT.has(error.code))) return error;
      if (UNANSWERED.has(error.code) || NOT_SENT.has(error.code)) return null;
      throw error;
    }
  }

  function settled(outcome: Outcome): Outcome {
    if (outcome.kind !== 'open') forget();
    return outcome;
  }

  // What was signed before the page was opened may have arrived meanwhile.
  if (isSent && (await look()) === null) return settled({ kind: 'done' });
  const refusal = await send();
  let missing: CallError | null = null;
  for (const pause of refusal === null ? LOOKS_MS : [0]) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    if (isLeft()) break;
    missing = await look();
    if (missing === null) return settled({ kind: 'done' });
  }
  if (missing === null || !isMissing(missing)) return { kind: 'open', error: missing };
  const isTooOld = transaction === null && Date.now() - at > LONGEST_LIFE_MS;
  if (refusal !== null || isTooOld) return settled({ kind: 'over', error: refusal });
  return { kind: 'open', error: null };
}
