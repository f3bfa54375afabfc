import type { CustomerSession, SubscriptionWire } from '@subrail/core/schemas';
import { type CheckoutHost, complete, plansOf } from './checkout-host.js';
import type { CheckoutShown, CheckoutState } from './checkout-state.js';
import { flowsOf } from './flows.js';
import { machineOf, type Machine } from './machine.js';
import { type CheckoutOptions, type Opened, settingOf } from './options.js';
import { beginPaying } from './paying.js';
import { isRepeated, ProblemError, problemOfError } from './problem.js';
import { type CheckoutProgress, keptIn } from './progress.js';

/** A checkout: a machine from the choice of a wallet to a paid subscription. */
export type Checkout = Machine<CheckoutState>;

/**
 * Begins a checkout. It reads the session, lets the customer choose a wallet, and takes the payment: the
 * terms are signed first, then a fresh transaction, which is kept in `storage` before it is sent. A page that
 * is loaded again goes on from there, and nobody pays twice.
 *
 * `state` says what to show, and has the actions that are allowed then. Nothing is thrown later on: whatever
 * goes wrong is a state with a sentence and a next step.
 *
 * Throws a TypeError when the options do not name exactly one of `session`, `link` and `url`.
 *
 * @example
 * const checkout = createCheckout({ session: 'chs_abc', service: 'https://pay.shop.example' });
 * checkout.subscribe(() => {
 *   const { state } = checkout;
 *   if (state.name === 'choosing_wallet') console.log(state.wallets.map(({ name }) => name));
 *   if (state.name === 'review' && state.payable) state.pay();
 *   if (state.name === 'failed') console.log(state.problem.sentence);
 * });
 */
export function createCheckout(options: CheckoutOptions): Checkout {
  const stopping = new AbortController();
  const setting = settingOf(options, stopping.signal, ['session', 'link', 'url'], (by) => delay(by));
  const flows = flowsOf();
  let stopPaying: () => void = () => undefined;
  let hasReloaded = false;
  const { machine, show, delay } = machineOf<CheckoutShown>(
    { name: 'loading', session: null, plan: null },
    { options, setting, isPortal: false, load },
    () => {
      flows.stop();
      stopPaying();
      stopping.abort();
    },
  );
  const host: CheckoutHost = {
    setting,
    flows,
    show,
    load,
    reload() {
      if (hasReloaded) return false;
      hasReloaded = true;
      load();
      return true;
    },
    get state() {
      return machine.state;
    },
  };

  function load() {
    stopPaying();
    stopPaying = () => undefined;
    show(() => ({ name: 'loading', session: null, plan: null }));
    let session: CustomerSession | null = null;
    const progressOf = (key: string) => keptIn<CheckoutProgress>(setting.storage, `subrail:checkout:${key}`);
    flows.run(
      async (live) => {
        const opened = await live(
          setting.open(
            (earlier) =>
              earlier.session.state === 'expired' && progressOf(earlier.key).read()?.transaction == null,
          ),
        );
        ({ session } = opened);
        const kept = progressOf(opened.key);
        const progress = kept.read();
        const isSent = progress?.transaction != null;
        const replaces = options.replaces ?? null;
        const replaced = await live(
          findReplaced(opened, replaces).catch((error: unknown) => {
            // Nothing is chosen any more.
            if (isSent || opened.session.state === 'complete') return null;
            throw error;
          }),
        );
        // The page of a link says it too.
        if (replaced !== null) session = { ...session, replaces: replaced.plan };
        const listed = plansOf(session);
        const left = session.replaces;
        // Nobody changes to the plan that he leaves.
        const plans = listed.filter(({ offered, slug }) => offered && slug !== left);
        const named = (wanted: string) => listed.find(({ slug }) => slug === wanted) ?? null;
        const wish = options.plan ?? null;
        // A page that names another plan than the page before begins with that one.
        let plan = isSent || progress?.wish === wish ? named(progress.plan) : null;
        // A payment that was sent goes on, also for a plan that is not listed any more.
        if (plan === null && !isSent)
          plan =
            wish === null
              ? // Without a wish it is one that the customer does not have yet.
                (plans.find(({ isMine }) => !isMine) ?? plans[0] ?? null)
              : named(wish);
        if (session.state === 'complete') {
          const paid =
            session.subscriptions.find(({ id }) => id === progress?.subscription) ??
            session.subscriptions.find(({ confirmed_at: confirmed }) => confirmed !== null);
          if (paid === undefined) throw new ProblemError('session_complete');
          kept.write(null);
          complete(host, opened, paid);
        } else if (session.state === 'expired' && !isSent) throw new ProblemError('session_expired');
        else if (!isSent && (plan === null || plans.length === 0)) throw new ProblemError('plan_not_found');
        else
          stopPaying = beginPaying({ ...opened, session, kept, wish, plan, plans, replaces, replaced }, host);
      },
      (error) => {
        const problem = problemOfError(setting.language, error);
        show((only) => ({
          name: 'failed',
          session,
          problem,
          act: isRepeated(problem) ? only(load) : null,
          chooseWallet: null,
        }));
      },
    );
  }

  load();
  return machine;
}

/** Finds the subscription that is replaced, of which the session lists the newest only. */
async function findReplaced(
  { session, transport }: Opened,
  replaces: string | null,
): Promise<SubscriptionWire | null> {
  if (replaces === null) return null;
  return session.subscriptions.find(({ id }) => id === replaces) ?? transport.subscription(replaces);
}
