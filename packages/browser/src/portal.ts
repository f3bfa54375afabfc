import type { AttemptPage, CustomerSession, CustomerSubscription } from '@subrail/core/schemas';
import type { actionsOf, PendingActions } from './acting.js';
import { type Checkout, createCheckout } from './checkout.js';
import { flowsOf, type Live } from './flows.js';
import { machineOf, type Machine } from './machine.js';
import { type Opened, type PortalOptions, settingOf } from './options.js';
import type { PortalAction, PortalShown, PortalState } from './portal-state.js';
import { isRepeated, type Problem, ProblemError, problemOfError } from './problem.js';
import { keptIn } from './progress.js';
import type { ChainName } from './wallets.js';

/** A portal: a machine that shows a customer's subscriptions and changes them. */
export type Portal = Machine<PortalState>;

/** The outcome of the last action, which stands above the subscriptions. */
type Notice = Pick<Extract<PortalState, { name: 'ready' }>, 'done' | 'problem' | 'about' | 'repeats'> & {
  readonly act: (() => void) | null;
};

const NO_NOTICE: Notice = { done: null, problem: null, about: null, act: null, repeats: null };

/**
 * Begins a portal. It reads what the customer is subscribed to, and cancels, resumes, closes and retries. A
 * change that the wallet signed is kept in `storage` before it is sent, so a page that is loaded again waits
 * for it and signs no second one.
 *
 * With a `chain` in place of a session it shows what a wallet has at the service in every project, once that
 * wallet is connected: the states `opening` and `of_wallet`.
 *
 * Throws a TypeError when the options do not name exactly one of `session`, `link`, `url` and `chain`.
 *
 * @example
 * const portal = createPortal({ url: '/billing' });
 * portal.subscribe(() => {
 *   const { state } = portal;
 *   if (state.name !== 'ready') return;
 *   const [first] = state.subscriptions;
 *   if (first?.actions.includes('cancel')) state.cancel(first.id);
 * });
 */
