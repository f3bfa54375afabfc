import type { AttemptWire, CustomerSession } from '@subrail/core/schemas';
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { CheckoutState, OfferedPlan, PlanOption } from '../checkout-state.js';
import type { Kit } from './kit.js';
import type { About } from './machine-element.js';
import {
  backToView,
  backView,
  brandView,
  busyView,
  chainIn,
  dateLine,
  footView,
  iconView,
  loginView,
  markView,
  onExplorer,
  payerLine,
  type Piece,
  problemText,
  problemView,
  stepView,
  unknown,
  waitView,
  wayView,
} from './pieces.js';
import { reviewView } from './review-view.js';
import { choiceTitle, walletsView } from './wallets-view.js';

type StateOf<Name extends CheckoutState['name']> = Extract<CheckoutState, { name: Name }>;
/** A plan to choose. A portal does not say of it whether the customer has it. */
type Offer = OfferedPlan & Partial<Pick<PlanOption, 'isMine'>>;
type Signing = StateOf<'signing_terms' | 'signing_payment'>;

/**
 * A checkout in any of its states. `isFollowed` says that the page goes on by itself once it is paid, and
 * `leave` is the way back to the portal in which it stands.
 */
export function checkoutView(
  state: CheckoutState,
  kit: Kit,
  isFollowed: boolean,
  leave: (() => void) | null,
): TemplateResult {
  const { session } = state;
  // The card itself leads there then.
  const isOver =
    state.name === 'complete' || (state.name === 'failed' && state.problem.next === 'open_portal');
  const back =
    leave === null
      ? session && backToView(session, kit)
      : isOver
        ? nothing
        : wayView(leave, kit.language.steps.open_portal, 'plain');
  return html`<div class="shell" part="checkout">
    ${headView(state, kit)}
    <section class="card" part="card">${cardView(state, kit, isFollowed)}</section>
    ${session === null ? back : footView(session, kit, back ?? nothing)}
  </div>`;
}

/** The subject of a page that shows a checkout. */
export function checkoutAbout(state: CheckoutState): About {
  const { session } = state;
  return { session, heading: (words) => headingOf(state, words) };
}

function headingOf(state: CheckoutState, words: Kit['words']): string | null {
  if (state.name === 'complete') return words.complete(state.plan?.name ?? null);
  if (state.name === 'failed') return words.failed[state.problem.next];
  return state.plan && titleOf(state.plan, state.session, words);
}

function titleOf({ name }: OfferedPlan, session: CustomerSession | null, words: Kit['words']): string {
  return session === null || session.replaces === null ? words.subscribeTo(name) : words.changeTo(name);
}

/** The sentence that says where a checkout is. */
export function checkoutSentence(state: CheckoutState, kit: Kit): string {
  const { words } = kit;
  switch (state.name) {
    case 'loading':
      return state.session === null ? words.opening : words.preparing;
    case 'choosing_wallet':
      return state.problem?.sentence ?? choiceTitle(state, words);
    case 'connecting':
      return words.approveConnection(state.wallet.name);
    case 'review':
      return state.problem === null ? words.review : problemText(state.problem, kit);
    case 'signing_terms':
    case 'signing_payment':
      return signingSentence(state, kit);
    case 'submitting':
      return `${words.submitting}. ${words.submittingHint}`;
    case 'complete':
      return words.complete(state.plan?.name ?? null);
    case 'failed':
      return problemText(state.problem, kit);
    default:
      return unknown(state);
  }
}

function signingSentence(state: Signing, kit: Kit): string {
  const { words } = kit;
  if (state.step === 'refused') return problemText(state.problem, kit);
  if (state.step === 'preparing') return words.preparingPayment;
  return state.name === 'signing_terms'
    ? words.signTerms(state.wallet.name)
    : words.signPayment(state.wallet.name);
}

/** The seller, the plan and its price. */
function headView(state: CheckoutState, kit: Kit): Piece {
  const { session } = state;
  if (session === null)
    return state.name === 'failed' && kit.brand !== null
      ? brandView({ name: kit.brand }, null, kit)
      : nothing;
  const plan = state.name === 'complete' || !('plan' in state) ? null : state.plan;
  return html`<header class="stack" part="head">
    ${brandView(session.project, session.network, kit)}
    ${plan === null ? nothing : planView(plan, session, kit)}
  </header>`;
}

