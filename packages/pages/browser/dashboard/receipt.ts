import type { ReceiptWire } from '@subrail/core/schemas';
import { html } from 'lit';
import type { Context, Shown } from './context.js';
import { factList, formats, signatureLink, type Piece } from './pieces.js';
import { words } from './words.js';

const texts = words.receipt;

/** The receipt of a payment, which is printed as it is. */
export async function receiptPage({ routes }: Context, attempt: string): Promise<Shown> {
  const receipt = await routes.get<ReceiptWire>(`payments/${encodeURIComponent(attempt)}/receipt`);
  const { seller, customer, amount_usd: dollars, token_fee_display: fee } = receipt;
  const { period_start: start, period_end: end } = receipt;
  const tokens = (amount: string) => formats.tokens(amount, receipt.symbol, receipt.decimals);
  const facts: readonly (readonly [name: string, value: Piece | null])[] = [
    [texts.seller, html`${[seller.name, ...seller.address].map((line) => html`${line}<br />`)}`],
    [texts.taxId, seller.tax_id],
    [texts.paidOn, formats.utc(receipt.paid_at)],
    [texts.customer, customer.email],
    [texts.customerId, customer.external_id],
    [texts.wallet, html`<code>${customer.wallet}</code>`],
    [texts.plan, receipt.plan_name],
    [texts.period, start && end && texts.span(formats.utc(start), formats.utc(end))],
    [texts.amount, tokens(receipt.amount_display)],
    [texts.fee, fee === null || Number(fee) === 0 ? null : tokens(fee)],
    [texts.dollars, dollars && formats.tokens(dollars, 'USD', 2)],
    [texts.token, html`<code>${receipt.mint}</code>`],
    [texts.transaction, onChain(receipt.signature)],
    ...receipt.refunds.map(({ amount_display: amount, refunded_at: at, signature }): [string, Piece] => [
      texts.refund,
      html`${tokens(amount)}, ${formats.utc(at)}<br />${onChain(signature)}`,
    ]),
  ];
  return {
    title: texts.title(receipt.number),
    view: () => html`
      <section class="card">
        ${factList(facts.filter((fact): fact is readonly [string, Piece] => fact[1] !== null))}
      </section>
      <div class="actions"><button @click=${() => print()}>${texts.print}</button></div>
    `,
  };
}

/** A signature as it is printed, with the way to an explorer where one shows it. */
const onChain = (signature: string | null): Piece | null =>
  signature && html`<code>${signature}</code> <span class="unprinted">${signatureLink(signature)}</span>`;
