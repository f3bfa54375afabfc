import type { FigureReport, ManagedPlan, PaymentPage, PaymentWire } from '@subrail/core/schemas';
import { html, nothing, type TemplateResult } from 'lit';
import { serviceNow } from './api.js';
import { ask } from './ask.js';
import type { Context, Shown } from './context.js';
import { planField } from './customers.js';
import { dollars } from './figures-text.js';
import { filesView } from './files.js';
import { choiceField, filterLinks, find, findView, leadTo, textOf } from './find.js';
import { refusalOf, refusalView } from './failure.js';
import { outcomeView } from './history.js';
import {
  columnOf,
  customerLink,
  customerName,
  formats,
  moment,
  pagesView,
  planName,
  signatureLink,
  SOL,
  table,
  tile,
  type Column,
  type Piece,
} from './pieces.js';
import { hashOf } from './place.js';
import { ATTEMPT_REASONS } from './reason-words.js';
import { reasonText, words } from './words.js';

const texts = words.payments;
const LIMIT = 25;
const DAY_MS = 86_400_000;

/** The fields of the address that say which payments are shown, as the route names them. */
const FILTERS = ['from', 'to', 'plan', 'mint', 'outcome', 'reason'] as const;

/** The payments of a project, found by a text, a span, a plan, a token, an outcome and a reason. */
export async function paymentsPage(context: Context): Promise<Shown> {
  const { routes, place, project } = context;
  const text = textOf(place);
  const filter = Object.fromEntries(FILTERS.map((name) => [name, place.query.get(name)]));
  const [plans, found, sums] = await Promise.all([
    routes.get<readonly ManagedPlan[]>('plans'),
    find(text, 'subscription', (one) =>
      routes.get<PaymentPage>('payments', {
        ...one,
        ...filter,
        limit: LIMIT,
        starting_after: place.query.get('after'),
      }),
    ).catch((error: unknown) => ({ refusal: refusalOf(error) })),
    readSums(context, text),
  ]);
  return {
    title: words.pages.payments,
    view() {
      if ('refusal' in found) return html`${filtersView(context, plans)} ${refusalView(found.refusal)}`;
      const { page, meaning } = found;
      return html`
        ${filtersView(context, plans)} ${sums === null ? nothing : sumsView(sums)}
        ${table(texts.caption, columnsOf(context, plans, page.data), page.data, emptyView(page, text, place.query))}
        ${
          page.unreadable.length === 0
            ? nothing
            : html`<p class="hint">${words.customers.unreadable(page.unreadable)}</p>`
        }
        ${pagesView(project.id, place, page.next)}
        ${page.data.length === 0 ? nothing : filesView(context, 'payments', { ...meaning, ...filter })}
      `;
    },
  };
}

/** The figures of the span; null where they are of others than the payments that are shown. */
async function readSums({ routes, place }: Context, text: string): Promise<FigureReport['total'] | null> {
  const [from, to, plan, mint, outcome, reason] = FILTERS.map((name) => place.query.get(name));
  if (!from || text !== '' || outcome || reason) return null;
  // Figures refuse a span of more than three years, whose payments the list has yet.
  const report = await routes
    .get<FigureReport>('figures', { from, to, plan, mint, by: 'month' })
    .catch(() => null);
  return report && report.total;
}

function emptyView({ next }: PaymentPage, text: string, query: URLSearchParams): Piece {
  if (next !== null) return words.customers.noMatchHere;
  if (/^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(text)) return html`${texts.noSignature} ${signatureLink(text)}`;
  if (text !== '') return texts.nothingOf(text);
  return [...query.keys()].length === 0 ? texts.empty : texts.nothing;
}

function filtersView(context: Context, plans: readonly ManagedPlan[]): TemplateResult {
  const { query } = context.place;
  const tokens = new Map(plans.map(({ mint, symbol }) => [mint, symbol ?? mint]));
  const dateField = (name: 'from' | 'to') =>
    html`<div class="field">
      <label for=${name}>${texts[name]}</label>
      <input id=${name} name=${name} type="date" .value=${query.get(name) ?? ''} />
    </div>`;
  const choice = (name: string, label: string, all: string, values: readonly (readonly [string, string])[]) =>
    choiceField(context, name, label, all, values);
  return html`
    ${findView(context, texts.hint, [
      dateField('from'),
      dateField('to'),
      planField(context, plans),
      ...(tokens.size < 2 ? [] : [choice('mint', texts.token, texts.anyToken, [...tokens])]),
      choice('outcome', texts.outcome, texts.anyOutcome, Object.entries(words.outcomes)),
      choice(
        'reason',
        texts.reason,
        texts.anyReason,
        ATTEMPT_REASONS.map((reason) => [reason, reasonText(reason)]),
      ),
    ])}
    ${filterLinks(
      texts.span,
      spansAt(serviceNow()).map(([name, from, to]) => [
        texts.spans[name],
        leadTo(context, { from, to }),
        from === query.get('from') && to === query.get('to'),
      ]),
    )}
  `;
}

