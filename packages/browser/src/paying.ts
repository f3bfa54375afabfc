import type { CustomerCreated, SubscriptionWire } from '@subrail/core/schemas';
import { type CheckoutHost, complete, runningIn } from './checkout-host.js';
import type { PlanOption } from './checkout-state.js';
import { chainOf, type Connection, shown } from './connection.js';
import type { Only } from './machine.js';
import type { Opened } from './options.js';
import { shortened } from './formats.js';
import { lockTab } from './page.js';
import { isRepeated, type Problem, ProblemError, problemOf, problemOfError } from './problem.js';
import type { CheckoutProgress, Kept } from './progress.js';
import { signingOf } from './signing.js';
import { MAYBE_PAID, paidAlready } from './submit.js';
import { changesOf, type TermsChange } from './terms.js';
import { walletChoiceOf } from './wallet-choice.js';

/** A session with what can be bought in it. */
export interface Shop extends Opened {
  readonly kept: Kept<CheckoutProgress>;
  /** The slug of the plan that the page names; null without one. */
  readonly wish: string | null;
  /** The plan that is chosen first; null while a payment is sent for one that is not listed any more. */
  readonly plan: PlanOption | null;
  readonly plans: readonly PlanOption[];
  /** The id of the subscription that is replaced; null when none is. */
  readonly replaces: string | null;
  /** What is known of that subscription, which one wallet pays. */
  readonly replaced: SubscriptionWire | null;
}

/** Terms that expire sooner are asked for again before the wallet signs them. */
const FRESH_MS = 60_000;

