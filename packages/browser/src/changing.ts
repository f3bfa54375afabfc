import type { BuildAnswer, ReasonCode } from '@subrail/core/schemas';
import type { WalletAccount } from '@wallet-standard/base';
import { asked } from './connection.js';
import { fromBase64, toBase58, toBase64 } from './encodings.js';
import type { flowsOf, Live } from './flows.js';
import type { Setting } from './options.js';
import { isProblemCode, type Problem, ProblemError, problemOf, problemOfError } from './problem.js';
import type { ActionProgress } from './progress.js';
import type { ProblemCode } from './sentences.js';
import type { SignedAction } from './transport.js';
import type { ChainName, KnownWallet } from './wallets.js';

/** How far a change is. */
export type ChangeStep = 'preparing' | 'signing' | 'sending' | 'confirming';

/** The routes of a change, those of a customer or those of a wallet. Each throws a ProblemError. */
interface ChangeRoutes {
  build(id: string, action: SignedAction): Promise<Pick<BuildAnswer, 'transaction'>>;
  send(id: string, transaction: string): Promise<unknown>;
  confirm(
    id: string,
    action: SignedAction,
    signature: string,
  ): Promise<
    | { readonly subscription: unknown }
    | { readonly reason_code: ReasonCode | null; readonly reason: string | null }
  >;
}

/** The portal in which a subscription is changed. */
interface ChangeHost<Subscription extends { readonly id: string }> {
  readonly setting: Setting;
  readonly flows: ReturnType<typeof flowsOf>;
  readonly routes: ChangeRoutes;
  chain(): ChainName;
  /** Keeps what the wallet signed until it is settled; null forgets it. */
  remember(id: string, progress: ActionProgress | null): void;
  step(subscription: Subscription, action: SignedAction, step: ChangeStep): void;
  /** Ends a change: done without a problem. */
  end(subscription: Subscription, action: SignedAction, problem: Problem | null): void;
}

/** The answers after which what was signed may still take effect. Only the same bytes are sent again. */
const MAY_LAND: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'no_answer',
  'internal_error',
  'unavailable',
  'network_unavailable',
  'rate_limited',
  'request_timeout',
  'unknown_code',
  'nothing_landed',
  'subscription_changed',
  'cancellation_not_landed',
  'resume_not_landed',
  'close_not_landed',
  // They say nothing of the transaction: the customer comes back with another session.
  'invalid_session',
  'missing_api_key',
  'not_logged_in',
  'session_expired',
  'page_failed',
]);

/** The reasons by which a transaction that was sent can no longer take effect. */
const NEVER_LANDS: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'transaction_failed',
  'transaction_expired',
]);

const SIGNATURE_BYTES = 64;

/**
 * Whether a change that went wrong was made all the same: it was not, it may be later, or its problem says it
 * (cancel-page#when-the-page-says-that-nothing-was-changed).
 */
type Fate = 'kept' | 'open' | 'said';

/** Changes a subscription: the transaction is built, signed by the wallet, sent and confirmed. */
export function changingOf<Subscription extends { readonly id: string }>(host: ChangeHost<Subscription>) {
  const { setting, flows, routes } = host;
  const { changes, kept, mayLand } = setting.language;
  const language = { ...setting.language, problems: { ...setting.language.problems, ...changes } };

  function sign(
    subscription: Subscription,
    action: SignedAction,
    wallet: KnownWallet,
    account: WalletAccount,
  ) {
    const { id } = subscription;
    host.step(subscription, action, 'preparing');
    flows.run(
      async (live) => {
        const built = await live(routes.build(id, action));
        host.step(subscription, action, 'signing');
        const bytes = fromBase64(built.transaction);
        const signed = await live(asked(wallet, wallet.sign(account, bytes, host.chain())));
        const progress: ActionProgress =
          'signature' in signed
            ? { subscription: id, action, transaction: null, signature: toBase58(signed.signature) }
            : {
                subscription: id,
                action,
                transaction: toBase64(signed.transaction),
                // The wallet pays the fee, so its signature is the first one, behind their number.
                signature: toBase58(signed.transaction.subarray(1, 1 + SIGNATURE_BYTES)),
              };
        host.remember(id, progress);
        finish(subscription, progress, true);
      },
      (error) => {
        const problem = problemOfError(language, error);
        // A wallet that sends by itself may have sent before it failed.
        const isKept = !wallet.sends || problem.code !== 'wallet_failed';
        host.end(subscription, action, told(problem, action, isKept ? 'kept' : 'open'));
      },
    );
  }

  /** Sends what the wallet signed, and waits for the chain. `isNew` says that nothing was sent before. */
  function finish(subscription: Subscription, progress: ActionProgress, isNew: boolean) {
    const { id } = subscription;
    const { action } = progress;
    let isSent = !isNew;
    flows.run(
      async (live) => {
        if (isNew) await send(live, subscription, progress);
        isSent = true;
        let problem = await confirm(live, subscription, progress);
        // A page that was closed may have been closed before it sent.
        if (!isNew && problem !== null && problem.code.endsWith('_not_landed')) {
          await send(live, subscription, progress);
          problem = await confirm(live, subscription, progress);
        }
        if (problem === null) {
          host.remember(id, null);
          host.end(subscription, action, null);
        } else {
          const { code } = problem;
          settle(
            subscription,
            action,
            problem,
            NEVER_LANDS.has(code) ? 'kept' : MAY_LAND.has(code) ? 'open' : 'said',
          );
        }
      },
      (error) => settle(subscription, action, problemOfError(language, error), isSent ? 'open' : 'kept'),
    );
  }

  function settle(subscription: Subscription, action: SignedAction, problem: Problem, fate: Fate) {
    if (!MAY_LAND.has(problem.code)) host.remember(subscription.id, null);
    host.end(subscription, action, told(problem, action, fate));
  }

  /** A problem with the sentence about what became of the subscription. */
  function told(problem: Problem, action: SignedAction, fate: Fate): Problem {
    const { code, sentence, next } = problem;
    // It says how the subscription is.
    if (fate === 'said' || code.startsWith('subscription_')) return problem;
    if (fate === 'kept') return { ...problem, sentence: `${sentence} ${kept[action]}` };
    return { ...problem, sentence: next === 'again' ? mayLand : `${mayLand} ${sentence}` };
  }

  async function send(live: Live, subscription: Subscription, progress: ActionProgress) {
    if (progress.transaction === null) return;
    host.step(subscription, progress.action, 'sending');
    await live(
      routes.send(progress.subscription, progress.transaction).catch((error: unknown) => {
        // It may have been sent all the same: the chain says so.
        if (!(error instanceof ProblemError) || !MAY_LAND.has(error.code)) throw error;
      }),
    );
  }

  async function confirm(live: Live, subscription: Subscription, progress: ActionProgress) {
    host.step(subscription, progress.action, 'confirming');
    const answer = await live(routes.confirm(progress.subscription, progress.action, progress.signature));
    if (!('reason_code' in answer) || answer.reason_code === null) return null;
    const { reason_code: code, reason: detail } = answer;
    return problemOf(language, isProblemCode(code) ? code : 'unknown_code', { detail });
  }

  return { sign, finish };
}
