import { ENGLISH, formatsOf, shortened } from '@subrail/browser';
import type { ManagedPlan, SubscriptionWire } from '@subrail/core/schemas';
import { html, nothing, type TemplateResult } from 'lit';
import * as pageBefore from './page-before.js';
import { hashOf, type Place } from './place.js';
import { explorerOf } from './service.js';
import { reasonText, words } from './words.js';

export type Piece = TemplateResult | string;

export const formats = formatsOf(ENGLISH);

const shortMoment = new Intl.DateTimeFormat(navigator.languages.find((one) => /^en\b/.test(one)) ?? 'en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
});

/** The zone of the reader, in which every moment of a page is. */
export const { timeZone: zone } = shortMoment.resolvedOptions();

/** A date in the zone of the reader, in UTC on hover. */
export const moment = (iso: string | null): Piece =>
  iso === null
    ? words.none
    : html`<time datetime=${iso} title=${formats.utc(iso)}>${shortMoment.format(new Date(iso))}</time>`;

/**
 * A sentence of the service, with its moments in the zone of the reader. The code behind the words that
 * explain it is on hover.
 */
export function sentence(text: string): Piece {
  const codes: string[] = [];
  const plain = text.replaceAll(/ \(([\w-]+)\)/g, (behind, code: string) => {
    if (!Object.hasOwn(words.reasons, code)) return behind;
    codes.push(code);
    return '';
  });
  const parts = plain
    .split(/(\d{4}-\d\d-\d\d \d\d:\d\d) UTC/)
    .map((part, at) => (at % 2 === 0 ? part : moment(`${part.replace(' ', 'T')}Z`)));
  return codes.length === 0 ? html`${parts}` : html`<span title=${codes.join(', ')}>${parts}</span>`;
}

/** A long address: its two ends, whole on hover. */
const address = (text: string): Piece => html`<code class="name" title=${text}>${shortened(text)}</code>`;

/** A name, an address or a type of event, which breaks where its parts end. */
export function breakable(text: string): Piece {
  const [first, ...parts] = text.split(/(?<=[._/@])(?![._/@])/);
  return html`<span class="long">${first}${parts.map((part) => html`<wbr />${part}`)}</span>`;
}

/** The signature of a transaction, which leads to an explorer where one shows it. */
export function signatureLink(signature: string | null): Piece {
  if (signature === null) return words.none;
  const explorer = explorerOf(signature);
  if (explorer === null) return address(signature);
  const name = `${words.explorer}: ${shortened(signature)}`;
  return html`<a href=${explorer} target="_blank" rel="noreferrer" aria-label=${name} title=${signature}
    ><code>${shortened(signature)}</code></a
  >`;
}

export type Tone = 'good' | 'warn' | 'bad' | 'quiet';

export const badge = (tone: Tone, text: string): Piece => html`<span class="badge ${tone}">${text}</span>`;

/** The status of a subscription in words. */
export function statusBadge(subscription: SubscriptionWire): Piece {
  const { status, paused, blocked_since: blocked, payment_status: payment } = subscription;
  if (paused) return badge('warn', words.status.parked);
  if (status === 'active' && blocked !== null) return badge('bad', words.status.blocked);
  if (payment === 'late') return badge('bad', words.status.late);
  const tones: Readonly<Partial<Record<string, Tone>>> = {
    active: 'good',
    unpaid: 'bad',
    cancelled: 'warn',
    stopped: 'bad',
  };
  return badge(
    tones[status] ?? 'quiet',
    (words.status as Readonly<Record<string, string>>)[status] ?? status,
  );
}

/** A token as its amounts are written. */
export interface Unit {
  readonly decimals: number;
  readonly symbol: string | null;
}

export const SOL: Unit = { decimals: 9, symbol: 'SOL' };

/** Writes the amounts of a column, all with as many decimals as the longest, so that they are aligned. */
export function columnOf<Row>(
  rows: readonly Row[],
  amountOf: (row: Row) => string | null,
  unitOf: (row: Row) => Unit,
): (row: Row) => string {
  const places = rows.map((row) => {
    const [zeros = ''] = /0*$/.exec(amountOf(row) ?? '') ?? [];
    return BigInt(amountOf(row) ?? 0) === 0n ? 0 : unitOf(row).decimals - zeros.length;
  });
  const most = Math.max(0, ...places);
  return (row) => {
    const amount = amountOf(row);
    const unit = unitOf(row);
    if (amount === null) return words.none;
    return formats.units(amount, unit, most === 0 ? 0 : Math.max(Math.min(2, unit.decimals), most));
  };
}