function planView(plan: OfferedPlan, session: CustomerSession, kit: Kit): TemplateResult {
  const { words, formats, level } = kit;
  const { description } = plan;
  const dollars = formats.dollars(plan);
  return html`<div class="tight">
    <div class="title" part="title" role="heading" aria-level=${level}>${titleOf(plan, session, words)}</div>
    <p class="price" part="price">${formats.price(plan)} <small>${formats.period(plan)}</small></p>
    ${dollars === null ? nothing : html`<p class="soft small">${dollars}</p>`}
    ${description === null ? nothing : html`<p class="soft">${description}</p>`}
  </div>`;
}

function cardView(state: CheckoutState, kit: Kit, isFollowed: boolean): TemplateResult {
  const { words } = kit;
  switch (state.name) {
    case 'loading':
      return busyView(state.session === null ? words.opening : words.preparing, state);
    case 'choosing_wallet':
      return choosingView(state, kit);
    case 'connecting':
      return html`${stepView(words.connectTo(state.wallet.name), kit)}
        <div class="busy">
          ${iconView(state.wallet.icon)}
          <p>${words.approveConnection(state.wallet.name)}</p>
        </div>
        ${backView(state.back, kit)}`;
    case 'review':
      return html`${otherPlans(state, kit)} ${reviewView(state, kit)}`;
    case 'signing_terms':
    case 'signing_payment':
      return signingView(state, kit);
    case 'submitting':
      return html`${progressView(2, kit)} ${stepView(words.submitting, kit)}
      ${waitView(words.submittingHint, state)}`;
    case 'complete':
      return completeView(state, kit, isFollowed);
    case 'failed':
      return failedView(state, kit);
    default:
      return unknown(state);
  }
}

function choosingView(state: StateOf<'choosing_wallet'>, kit: Kit): TemplateResult {
  const { plans, plan, choosePlan, problem } = state;
  const { words, formats } = kit;
  const choice =
    plans.length < 2
      ? nothing
      : html`<fieldset class="wallets">
          <legend>${words.plans}</legend>
          ${plans.map(
            (one) =>
              html`<label class="choice">
                <input
                  type="radio"
                  name="plan"
                  .checked=${live(one.slug === plan.slug)}
                  @change=${() => choosePlan(one.slug)}
                />
                <span class="row apart grow">
                  <span><b>${one.name}</b> ${mineView(one, kit)}</span>
                  <span>${formats.price(one)} <span class="soft">${formats.period(one)}</span></span>
                </span>
              </label>`,
          )}
        </fieldset>`;
  return html`${choice} ${stepView(choiceTitle(state, words), kit)} ${problemView(problem, kit)}
  ${walletsView(state, kit)}`;
}

/** The mark of a plan that the customer pays for already. */
function mineView({ isMine }: Offer, { words }: Kit): Piece {
  return isMine === true ? html`<span class="tag">${words.mine}</span>` : nothing;
}

/** Another plan in the review: a click prepares it, so it is no list to walk through with the keyboard. */
function otherPlans({ plans, plan, choosePlan }: StateOf<'review'>, kit: Kit): Piece {
  const others = plans.filter(({ slug }) => slug !== plan.slug);
  if (others.length === 0) return nothing;
  return html`<details class="small">
    <summary>${kit.words.otherPlans}</summary>
    ${planButtons(others, choosePlan, kit)}
  </details>`;
}

/** A button for each plan. */
export function planButtons(
  plans: readonly Offer[],
  choose: (plan: string) => void,
  kit: Kit,
): TemplateResult {
  const { formats } = kit;
  return html`<div class="wallets">
    ${plans.map(
      (one) =>
        html`<button type="button" @click=${() => choose(one.slug)}>
          ${one.name} ${mineView(one, kit)}<span class="end"
            >${formats.price(one)} ${formats.period(one)}</span
          >
        </button>`,
    )}
  </div>`;
}

function progressView(current: 0 | 1 | 2, { words }: Kit): TemplateResult {
  return html`<ol class="steps" aria-label=${words.progress}>
    ${words.steps.map(
      (name, index) =>
        html`<li class=${index < current ? 'done' : ''} aria-current=${index === current ? 'step' : nothing}>
          ${name}
        </li>`,
    )}
  </ol>`;
}

