import type { CostsWire, CustomerCreated, CustomerSession, TermsFact } from '@subrail/core/schemas';
import { html, nothing, type TemplateResult } from 'lit';
import type { CheckoutState, OfferedPlan } from '../checkout-state.js';
import { formatsOf, shortened } from '../formats.js';
import { ENGLISH } from '../sentences.js';
import type { TermsChange } from '../terms.js';
import type { ChainName } from '../wallets.js';
import type { Kit } from './kit.js';
import { chainIn, onExplorer, type Piece, problemView, stepView, topUpView, wayView } from './pieces.js';
import { walletRow } from './wallets-view.js';

type Review = Extract<CheckoutState, { name: 'review' }>;

/** The last look before the wallet is asked. */
export function reviewView(state: Review, kit: Kit): TemplateResult {
  const { words } = kit;
  if (!state.payable)
    return html`${stepView(words.failed.check_again, kit)} ${walletRow(state, kit)}
    ${problemView(state.problem, kit)}
    ${state.problem.missing === null ? nothing : topUpView(state.wallet.address, state.session, kit)}
    ${wayView(state.act, state.problem.label)}`;
  const { plan, costs, terms, changes, asksEmail } = state;
  const payWords = state.session.replaces === null ? words.pay : words.payChange;
  const isRefused = isOfEmail(state);
  const problem = isRefused ? null : state.problem;
  return html`<form class="stack" novalidate @submit=${(event: SubmitEvent) => pay(event, state, kit)}>
    ${stepView(words.review, kit)} ${problemView(problem, kit)} ${changesView(changes, kit)}
    ${walletRow(state, kit)} ${asksEmail ? emailView(isRefused, kit) : nothing} ${costsView(plan, costs, kit)}
    ${termsView(plan, terms, state.session, kit)}
    <button type="submit" class="primary" part="primary">${payWords(kit.formats.price(plan))}</button>
    <p class="soft small">${words.asksTwice}</p>
  </form>`;
}

/** Whether the service refused the email, the only field that a customer writes here. */
function isOfEmail({ asksEmail, problem }: Review): boolean {
  return asksEmail && problem?.code === 'invalid_email';
}

function pay(event: SubmitEvent, state: Extract<Review, { payable: true }>, { change }: Kit) {
  event.preventDefault();
  const { target } = event;
  const field = target instanceof HTMLFormElement ? target.querySelector('input') : null;
  if (field === null) {
    state.pay();
    return;
  }
  const isEmailWrong = !field.validity.valid;
  change({ email: field.value, isEmailWrong });
  if (isEmailWrong) field.focus();
  else state.pay(field.value);
}

/** The field of the email, which has the focus when the service refused what was in it. */
function emailView(isRefused: boolean, { words, language, input, change }: Kit): TemplateResult {
  const isWrong = isRefused || input.isEmailWrong;
  return html`<div class="tight">
    <label for="email">${words.email}</label>
    <input
      id="email"
      type="email"
      autocomplete="email"
      aria-describedby="email-hint"
      aria-invalid=${isWrong ? 'true' : nothing}
      ?data-focus=${isRefused}
      .value=${input.email}
      @input=${({ target }: Event) => {
        if (target instanceof HTMLInputElement) change({ email: target.value, isEmailWrong: false });
      }}
    />
    <p class="${isWrong ? 'wrong' : 'soft'} small" id="email-hint">
      ${isWrong ? language.problems.invalid_email : words.emailHint}
    </p>
  </div>`;
}

/** The facts of the terms that matter in the open, and the text of all of them folded. */
function termsView(
  plan: OfferedPlan,
  { facts, message }: CustomerCreated['terms'],
  session: CustomerSession,
  kit: Kit,
): TemplateResult {
  const { words } = kit;
  return html`<div class="tight" part="terms">
    <dl>${facts.filter((fact) => !fact.folded).map((fact) => factView(fact, plan, session, kit))}</dl>
    <details class="small">
      <summary>${words.terms}</summary>
      <div class="stack">
        ${words.termsLanguage === null ? nothing : html`<p class="soft">${words.termsLanguage}</p>`}
        <pre lang="en" tabindex="0">${message}</pre>
      </div>
    </details>
  </div>`;
}

/** A fact as the terms have it, which is in English, or the same in the words of the page. */
function factView(
  { name, label, value }: TermsFact,
  plan: OfferedPlan,
  session: CustomerSession,
  kit: Kit,
): TemplateResult {
  const { words, formats } = kit;
  const { amount_display: amount, symbol } = plan;
  const every = formatsOf(ENGLISH).period(plan);
  if (name === 'then' && value === `${amount} ${symbol ?? ENGLISH.tokens} ${every} until you cancel`)
    return html`<div>
      <dt>${words.then}</dt>
      <dd>${words.untilCancelled(`${formats.price(plan)} ${formats.period(plan)}`)}</dd>
    </div>`;
  const [, slug, day] =
    /^([a-z\d-]+)(?:, paid until ([\d-]{10}) [\d:]{5} UTC, without a refund)?$/.exec(value) ?? [];
  if (name === 'ends_now' && slug !== undefined) {
    const ended = session.plans.find((one) => one.slug === slug)?.name ?? slug;
    return html`<div>
      <dt>${words.endsNow}</dt>
      <dd>${day === undefined ? ended : words.endsPaidUntil(ended, formats.day(day))}</dd>
    </div>`;
  }
  return html`<div lang="en">
    <dt>${label ?? ''}</dt>
    <dd>${withAddresses(value, chainIn(session, kit))}</dd>
  </div>`;
}

/** A text with its addresses short. The folded text has them in full. */
function withAddresses(text: string, chain: ChainName) {
  const parts = text.split(/\b([1-9A-HJ-NP-Za-km-z]{32,44})\b/);
  return parts.map((part, index) =>
    index % 2 === 0 ? part : html`<code>${onExplorer('address', part, chain, shortened(part))}</code>`,
  );
}

function changesView(changes: readonly TermsChange[], { words }: Kit): Piece {
  if (changes.length === 0) return nothing;
  return html`<div class="notice" part="notice">
    <p>${words.changed}</p>
    <dl lang="en">
      ${changes.map(
        ({ label, before, after }) =>
          html`<div>
            <dt>${label ?? ''}</dt>
            <dd>${after ?? words.nothing} (${words.before(before ?? words.nothing)})</dd>
          </div>`,
      )}
    </dl>
  </div>`;
}

/** The sum that is paid now, with the SOL that comes back and the SOL that does not. */
function costsView(
  plan: OfferedPlan,
  { rent, fee, total }: CostsWire,
  { words, formats }: Kit,
): TemplateResult {
  const { sol } = formats;
  return html`<div class="tight rule" part="costs">
    <p class="row apart sum">
      <span>${words.now}</span> <span>${formats.price(plan)}<br /><small>+ ${sol(total)}</small></span>
    </p>
    <p class="soft small">
      ${words.fee(sol(fee.total))} ${rent.total === '0' ? nothing : words.deposit(sol(rent.total))}
    </p>
  </div>`;
}