/** Why a subscription is not charged, is over, or will be. */
export const whyOf = (subscription: SubscriptionWire): string =>
  reasonText(
    (subscription.paused ? 'parked' : null) ??
      subscription.blocked_reason ??
      subscription.late_reason ??
      subscription.stop_reason ??
      subscription.end_reason ??
      (subscription.status in LEFT ? LEFT[subscription.status as keyof typeof LEFT] : null),
  );

/** The reasons of states that have one alone, and no field for it. */
const LEFT = { cancelled: 'cancelled', superseded: 'superseded', expired: 'expired' } as const;

/** A column of a table: its head, and its cell of a row. */
export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => Piece;
  /** Of figures. */
  readonly isNumber?: boolean;
}

/**
 * A table below its name, with what acts on it beside the name. Where there is little room, the rows of one
 * with many columns are cards. The first column says which row it is.
 */
export const table = <Row>(
  caption: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  empty: Piece,
  tools: TemplateResult | typeof nothing = nothing,
): TemplateResult =>
  html`<div class="list">
    <div class="heading">
      <p class="caption">${caption}</p>
      ${tools}
    </div>
    ${rows.length === 0 ? html`<p class="empty">${empty}</p>` : rowsView(caption, columns, rows)}
  </div>`;

function rowsView<Row>(
  caption: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): TemplateResult {
  const [first, ...others] = columns;
  const kind = ({ isNumber }: Column<Row>) => (isNumber === true ? 'number' : '');
  const isNarrow = columns.length < 4 || others.every(({ isNumber }) => isNumber);
  return html`<table role="table" aria-label=${caption} class=${isNarrow ? '' : 'cards'}>
    <thead role="rowgroup">
      <tr role="row">
        ${columns.map((column) => html`<th role="columnheader" scope="col" class=${kind(column)}>${column.head}</th>`)}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows.map(
        (row) =>
          html`<tr role="row">
            <th role="rowheader" scope="row">${first?.cell(row)}</th>
            ${others.map(
              (column) =>
                html`<td role="cell" class=${kind(column)} data-head=${column.head}>
                  <div>${column.cell(row)}</div>
                </td>`,
            )}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** Facts with their names. */
export const factList = (facts: readonly (readonly [name: string, value: Piece])[]): TemplateResult =>
  html`<dl class="facts">
    ${facts.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;

/** A figure with its name. */
export function tile(name: string, value: string, note: string | null): TemplateResult {
  return html`<div class="tile">
    <dt>${name}</dt>
    <dd>
      ${value.split(', ').map((part, at) => html`${at === 0 ? '' : ', '}<span class="name">${part}</span>`)}
    </dd>
    ${note === null ? nothing : html`<dd class="under">${note}</dd>`}
  </div>`;
}

/** Who a customer is, as far as the app said it. */
export const customerName = (customer: {
  readonly external_id: string | null;
  readonly email: string | null;
}): string => customer.external_id ?? customer.email ?? words.customers.anonymous;

/** The ways to the next page of a list, the one before and its first. `name` is the field of the address. */
export function pagesView(
  project: string,
  place: Place,
  next: string | null,
  { name = 'after', first = words.first, back = words.before, more = words.more } = {},
): TemplateResult | typeof nothing {
  const after = place.query.get(name);
  const leadTo = (to: string | null) =>
    hashOf(project, place.page, place.rest, { ...Object.fromEntries(place.query), [name]: to });
  if (after === null && next === null) return nothing;
  if (next !== null) pageBefore.keep(leadTo(next), leadTo(after));
  const before = after === null ? null : pageBefore.of(leadTo(after));
  return html`<p class="pages">
    ${after === null ? nothing : html`<a href=${leadTo(null)}>${first}</a>`}
    ${before === null ? nothing : html`<a href=${before}>${back}</a>`}
    ${next === null ? nothing : html`<a href=${leadTo(next)}>${more}</a>`}
  </p>`;
}

/** The name of a plan, by its slug. */
export const planName = (plans: readonly ManagedPlan[], slug: string | null): string =>
  plans.find((plan) => plan.slug === slug)?.name ?? slug ?? words.none;

type Named = Pick<SubscriptionWire, 'id' | 'external_id' | 'email' | 'wallet'>;

/** The name of a customer, which leads to the subscription, with the wallet. */
export const customerLink = (project: string, customer: Named): Piece =>
  html`<a href=${hashOf(project, 'customers', [customer.id])}>${breakable(customerName(customer))}</a>
    <span class="under">
      ${customer.external_id !== null && customer.email !== null ? breakable(customer.email) : nothing}
      ${address(customer.wallet)}
    </span>`;
