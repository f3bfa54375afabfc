import type { WalletSubscription } from '@subrail/core/schemas';
import { html, nothing, type TemplateResult } from 'lit';
import type { PortalState } from '../portal-state.js';
import { shortened } from '../formats.js';
import { actionsView } from './actions-view.js';
import type { Kit } from './kit.js';
import {
  backView,
  cardNoticeView,
  dateLine,
  dateView,
  noteView,
  onExplorer,
  type Piece,
  waitView,
} from './pieces.js';
import { paidLine, TONES } from './subscription-view.js';
import type { Words } from './words.js';

type OfWallet = Extract<PortalState, { name: 'of_wallet' }>;

/** A subscription as the chain and the signed terms show it, with what its wallet can do. */
export function walletSubscriptionView(one: WalletSubscription, state: OfWallet, kit: Kit): TemplateResult {
  const { words, formats, level } = kit;
  const { id, status, symbol, amount_display: amount, next_charge_at: next } = one;
  const name = one.name ?? `${words.ofWallet.plan} ${shortened(one.plan_address)}`;
  const price = formats.tokens(amount, symbol);
  return html`<article class="card" part="card" aria-labelledby=${id}>
    <div class="tight">
      <div class="row apart">
        <div class="step" id=${id} role="heading" aria-level=${level + 1} tabindex="-1">
          <bdi>${name}</bdi>
        </div>
        <span class=${`tag ${TONES[status] ?? ''}`}>${words.status[status]}</span>
      </div>
      <p>${price} <span class="soft">${formats.period(one)}</span></p>
      ${sentencesOf(one, state, words).map((sentence) => html`<p class="soft">${sentence}</p>`)}
    </div>
    <dl>
      ${paidLine(status, one.paid_until, next, kit)} ${dateLine(words.nextCharge, next, kit, price)}
      ${dateLine(words.ofWallet.ends, one.ends_at, kit)}
      ${dateLine(words.ofWallet.planEnds, one.plan_ends_at, kit)}
    </dl>
    ${outcomeView(one, state, kit)} ${status === 'unpaid' ? noteView(words.ofWallet.unpaid) : nothing}
    ${actionsView(
      {
        name,
        price,
        paidUntil: status === 'active' ? one.paid_until : null,
        actions: one.actions,
        isBusy: state.change !== null || state.isReading,
        act: (action) => {
          if (action === 'cancel' || action === 'resume' || action === 'close') state[action](id);
        },
      },
      kit,
    )}
    ${paymentsView(one, state, kit)} ${detailsView(one, state, kit)}
  </article>`;
}

/** How a subscription stands, where its status and its dates do not say it. */
function sentencesOf(one: WalletSubscription, { done }: OfWallet, words: Words): readonly string[] {
  const { id, status, actions, next_charge_at: next, ends_at: end, plan_ends_at: planEnd } = one;
  const { stopped, notPlanned, closable, closableLater } = words.ofWallet;
  const closing = actions.includes('close') ? [closable] : [];
  switch (status) {
    case 'active':
      if (next !== null) return [];
      return [planEnd === null ? notPlanned : words.nothingCharged];
    case 'unpaid':
      return [];
    case 'stopped':
      return [stopped, ...closing];
    case 'cancelled':
      // The outcome says that nothing more is charged.
      return [
        ...(done?.id === id ? [] : [words.nothingCharged]),
        ...(end === null ? closing : [closableLater]),
      ];
    case 'ended':
      return [words.ended, ...closing];
    case 'pending':
    case 'failed':
    case 'expired':
    case 'superseded':
      return [words.nothingCharged];
  }
}

/** The change that a subscription is in, or the outcome of the last one. */
function outcomeView({ id }: WalletSubscription, state: OfWallet, kit: Kit): Piece {
  const { change } = state;
  if (change?.id !== id) return cardNoticeView(id, state, kit);
  return html`<div class="stack">
    ${waitView(kit.words.acting[change.step], state)}
    ${change.back === null ? nothing : backView(change.back, kit)}
  </div>`;
}

function paymentsView({ payments, symbol }: WalletSubscription, state: OfWallet, kit: Kit): TemplateResult {
  const { words, formats } = kit;
  const { count, amount_display: sum, latest } = payments;
  const sentence = words.paymentsSum(count, formats.tokens(sum, symbol));
  if (latest.length === 0) return html`<p class="soft small rule">${sentence}</p>`;
  return html`<details class="small rule">
    <summary>${words.payments}: ${sentence}</summary>
    <ul class="payments">
      ${latest.map(
        ({ signature, amount_display: amount, paid_at: at }) =>
          html`<li>
            <span>${dateView(at, kit, 'moment')}</span>
            <span>${formats.tokens(amount, symbol)}</span>
            <span class="soft">${words.outcomes.paid}</span>
            <span>
              ${onExplorer('tx', signature, state.chain, words.receipt, words.receiptOf(formats.day(at)))}
            </span>
          </li>`,
      )}
    </ul>
  </details>`;
}

/** The addresses of a subscription. */
function detailsView(one: WalletSubscription, state: OfWallet, kit: Kit): TemplateResult {
  const { words } = kit;
  const { addresses, paidTo, token, plan, account, since } = words.ofWallet;
  const facts = [
    [paidTo, one.paid_to],
    [token, one.mint],
    [plan, one.plan_address],
    [account, one.address],
  ] as const;
  return html`<details class="small">
    <summary>${addresses}</summary>
    <dl>
      ${facts.map(
        ([name, address]) =>
          html`<div>
            <dt>${name}</dt>
            <dd class="mono">${onExplorer('address', address, state.chain, shortened(address))}</dd>
          </div>`,
      )}
      ${dateLine(since, one.began_at, kit)}
    </dl>
  </details>`;
}