/** Takes a payment, from the choice of a wallet on. Returns what ends it. */
export function beginPaying(shop: Shop, host: CheckoutHost) {
  const { session, transport, key, kept, wish, plans, replaces, replaced } = shop;
  const { flows, setting } = host;
  const { language, stopped } = setting;
  let { plan } = shop;
  /** The lock of this tab, from when it is asked for. */
  let locking: ReturnType<typeof lockTab> | null = null;
  let unlock: () => void = () => undefined;
  /** The wallet of an earlier page, which is connected again without a click. */
  let earlier = kept.read()?.walletName ?? null;

  /** Shows the review with the accounts that the wallet has by now. */
  let reviewAgain = () => {};

  const isPaying = () => host.state.name.startsWith('signing') || host.state.name === 'submitting';
  const show: CheckoutHost['show'] = (make) => {
    host.show(make);
    if (!isPaying()) unlock();
  };

  function fail(error: unknown, again: () => void) {
    const problem = problemOfError(language, error);
    if (problem.code === 'session_complete' && host.reload()) return;
    const earlierOne = kept.read()?.subscription;
    if (earlierOne === undefined || !MAYBE_PAID.has(problem.code)) {
      showFailure(problem, again);
      return;
    }
    // Another tab may have paid.
    flows.run(
      async (live) => {
        const paid = await live(paidAlready(transport, earlierOne));
        if (paid === null) showFailure(problem, again);
        else end(paid);
      },
      () => showFailure(problem, again),
    );
  }

  function showFailure(problem: Problem, again: () => void) {
    const maySwitch = kept.read()?.transaction == null;
    const { connection } = choice;
    if (problem.next === 'check_again' && connection !== null && plan !== null && maySwitch) {
      const offer = plan;
      show((only) => ({
        ...reviewed(only, connection, offer),
        payable: false,
        problem,
        act: only(() => prepare(null)),
      }));
      return;
    }
    const other = () => chooseWallet(null);
    const act = isRepeated(problem) ? again : problem.next === 'choose_wallet' ? other : null;
    show((only) => ({
      name: 'failed',
      session,
      problem,
      act: act === null ? null : only(act),
      chooseWallet: maySwitch && problem.next !== 'log_in' ? only(other) : null,
    }));
  }

  function end(subscription: SubscriptionWire) {
    kept.write(null);
    choice.stop();
    unlock();
    complete(host, shop, subscription);
  }

  /** Chooses a plan. Returns what its customer is told of it, before a wallet is asked. */
  function choosePlan(slug: string): Problem | null {
    const chosen = plans.find((one) => one.slug === slug);
    if (chosen === undefined) return problemOf(language, 'plan_not_found');
    plan = chosen;
    return subscribed();
  }

  /** Says that the customer pays for the plan already; null when that is not so. */
  function subscribed(): Problem | null {
    const running = plan === null ? undefined : runningIn(session, plan.slug);
    if (running === undefined) return null;
    return problemOf(language, running.status === 'active' ? 'already_subscribed' : 'payment_pending');
  }

  function chooseWallet(problem: Problem | null) {
    choice.drop();
    listWallets(problem);
  }

  function listWallets(problem: Problem | null) {
    const offer = plan;
    if (offer === null) {
      host.load();
      return;
    }
    show((only) => ({
      name: 'choosing_wallet',
      session,
      plan: offer,
      plans,
      ...choice.shownWith(only, problem),
      choosePlan: only((slug) => chooseWallet(choosePlan(slug))),
    }));
  }

  /** Follows the list of wallets, and connects the wallet of an earlier page once it is there. */
  function relist() {
    if (host.state.name !== 'choosing_wallet') return;
    const { problem } = host.state;
    const wallet = choice.named(earlier);
    if (wallet !== undefined) {
      // Without this the wallet would be asked again each time another one registers.
      earlier = null;
      choice.reconnect(wallet, problem);
    }
    listWallets(problem);
  }

  const choice = walletChoiceOf({
    setting,
    flows,
    use: 'pay',
    chain: chainOf(session),
    isExact: false,
    // A signed payment is sent whatever the wallet shows now.
    get mayChange() {
      return kept.read()?.transaction == null;
    },
    listChanged: relist,
    connecting({ name, icon }) {
      earlier = null;
      const offer = plan;
      if (offer === null) return;
      show((only) => ({
        name: 'connecting',
        session,
        plan: offer,
        wallet: { name, icon },
        back: only(() => chooseWallet(null)),
      }));
    },
    connected: prepare,
    unconnected: chooseWallet,
    accountsChanged(isSame) {
      if (!isSame) prepare(problemOf(language, 'account_changed'));
      else if (host.state.name === 'review' && host.state.payable) reviewAgain();
    },
    disconnected: chooseWallet,
  });

  /** Reserves the plan for the account, and shows what it costs. */
  function prepare(problem: Problem | null) {
    const { connection } = choice;
    const offer = plan;
    if (connection === null || offer === null) {
      chooseWallet(problem);
      return;
    }
    if (replaced !== null && !choice.choose(replaced.wallet)) {
      const names = { wallet: connection.wallet.name, account: shortened(replaced.wallet) };
      chooseWallet(problemOf(language, 'wallet_other_account', { names }));
      return;
    }
    const { address } = choice.connection?.account ?? connection.account;
    show(() => ({ name: 'loading', session, plan: offer }));
    flows.run(
      async (live) => {
        const email = kept.read()?.email ?? null;
        const created = await live(transport.create(offer.slug, address, email, replaces));
        remember(created, email);
        // A page that was loaded again says what changed since the customer signed.
        const agreed = kept.read()?.terms?.facts ?? created.terms.facts;
        review(created, problem, changesOf(agreed, created.terms.facts));
      },
      (error) => fail(error, () => prepare(null)),
    );
  }

  function remember(created: CustomerCreated, email: string | null) {
    const { connection } = choice;
    if (connection === null || plan === null) return;
    const { wallet, account } = connection;
    const { id } = created.subscription;
    const progress = kept.read();
    kept.write({
      wish,
      plan: plan.slug,
      wallet: account.address,
      walletName: wallet.name,
      subscription: id,
      email,
      terms: progress?.subscription === id ? progress.terms : null,
      transaction: null,
    });
  }

  /** The part of a review that it has whether payable or not. */
  function reviewed(only: Only, connection: Connection, offer: PlanOption) {
    return {
      name: 'review' as const,
      session,
      plan: offer,
      plans,
      wallet: shown(connection),
      accounts: replaced === null ? connection.usable.map(({ address }) => address) : [],
      asksEmail: session.ask_email && session.customer.email === null,
      chooseAccount: only((address: string) => {
        if (choice.choose(address)) prepare(null);
      }),
      choosePlan: only((slug: string) => prepare(choosePlan(slug))),
      chooseWallet: only(() => chooseWallet(null)),
    };
  }

  function review(created: CustomerCreated, problem: Problem | null, changes: readonly TermsChange[]) {
    const { connection } = choice;
    const offer = plan;
    if (connection === null || offer === null) return;
    reviewAgain = () => review(created, problem, changes);
    show((only) => ({
      ...reviewed(only, connection, offer),
      payable: true,
      costs: created.costs,
      terms: created.terms,
      changes,
      problem,
      act: null,
      pay: only((email?: string) => pay(created, email?.trim() ?? '')),
    }));
  }

  function pay(created: CustomerCreated, given: string) {
    signing.begin(created);
    flows.run(
      async (live) => {
        if (!(await live(lock()))) throw new ProblemError('other_tab');
        const email = given === '' ? (kept.read()?.email ?? null) : given;
        const now = await live(current(created, email));
        remember(now, email);
        const changes = changesOf(created.terms.facts, now.terms.facts);
        if (changes.length > 0) review(now, problemOf(language, 'terms_changed'), changes);
        else if (kept.read()?.terms?.message === now.terms.message) signing.build(now, now.terms, null);
        else signing.signTerms(now, null);
      },
      (error) => {
        // A wrong email is corrected where it was written.
        if (given !== '' && error instanceof ProblemError && error.code === 'invalid_request')
          review(created, problemOf(language, 'invalid_email'), []);
        else fail(error, () => prepare(null));
      },
    );
  }

  /** What was prepared, anew when the email is another one, or the terms would expire while they are read. */
  async function current(created: CustomerCreated, email: string | null): Promise<CustomerCreated> {
    const { connection } = choice;
    if (connection !== null && plan !== null && email !== (kept.read()?.email ?? null))
      return transport.create(plan.slug, connection.account.address, email, replaces);
    const isFresh = Date.parse(created.terms.expires_at) - Date.now() > FRESH_MS;
    return isFresh ? created : transport.transaction(created.subscription.id);
  }

  async function lock(): Promise<boolean> {
    // A customer who went back and pays again has asked for it already.
    locking ??= lockTab(`subrail:${key}`);
    const release = await locking;
    unlock = () => {
      locking = null;
      release?.();
    };
    if (release === null || stopped.aborted || !isPaying()) unlock();
    return release !== null;
  }

  function restart(problem: Problem | null) {
    earlier = kept.read()?.walletName ?? null;
    chooseWallet(problem);
    relist();
  }

  const signing = signingOf(
    {
      session,
      transport,
      key,
      kept,
      get plan() {
        return plan;
      },
      get connection() {
        return choice.connection;
      },
      show,
      review,
      prepare,
      restart,
      fail,
      showFailure,
      complete: end,
    },
    host,
  );
  const progress = kept.read();
  const told = subscribed();
  choice.begin();
  // A customer who chose a wallet on an earlier page goes on there, and reads this beside the price.
  if (told !== null && progress === null) showFailure(told, () => restart(null));
  else if (progress?.transaction == null) restart(told);
  else signing.submit(progress, null);

  return () => {
    choice.stop();
    unlock();
  };
}