function signingView(state: Signing, kit: Kit): TemplateResult {
  const { words } = kit;
  const { name, wallet, terms, problem, back } = state;
  const isTerms = name === 'signing_terms';
  const progress = progressView(isTerms ? 0 : 1, kit);
  if (state.step === 'refused')
    return html`${progress} ${stepView(words.notSigned, kit)} ${problemView(problem, kit)}
    ${wayView(state.act, state.problem.label)} ${backView(back, kit)}`;
  if (state.step === 'preparing')
    return html`${progress} ${stepView(words.preparingPayment, kit)} ${problemView(problem, kit)}
    ${waitView(words.asksTwice, state)}`;
  return html`${progress}
    ${stepView(isTerms ? words.signTerms(wallet.name) : words.signPayment(wallet.name), kit)}
    ${problemView(problem, kit)}
    <div class="busy">
      ${iconView(wallet.icon)}
      <p class="soft">${isTerms ? words.signTermsHint : words.signPaymentHint}</p>
    </div>
    ${
      isTerms
        ? html`<details class="small">
            <summary>${words.terms}</summary>
            <pre lang="en" tabindex="0">${terms.message}</pre>
          </details>`
        : nothing
    }
    ${backView(back, kit)}`;
}

function completeView(
  { plan, subscription, payment, continueTo, session }: StateOf<'complete'>,
  kit: Kit,
  isFollowed: boolean,
): TemplateResult {
  const { words, formats, portal, language } = kit;
  const { next_charge_at: next, wallet } = subscription;
  const goOn = (): Piece => {
    const { name } = session.project;
    if (continueTo === null)
      return portal === null
        ? nothing
        : html`<div class="actions">${wayView(portal, language.steps.open_portal, '')}</div>`;
    return html`${wayView(continueTo, words.continueTo(name))}
    ${isFollowed ? html`<p class="soft small">${words.goingTo(name)}</p>` : nothing}`;
  };
  return html`${markView()} ${stepView(words.complete(plan?.name ?? null), kit, 0)}
    ${next === null ? html`<p class="soft">${words.nothingCharged}</p>` : nothing}
    <dl>
      ${receiptView(payment, plan, session, kit)}
      ${dateLine(words.nextCharge, next, kit, plan && formats.price(plan))} ${payerLine(wallet, kit)}
    </dl>
    ${goOn()}`;
}

/** The amount that was paid and when, and its transaction. */
function receiptView(
  payment: AttemptWire | null,
  plan: OfferedPlan | null,
  session: CustomerSession,
  kit: Kit,
): Piece {
  if (payment === null) return nothing;
  const { words, formats } = kit;
  const { amount, attempted_at: at, signature } = payment;
  return html`${dateLine(words.outcomes.paid, at, kit, plan && formats.units(amount, plan))}
  ${
    signature === null
      ? nothing
      : html`<div>
          <dt>${words.receipt}</dt>
          <dd>${onExplorer('tx', signature, chainIn(session, kit), words.onSolana)}</dd>
        </div>`
  }`;
}

function failedView({ session, problem, act, chooseWallet }: StateOf<'failed'>, kit: Kit): TemplateResult {
  const { words, language } = kit;
  const { next, label } = problem;
  if (next === 'log_in') return loginView(problem, act, kit);
  const isThere = next === 'open_portal';
  // A customer who is subscribed would pay a second time with another wallet, and may want another plan.
  const isSubscribed =
    isThere &&
    session?.customer.known === true &&
    session.subscriptions.some(({ status }) => status === 'active' || status === 'unpaid');
  const hasOthers = (session?.plans.filter(({ offered }) => offered).length ?? 0) > 1;
  const other = (): Piece => {
    if (chooseWallet === null || next === 'choose_wallet' || (isSubscribed && !hasOthers)) return nothing;
    const isOfPlan = isSubscribed || problem.code === 'plan_not_found';
    const label = isOfPlan ? words.otherPlans : language.steps.choose_wallet;
    return html`<div>${wayView(chooseWallet, label, 'plain')}</div>`;
  };
  return html`${stepView(words.failed[next], kit, 0)} ${problemView(problem, kit, isThere ? 'plain' : 'bad')}
  ${act === null ? nothing : wayView(act, label)} ${other()}`;
}
