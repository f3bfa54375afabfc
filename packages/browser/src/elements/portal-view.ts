import type { CustomerSession } from '@subrail/core/schemas';
import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { PortalState } from '../portal-state.js';
import { shortened } from '../formats.js';
import { checkoutAbout, planButtons } from './checkout-view.js';
import type { Kit } from './kit.js';
import type { About } from './machine-element.js';
import {
  backToView,
  backView,
  brandView,
  busyView,
  footView,
  loginView,
  listNoticeView,
  problemText,
  problemView,
  stepView,
  titleView,
  unknown,
  waitView,
  wayView,
} from './pieces.js';
import { receiptView } from './receipt-view.js';
import { subscriptionView } from './subscription-view.js';
import { ofWalletView, openingView, walletPortalSentence } from './wallet-portal-view.js';
import { walletsView } from './wallets-view.js';

/** The parts of a checkout, which an app gives rules in the portal too. */
const PARTS = [
  ...['checkout', 'head', 'brand', 'avatar', 'title', 'price', 'card', 'step', 'wallet', 'terms', 'costs'],
  ...['primary', 'notice', 'spinner', 'qr', 'foot'],
].join(', ');

type StateOf<Name extends PortalState['name']> = Extract<PortalState, { name: Name }>;
type Changing = StateOf<'choosing_wallet' | 'acting'>;

/** A portal in any of its states. */
export function portalView(state: PortalState, kit: Kit): TemplateResult {
  const { words } = kit;
  switch (state.name) {
    case 'loading':
      return html`<div class="shell wide" part="portal">
        <section class="card" part="card">${busyView(words.looking, state)}</section>
      </div>`;
    case 'ready':
      return framed(state.session, readyView(state, kit), kit);
    case 'receipt':
      return receiptView(state, kit);
    case 'choosing_wallet':
      return framed(
        state.session,
        html`<section class="card" part="card">${choosingView(state, kit)}</section>`,
        kit,
      );
    case 'acting':
      return framed(
        state.session,
        html`<section class="card" part="card">${actingView(state, kit)}</section>`,
        kit,
      );
    case 'checkout':
      return html`<subrail-checkout
        .machine=${state.checkout}
        .leave=${state.back}
        .language=${kit.language}
        .level=${kit.level}
        .chain=${kit.chain}
        .login=${kit.login}
        exportparts=${PARTS}
      ></subrail-checkout>`;
    case 'failed':
      return html`<div class="shell wide" part="portal">
        ${kit.brand === null ? nothing : brandView({ name: kit.brand }, null, kit)}
        <section class="card" part="card">${failedView(state, kit)}</section>
      </div>`;
    case 'opening':
      return openingView(state, kit);
    case 'of_wallet':
      return ofWalletView(state, kit);
    default:
      return unknown(state);
  }
}

/** The subject of a page that shows a portal. */
export function portalAbout(state: PortalState): About {
  if (state.name === 'checkout') return checkoutAbout(state.checkout.state);
  return {
    session: 'session' in state ? state.session : null,
    heading: (words) => {
      if (state.name === 'receipt') return words.receiptPage.title(state.receipt.number);
      return state.name === 'failed' ? words.failed[state.problem.next] : words.subscriptions;
    },
  };
}

/** The sentence that says where a portal is. */
export function portalSentence(state: PortalState, kit: Kit): string {
  const { words } = kit;
  switch (state.name) {
    case 'loading':
      return words.looking;
    case 'ready':
      return (
        state.done?.sentence ??
        (state.problem && problemText(state.problem, kit)) ??
        (state.subscriptions.length === 0 ? words.none : words.subscriptions)
      );
    case 'receipt':
      return words.receiptPage.title(state.receipt.number);
    case 'choosing_wallet':
      return state.problem === null ? titleOf(state, words) : problemText(state.problem, kit);
    case 'acting':
      return words.acting[state.step];
    // The checkout says it itself.
    case 'checkout':
      return '';
    case 'failed':
      return problemText(state.problem, kit);
    case 'opening':
    case 'of_wallet':
      return walletPortalSentence(state, kit);
    default:
      return unknown(state);
  }
}

function framed(session: CustomerSession, content: TemplateResult, kit: Kit): TemplateResult {
  return html`<div class="shell wide" part="portal">
    <header class="stack" part="head">
      ${brandView(session.project, session.network, kit)} ${titleView(kit.words.subscriptions, kit)}
    </header>
    ${content} ${footView(session, kit, backToView(session, kit))}
  </div>`;
}

function readyView(state: StateOf<'ready'>, kit: Kit): TemplateResult {
  const { subscriptions, hasMore, more, refresh } = state;
  const { words } = kit;
  return html`${listNoticeView(state, kit)} ${subscriptions.length === 0 ? emptyView(state, kit) : nothing}
    ${subscriptions.map((one) => keyed(one.id, subscriptionView(one, state, kit)))}
    <div class="row">
      ${hasMore ? html`<button type="button" @click=${more}>${words.older}</button>` : nothing}
      <button type="button" class="plain" @click=${refresh}>${words.refresh}</button>
    </div>`;
}

/** The place of a customer without a subscription, with the plans that he can subscribe to. */
function emptyView({ session, subscribe }: StateOf<'ready'>, kit: Kit): TemplateResult {
  const offers = session.plans.filter(({ offered }) => offered);
  return html`<section class="card" part="card">
    <p>${kit.words.none}</p>
    ${offers.length === 0 ? nothing : planButtons(offers, subscribe, kit)}
  </section>`;
}

function titleOf({ action, subscription, session }: Changing, { actions, actionOf }: Kit['words']): string {
  const plan = session.plans.find(({ slug }) => slug === subscription.plan);
  return actionOf(actions[action], plan?.name ?? shortened(subscription.id));
}

function choosingView(state: StateOf<'choosing_wallet'>, kit: Kit): TemplateResult {
  return html`${stepView(titleOf(state, kit.words), kit)}
    <p class="soft">${kit.words.connectPayer(shortened(state.subscription.wallet))}</p>
    ${problemView(state.problem, kit)} ${walletsView(state, kit)} ${backView(state.back, kit)}`;
}

function actingView(state: StateOf<'acting'>, kit: Kit): TemplateResult {
  const { words } = kit;
  const { step, back } = state;
  return html`${stepView(titleOf(state, words), kit)} ${waitView(words.acting[step], state)}
  ${back === null ? nothing : backView(back, kit)}`;
}

function failedView({ act, problem }: StateOf<'failed'>, kit: Kit): TemplateResult {
  if (problem.next === 'log_in') return loginView(problem, act, kit);
  return html`${stepView(kit.words.failed[problem.next], kit, 0)} ${problemView(problem, kit, 'bad')}
  ${act === null ? nothing : wayView(act, problem.label)}`;
}
