import type { CustomerCreated, SubscriptionWire } from '@subrail/core/schemas';
import type { CheckoutHost } from './checkout-host.js';
import type { CheckoutShown, PlanOption } from './checkout-state.js';
import { asked, chainOf, type Connection, shown } from './connection.js';
import { fromBase64, toBase64 } from './encodings.js';
import type { Opened } from './options.js';
import { type Problem, ProblemError, problemOf, problemOfError } from './problem.js';
import type { CheckoutProgress, Kept, SignedTerms } from './progress.js';
import type { ProblemCode } from './sentences.js';
import { type Outcome, submitUntilKnown } from './submit.js';
import { changesOf, type TermsChange } from './terms.js';

/** Refusals after which the same wallet signs anew, without a click. */
const RENEWED: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'transaction_expired',
  'transaction_not_built',
  'terms_missing',
  'terms_expired',
  'terms_used',
  'terms_changed',
]);

/** Refusals after which the customer asks the wallet again, or takes another one. */
const ASKED_AGAIN: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'not_our_transaction',
  'invalid_terms_signature',
]);

/** How often the wallet signs anew without a click. A wallet that signs by itself ends there too. */
const MOST_RENEWALS = 3;

/** The desk to which signing goes back. */
export interface Desk extends Opened {
  readonly kept: Kept<CheckoutProgress>;
  /** Null while a payment is sent for a plan that the session does not list any more. */
  readonly plan: PlanOption | null;
  readonly connection: Connection | null;
  show: CheckoutHost['show'];
  review(created: CustomerCreated, problem: Problem | null, changes: readonly TermsChange[]): void;
  /** Reserves the plan for the connected account, and shows the review. */
  prepare(problem: Problem | null): void;
  /** Begins with the choice of a wallet. */
  restart(problem: Problem | null): void;
  fail(error: unknown, again: () => void): void;
  /** Shows a problem as it is, without looking whether another tab has paid. */
  showFailure(problem: Problem, again: () => void): void;
  complete(subscription: SubscriptionWire): void;
}

