import type { ReceiptWire } from '@subrail/core/schemas';
import { html, nothing, type TemplateResult } from 'lit';
import type { PortalState } from '../portal-state.js';
import type { Kit } from './kit.js';
import { chainIn, onExplorer, type Piece, stepView, wayView } from './pieces.js';

type Shown = Extract<PortalState, { name: 'receipt' }>;

/** A receipt as a page that is printed: everything on it is text, in UTC, so that it says so on paper. */
export function receiptView(state: Shown, kit: Kit): TemplateResult {
  const { words, formats } = kit;
  const { receipt, session, back } = state;
  const { number, seller, customer, signature, refunds } = receipt;
  const said = words.receiptPage;
  const chain = chainIn(session, kit);
  const date = (iso: string) => html`<time datetime=${iso}>${formats.utc(iso)}</time>`;
  const tokens = (amount: string) => formats.tokens(amount, receipt.symbol, receipt.decimals);
  const onChain = (tx: string) =>
    html`<span class="mono">${tx}</span>
      ${chain === 'solana:localnet' ? nothing : html`<span class="unprinted">${onExplorer('tx', tx, chain, words.onSolana)}</span>`}`;
  return html`<div class="shell wide" part="portal">
    <article class="card receipt" part="card">
      ${stepView(said.title(number), kit, 0)}
      <div>
        <div><b>${seller.name}</b></div>
        ${seller.address.map((part) => html`<div>${part}</div>`)}
        ${seller.tax_id === null ? nothing : html`<div>${said.taxId} ${seller.tax_id}</div>`}
      </div>
      <dl>
        ${line(said.paidOn, date(receipt.paid_at))} ${line(said.customer, customer.email)}
        ${line(said.customerId, customer.external_id)}
        ${line(words.paysWith, html`<span class="mono">${customer.wallet}</span>`)}
        ${line(said.plan, receipt.plan_name)} ${line(said.period, periodOf(receipt, kit))}
        ${line(said.amount, html`<b>${tokens(receipt.amount_display)}</b>`)}
        ${line(said.fee, isNothing(receipt.token_fee_display) ? null : tokens(receipt.token_fee_display ?? ''))}
        ${line(said.dollars, receipt.amount_usd && formats.tokens(receipt.amount_usd, 'USD', 2))}
        ${line(said.token, html`<span class="mono">${receipt.mint}</span>`)}
        ${line(said.transaction, signature && onChain(signature))}
        ${refunds.map((refund) =>
          line(
            said.refund,
            html`${tokens(refund.amount_display)}, ${date(refund.refunded_at)}<br />
              ${onChain(refund.signature)}`,
          ),
        )}
      </dl>
    </article>
    <div class="row apart unprinted">
      ${wayView(back, words.back, 'plain')} ${wayView(() => print(), said.print, '')}
    </div>
  </div>`;
}

/** A line of a receipt; nothing for what it does not say. */
function line(name: string, value: TemplateResult | string | null): Piece {
  if (value === null) return nothing;
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}

function periodOf(
  { period_start: start, period_end: end }: ReceiptWire,
  { words, formats }: Kit,
): string | null {
  if (start === null || end === null) return null;
  return words.receiptPage.span(formats.utc(start), formats.utc(end));
}

const isNothing = (amount: string | null) => amount === null || Number(amount) === 0;