export function createPortal(options: PortalOptions): Portal {
  const stopping = new AbortController();
  const setting = settingOf(options, stopping.signal, ['session', 'link', 'url', 'chain'], (by) => delay(by));
  const flows = flowsOf();
  let stopActions: () => void = () => undefined;
  let checkout: Checkout | null = null;
  const { machine, show, delay } = machineOf<PortalShown>(
    { name: 'loading' },
    { options, setting, isPortal: true, load },
    () => {
      flows.stop();
      stopActions();
      checkout?.destroy();
      stopping.abort();
    },
  );

  function load() {
    stopActions();
    stopActions = () => undefined;
    show(() => ({ name: 'loading' }));
    let session: CustomerSession | null = null;
    flows.run(
      async (live) => {
        if ('chain' in options && options.chain != null) return beginForWallet(options.chain, live);
        // A page that shows a checkout loads no actions.
        const [opened, acting] = await live(Promise.all([setting.open(null), import('./acting.js')]));
        ({ session } = opened);
        begin(opened, acting.actionsOf);
      },
      (error) => {
        const problem = problemOfError(setting.language, error);
        show((only) => ({ name: 'failed', session, problem, act: isRepeated(problem) ? only(load) : null }));
      },
    );
  }

  /** A page with sessions does not load the portal without one. */
  async function beginForWallet(chain: ChainName, live: Live) {
    const { beginWalletPortal } = await live(import('./wallet-portal.js'));
    stopActions = beginWalletPortal({
      setting,
      flows,
      chain,
      show,
      get state() {
        return machine.state;
      },
    });
  }

  function begin({ transport, key, ...read }: Opened, actionsFor: typeof actionsOf) {
    let session: CustomerSession = read.session;
    let subscriptions: readonly CustomerSubscription[] = session.subscriptions;
    let hasMore = session.has_more;
    let payments: Readonly<Record<string, AttemptPage>> = {};
    let notice = NO_NOTICE;
    const pending = keptIn<PendingActions>(setting.storage, `subrail:portal:${key}`);
    const actions = actionsFor({
      setting,
      flows,
      transport,
      pending,
      show,
      end,
      refresh: anew,
      get state() {
        return machine.state;
      },
      get session() {
        return session;
      },
    });
    stopActions = actions.stop;

    function end(
      { id }: CustomerSubscription,
      action: PortalAction,
      problem: Problem | null,
      act: (() => void) | null = null,
    ) {
      const { state } = machine;
      // A customer who goes back has done nothing.
      const isDone = problem === null && state.name === 'acting' && state.step === 'confirming';
      const again = problem !== null && isRepeated(problem) ? act : null;
      notice = {
        done: isDone ? { id, action, sentence: setting.language.done[action] } : null,
        problem,
        about: problem === null ? null : id,
        act: again,
        // A charge that was ordered is looked for again.
        repeats: again === null || action === 'retry' ? null : action,
      };
      if (problem === null && !isDone) ready();
      else refresh();
    }

    function refresh() {
      flows.run(
        async (live) => {
          session = await live(transport.session());
          ({ subscriptions, has_more: hasMore } = session);
          if (session.state === 'expired') throw new ProblemError('session_expired');
          ready();
        },
        // The list stays as it is.
        (error) => tell(error),
      );
    }

    function anew() {
      notice = NO_NOTICE;
      refresh();
    }

    function tell(error: unknown) {
      if (notice.problem === null && notice.done === null) {
        const problem = problemOfError(setting.language, error);
        notice = { ...NO_NOTICE, problem, act: isRepeated(problem) ? refresh : null };
      }
      ready();
    }

    function ready() {
      const { act } = notice;
      const start = (action: PortalAction) => (id: string) => {
        const subscription = subscriptions.find((one) => one.id === id);
        if (subscription === undefined) return;
        notice = NO_NOTICE;
        actions.begin(subscription, action);
      };
      show((only) => ({
        name: 'ready',
        session,
        subscriptions,
        hasMore,
        payments,
        ...notice,
        act: act === null ? null : only(act),
        more: only(more),
        // Several lists may be on their way at once.
        showPayments: (id) => void readPayments(id),
        showReceipt: only(showReceipt),
        cancel: only(start('cancel')),
        resume: only(start('resume')),
        close: only(start('close')),
        retry: only(start('retry')),
        subscribe: only((plan) => subscribe(plan, null)),
        change: only((id, plan) => subscribe(plan, id)),
        refresh: only(anew),
      }));
    }

    function more() {
      const last = subscriptions.at(-1);
      if (last === undefined || !hasMore) return;
      notice = NO_NOTICE;
      flows.run(async (live) => {
        const page = await live(transport.list(last.id));
        const known = new Set(subscriptions.map(({ id }) => id));
        subscriptions = [...subscriptions, ...page.data.filter(({ id }) => !known.has(id))];
        hasMore = page.has_more;
        ready();
      }, tell);
    }

    async function readPayments(id: string) {
      const before = payments[id];
      if (before?.has_more === false) return;
      try {
        const page = await transport.attempts(id, before?.data.at(-1)?.id ?? null);
        // A second click while the first was read.
        if (payments[id] !== before) return;
        payments = { ...payments, [id]: { ...page, data: [...(before?.data ?? []), ...page.data] } };
        if (machine.state.name === 'ready') ready();
      } catch (error) {
        if (machine.state.name === 'ready') tell(error);
      }
    }

    function showReceipt(attempt: string) {
      notice = NO_NOTICE;
      flows.run(async (live) => {
        const receipt = await live(transport.receipt(attempt));
        show((only) => ({ name: 'receipt', session, receipt, back: only(ready) }));
      }, tell);
    }

    function subscribe(plan: string, replaces: string | null) {
      const leave = () => {
        own.destroy();
        checkout = null;
        load();
      };
      const own = createCheckout({
        ...options,
        plan,
        replaces,
        portal: leave,
        get login() {
          return options.login ?? leave;
        },
      });
      checkout = own;
      show((only) => ({ name: 'checkout', checkout: own, back: only(leave) }));
    }

    const [signed] = Object.values(pending.read() ?? {});
    const subscription = subscriptions.find(({ id }) => id === signed?.subscription);
    if (signed !== undefined && subscription !== undefined) actions.begin(subscription, signed.action);
    else if (session.state === 'expired') throw new ProblemError('session_expired');
    else if (options.receipt != null) showReceipt(options.receipt);
    else ready();
  }

  load();
  return machine;
}