/** The signatures of a payment and what becomes of it. */
export function signingOf(desk: Desk, { flows, setting }: Pick<CheckoutHost, 'flows' | 'setting'>) {
  const { session, transport, kept } = desk;
  const { language, stopped } = setting;
  let renewals = 0;

  /** Begins with the first prompt, before the wallet is asked. */
  function begin(created: CustomerCreated) {
    renewals = 0;
    prompt('signing_terms', created, 'preparing', null);
  }

  /** Shows a prompt of the wallet. `act` is there once it declined, or what it signed was no use. */
  function prompt(
    name: 'signing_terms' | 'signing_payment',
    created: CustomerCreated,
    step: 'preparing' | 'waiting',
    problem: Problem | null,
    act?: () => void,
  ) {
    const { connection, plan } = desk;
    if (connection === null || plan === null) return;
    const wallet = shown(connection);
    const { costs, terms } = created;
    desk.show((only): CheckoutShown => {
      const back = only(() => {
        // A signature that comes later is of no use.
        flows.stop();
        desk.review(created, null, []);
      });
      const base = { name, session, plan, wallet, costs, terms, back };
      return problem === null || act === undefined
        ? { ...base, step, problem, act: null }
        : { ...base, step: 'refused', problem, act: only(act) };
    });
  }

  function signTerms(created: CustomerCreated, problem: Problem | null) {
    const { connection } = desk;
    if (connection === null) return;
    const { wallet, account } = connection;
    const { message, facts } = created.terms;
    prompt('signing_terms', created, 'waiting', problem);
    flows.run(
      async (live) => {
        const text = new TextEncoder().encode(message);
        const { signature, signedMessage } = await live(asked(wallet, wallet.signMessage(account, text)));
        const progress = kept.read();
        if (progress === null) throw new ProblemError('page_failed');
        const terms: SignedTerms = {
          message,
          facts,
          signature: toBase64(signature),
          signedMessage: toBase64(signedMessage),
        };
        kept.write({ ...progress, terms });
        build(created, terms, null);
      },
      (error) => {
        const declined = problemOfError(language, error);
        prompt('signing_terms', created, 'waiting', declined, () => signTerms(created, null));
      },
    );
  }

  /** Builds a fresh transaction for terms that the customer agreed to. */
  function build(created: CustomerCreated, agreed: Pick<SignedTerms, 'facts'>, problem: Problem | null) {
    prompt('signing_payment', created, 'preparing', problem);
    flows.run(
      async (live) => {
        const fresh = await live(transport.transaction(created.subscription.id));
        if (kept.read()?.terms?.message === fresh.terms.message) {
          signPayment(fresh, problem);
          return;
        }
        const changes = changesOf(agreed.facts, fresh.terms.facts);
        if (changes.length > 0) desk.review(fresh, problemOf(language, 'terms_changed'), changes);
        else signTerms(fresh, problem ?? problemOf(language, 'terms_expired'));
      },
      (error) => desk.fail(error, () => desk.prepare(null)),
    );
  }

  function signPayment(created: CustomerCreated, problem: Problem | null) {
    const { connection } = desk;
    if (connection === null) return;
    const { wallet, account } = connection;
    prompt('signing_payment', created, 'waiting', problem);
    flows.run(
      async (live) => {
        const unsigned = fromBase64(created.transaction);
        const signed = await live(asked(wallet, wallet.sign(account, unsigned, chainOf(session))));
        const progress = kept.read();
        if (progress === null || !('transaction' in signed)) throw new ProblemError('page_failed');
        const sent = { ...progress, transaction: toBase64(signed.transaction) };
        // Kept before it is sent: a page that is closed now sends these bytes when it is opened again.
        kept.write(sent);
        submit(sent, created);
      },
      (error) => {
        const declined = problemOfError(language, error);
        prompt('signing_payment', created, 'waiting', declined, () => build(created, created.terms, null));
      },
    );
  }

  function submit(progress: CheckoutProgress, created: CustomerCreated | null) {
    const { subscription, transaction, terms } = progress;
    if (transaction === null || terms === null) return;
    const { plan } = desk;
    desk.show(() => ({ name: 'submitting', session, plan, subscription }));
    flows.run(
      async (live) => {
        const { message, signature, signedMessage } = terms;
        // Apps of wallets name the bare text also when a hardware wallet signed an envelope around it.
        const isBare = signedMessage === toBase64(new TextEncoder().encode(message));
        const input = {
          transaction,
          terms_signature: signature,
          ...(isBare ? {} : { terms_signed_message: signedMessage }),
        };
        settle(progress, created, await live(submitUntilKnown(transport, subscription, input, stopped)));
      },
      (error) => desk.fail(error, () => submit(progress, created)),
    );
  }

  function settle(progress: CheckoutProgress, created: CustomerCreated | null, outcome: Outcome) {
    if (outcome.kind === 'paid') {
      desk.complete(outcome.subscription);
      return;
    }
    const { error } = outcome;
    if (outcome.kind === 'open') {
      desk.showFailure(problemOfError(language, error), () => submit(progress, created));
      return;
    }
    const { terms: agreed } = progress;
    kept.write({ ...progress, transaction: null, terms: outcome.terms === 'kept' ? agreed : null });
    const problem = problemOfError(language, error);
    const { code } = problem;
    if (created === null || agreed === null || desk.connection === null) {
      // The page was loaded again since: what was signed is over, and a wallet has to sign anew.
      if (RENEWED.has(code) || ASKED_AGAIN.has(code) || problem.next === 'check_again') desk.restart(problem);
      else desk.fail(error, () => desk.restart(null));
    } else if (RENEWED.has(code) && renewals < MOST_RENEWALS) {
      renewals += 1;
      build(created, agreed, problem);
    } else if (RENEWED.has(code) || ASKED_AGAIN.has(code)) {
      const name = outcome.terms === 'kept' ? 'signing_payment' : 'signing_terms';
      prompt(name, created, 'waiting', problem, () => build(created, agreed, null));
    } else if (code === 'transaction_failed') desk.prepare(problem);
    else desk.fail(error, () => desk.prepare(null));
  }

  return { begin, signTerms, build, submit };
}