type Span = readonly [name: keyof typeof texts.spans, from: string | null, to: string | null];

/** The spans to choose from, in days of UTC. */
function spansAt(now: number): readonly Span[] {
  const [date, month] = [new Date(now), (count: number) => Date.UTC(date.getUTCFullYear(), count, 1)];
  const day = (instant: number) => new Date(instant).toISOString().slice(0, 10);
  const first = month(date.getUTCMonth());
  return [
    ['today', day(now), day(now)],
    ['week', day(now - 6 * DAY_MS), day(now)],
    ['month', day(now - 29 * DAY_MS), day(now)],
    ['thisMonth', day(first), day(now)],
    ['lastMonth', day(month(date.getUTCMonth() - 1)), day(first - DAY_MS)],
    ['always', null, null],
  ];
}

const sumsView = ({ tokens, fees_lamports: fees }: FigureReport['total']): TemplateResult => html`
  <dl class="tiles" aria-label=${texts.sums}>
    ${tokens.map((token) => {
      const { collected, failed, recovered } = token;
      const worth = collected.unpriced === 0 && collected.count > 0 ? dollars(collected.amount_usd) : null;
      return html`
        ${tile(
          words.home.collected,
          formats.units(collected.amount, token),
          [texts.payments(collected.count), worth].filter(Boolean).join(', '),
        )}
        ${tile(words.home.failedAtFirst, formats.units(failed.amount, token), texts.periods(failed.count))}
        ${tile(texts.recovered, formats.units(recovered.amount, token), texts.periods(recovered.count))}
      `;
    })}
    ${tile(texts.fees, formats.sol(fees), null)}
  </dl>
`;

function columnsOf(
  context: Context,
  plans: readonly ManagedPlan[],
  rows: readonly PaymentWire[],
): readonly Column<PaymentWire>[] {
  const { project, mayAct } = context;
  const amountText = columnOf(
    rows,
    ({ amount }) => amount,
    (row) => row,
  );
  const feeText = columnOf(
    rows,
    ({ fee_lamports: fee }) => fee,
    () => SOL,
  );
  return [
    { head: words.subscription.when, cell: (row) => moment(row.attempted_at) },
    { head: texts.customer, cell: (row) => customerLink(project.id, { ...row, id: row.subscription }) },
    {
      head: texts.plan,
      cell: (row) =>
        html`${planName(plans, row.plan)}
        ${
          row.period_start === null
            ? nothing
            : html`<span class="under name">${texts.periodFrom} ${moment(row.period_start)}</span>`
        }`,
    },
    {
      head: words.subscription.amount,
      cell: (row) =>
        html`${amountText(row)}
        ${row.amount_usd === null ? nothing : html`<span class="under">${dollars(row.amount_usd)}</span>`}
        ${
          row.refund_signatures === null
            ? nothing
            : html`<span class="under">
                ${texts.givenBack(formats.units(row.refunded_amount, row))}
                ${row.refund_signatures.split(' ').map(signatureLink)}
              </span>`
        }`,
      isNumber: true,
    },
    {
      head: words.subscription.outcome,
      cell: (row) => html`${outcomeView(row, null)} ${mayAct ? refundView(context, row) : nothing}`,
    },
    {
      head: texts.signature,
      cell: (row) =>
        html`${signatureLink(row.signature)}
        ${
          row.fee_lamports === null
            ? nothing
            : html`<span class="under name">${texts.fee(feeText(row))}</span>`
        }
        ${
          row.receipt_number === null
            ? nothing
            : html`<a class="under" href=${hashOf(project.id, 'payments', [row.id])}
                >${words.receipt.title(row.receipt_number)}</a
              >`
        }`,
    },
  ];
}

/** The button that records what was given back by hand, while something is left of the payment. */
function refundView({ act, routes }: Context, row: PaymentWire): TemplateResult | typeof nothing {
  if (row.outcome !== 'paid' || BigInt(row.refunded_amount) >= BigInt(row.amount)) return nothing;
  const name = customerName(row);
  const record = () =>
    act(async () => {
      const answer = await ask({
        title: texts.refund,
        sentence: texts.refundAsk(formats.units(row.amount, row), name),
        fields: [{ name: 'signature', label: texts.refundSignature, isRequired: true }],
        yes: texts.refund,
      });
      if (answer === null) return null;
      await routes.post(`payments/${row.id}/refunds`, { signature: answer['signature']?.trim() });
      return texts.refunded;
    });
  return html`<button class="plain-link" aria-label="${texts.refund}: ${name}" @click=${record}>
    ${texts.refund}
  </button>`;
}
