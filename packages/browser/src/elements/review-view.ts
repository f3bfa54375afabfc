import type { CostsWire, CustomerCreated, TermsFact } from '@subrail/core/schemas';
import { html, nothing, type TemplateResult } from 'lit';
import type { CheckoutState, OfferedPlan } from '../checkout-state.js';
import type { TermsChange } from '../terms.js';
import type { Kit } from './kit.js';
import { copyView, type Piece, problemView, stepView, wayView } from './pieces.js';
import { walletRow } from './wallets-view.js';

type Review = Extract<CheckoutState, { name: 'review' }>;

/** The last look before the wallet is asked. */
export function reviewView(state: Review, kit: Kit): TemplateResult {
  const { words } = kit;
  if (!state.payable)
    return html`${stepView(words.blocked, kit)} ${walletRow(state, kit)} ${problemView(state.problem, kit)}
    ${state.problem.missing === null ? nothing : topUpView(state, kit)}
    ${wayView(state.act, kit.language.steps.check_again)}`;
  const { plan, costs, terms, changes, asksEmail } = state;
  const isRefused = isOfEmail(state);
  const problem = isRefused ? null : state.problem;
  return html`<form class="stack" novalidate @submit=${(event: SubmitEvent) => pay(event, state, kit)}>
    ${stepView(words.review, kit, 1, !isRefused)} ${problemView(problem, kit)} ${changesView(changes, kit)}
    ${walletRow(state, kit)} ${asksEmail ? emailView(isRefused, kit) : nothing} ${termsView(terms, kit)}
    ${costsView(plan, costs, kit)}
    <button type="submit" class="primary" part="primary">${words.pay(kit.formats.price(plan))}</button>
    <p class="soft small">${words.asksTwice}</p>
  </form>`;
}

/** The address to which the missing money goes. */
function topUpView({ wallet, session }: Review, kit: Kit): TemplateResult {
  const { words, language } = kit;
  return html`<div class="tight">
    <div class="label">${words.sendTo(language.networks[session.network])}</div>
    <code class="wallet">${wallet.address}</code>
    ${copyView(wallet.address, words.copyAddress, words.addressCopied, kit)}
  </div>`;
}

/** Whether the service refused the email, the only field that a customer writes here. */
export function isOfEmail({ asksEmail, problem }: Review): boolean {
  return asksEmail && problem?.code === 'invalid_request';
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
function emailView(isRefused: boolean, { words, input, change }: Kit): TemplateResult {
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
      ${isWrong ? words.emailWrong : words.emailHint}
    </p>
  </div>`;
}

/** The terms as facts: what matters in the open, the rest and the exact text folded. */
function termsView({ facts, message }: CustomerCreated['terms'], { words, level }: Kit): TemplateResult {
  const folded = facts.filter((fact) => fact.folded);
  return html`<div class="stack rule" part="terms">
    <div role="heading" aria-level=${level + 2} class="label">${words.terms}</div>
    ${words.termsLanguage === null ? nothing : html`<p class="soft small">${words.termsLanguage}</p>`}
    ${factList(facts.filter((fact) => !fact.folded))}
    <details class="small">
      <summary>${words.moreTerms}</summary>
      ${factList(folded)}
    </details>
    <details class="small">
      <summary>${words.exactText}</summary>
      <pre lang="en" tabindex="0">${message}</pre>
    </details>
  </div>`;
}

/** Facts are quoted from the terms, which are in English. */
function factList(facts: readonly TermsFact[]): TemplateResult {
  return html`<dl lang="en">
    ${facts.map(
      ({ label, value }) =>
        html`<div>
          <dt>${label ?? ''}</dt>
          <dd>${withAddresses(value)}</dd>
        </div>`,
    )}
  </dl>`;
}

/** A text with its addresses set apart from its words. */
function withAddresses(text: string) {
  const parts = text.split(/\b([1-9A-HJ-NP-Za-km-z]{32,44})\b/);
  return parts.map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`));
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

/** The costs: the price, the deposit that comes back, and the fee that does not. */
function costsView(
  plan: OfferedPlan,
  { rent, fee, total }: CostsWire,
  { words, formats }: Kit,
): TemplateResult {
  const line = (name: string, hint: string | null, amount: string) =>
    html`<div>
      <dt>${name}${hint === null ? nothing : html`<span class="small">${hint}</span>`}</dt>
      <dd>${amount}</dd>
    </div>`;
  return html`<dl class="money rule" part="costs">
    ${line(words.price, null, formats.price(plan))}
    ${rent.total === '0' ? nothing : line(words.deposit, words.depositHint, formats.sol(rent.total))}
    ${line(words.fee, words.feeHint, formats.sol(fee.total))}
    <div class="sum">
      <dt>${words.now}</dt>
      <dd>${formats.price(plan)}<br />+ ${formats.sol(total)}</dd>
    </div>
  </dl>`;
}
