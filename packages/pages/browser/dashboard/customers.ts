import type {
  ManagedPlan,
  SubscriptionSearchPage,
  SubscriptionWire,
  UpcomingPage,
} from '@subrail/core/schemas';
import { html, nothing, type TemplateResult } from 'lit';
import type { Query } from './api.js';
import type { Context, Shown } from './context.js';
import {
  customerName,
  formats,
  moment,
  pagesView,
  statusBadge,
  table,
  whyOf,
  address,
  type Column,
  type Piece,
} from './pieces.js';
import { formValues } from './form-values.js';
import { hashOf } from './place.js';
import { reasonText, words } from './words.js';

const texts = words.customers;
const LIMIT = 25;

/** The most pages of 100 that are looked through for ends, which stand among the charges. */
const MOST_PAGES = 20;

type Filter = keyof typeof texts.filters;

const FILTERS: Readonly<Record<Exclude<Filter, 'ending'>, Query>> = {
  all: {},
  late: { late: true },
  blocked: { blocked: true },
  cancelled: { status: 'cancelled' },
  ended: { status: 'ended' },
};

/** The customers of a project: found by a text, a plan and a filter. */
export async function customersPage(context: Context): Promise<Shown> {
  const { routes, place } = context;
  const filter = (place.query.get('filter') ?? 'all') as Filter;
  const text = (place.query.get('q') ?? '').trim();
  const plans = await routes.get<readonly ManagedPlan[]>('plans');
  const found = filter === 'ending' ? await readEnds(context) : await search(context, text, filter);
  return {
    title: words.pages.customers,
    view: () => html`${searchView(context, plans, filter, text)} ${found(plans)}`,
  };
}

/** Something to show once the plans are known. */
type Found = (plans: readonly ManagedPlan[]) => TemplateResult;

/** What a text may be, the likeliest first: each is asked for until one finds something. */
function meanings(text: string): readonly Query[] {
  if (text === '') return [{}];
  if (/^sub_/.test(text)) return [{ id: text }];
  const own = { external_id: text };
  if (text.includes('@')) return [{ email: text.toLowerCase() }, own];
  return /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text) ? [{ wallet: text }, { id: text }, own] : [own];
}

async function search(context: Context, text: string, filter: Exclude<Filter, 'ending'>): Promise<Found> {
  const { routes, place, project } = context;
  const [after, plan] = [place.query.get('after'), place.query.get('plan')];
  let page: SubscriptionSearchPage = { data: [], has_more: false, next: null, unreadable: [] };
  for (const meaning of meanings(text)) {
    const query = { ...meaning, ...FILTERS[filter], plan, limit: LIMIT, starting_after: after };
    page = await routes.get<SubscriptionSearchPage>('subscriptions', query);
    if (page.data.length > 0 || page.next !== null) break;
  }
  const isEverything = text === '' && filter === 'all' && plan === null && after === null;
  return (plans) => html`
    ${table(texts.caption, columnsOf(context, plans), page.data, emptyView(page, isEverything))}
    ${page.unreadable.length === 0 ? nothing : html`<p class="hint">${texts.unreadable(page.unreadable)}</p>`}
    ${pagesView(project.id, place, page.next)}
  `;

  function emptyView({ next }: SubscriptionSearchPage, isNew: boolean): Piece {
    if (next !== null) return texts.noMatchHere;
    if (!isNew) return texts.nobody;
    return html`${texts.empty} <a href=${hashOf(project.id, 'plans')}>${texts.toPlans}</a>`;
  }
}

/** The subscriptions that are known to end, soonest first. */
async function readEnds(context: Context): Promise<Found> {
  const { routes, place, project } = context;
  const after = place.query.get('after');
  const ends: UpcomingPage['data'] = [];
  let next: string | null = after;
  for (let count = 0; count < MOST_PAGES && ends.length < LIMIT; count += 1) {
    const page: UpcomingPage = await routes.get('upcoming', { limit: 100, starting_after: next });
    ends.push(...page.data.filter(({ kind }) => kind === 'end'));
    next = page.next;
    if (next === null) break;
  }
  return (plans) => html`
    ${table(
      texts.filters.ending,
      [
        { head: texts.customer, cell: (end) => customerLink(project.id, { ...end, id: end.subscription }) },
        { head: texts.plan, cell: (end) => planName(plans, end.plan) },
        { head: texts.ends, cell: (end) => moment(end.due_at) },
        { head: texts.why, cell: (end) => reasonText(end.reason) },
      ],
      ends,
      next === null ? texts.noEnds : texts.noMatchHere,
    )}
    ${pagesView(project.id, place, next)}
  `;
}

const planName = (plans: readonly ManagedPlan[], slug: string | null): string =>
  plans.find((plan) => plan.slug === slug)?.name ?? slug ?? words.none;

type Named = Pick<SubscriptionWire, 'id' | 'external_id' | 'email' | 'wallet'>;

/** The name of a customer, which leads to the subscription, with the wallet. */
const customerLink = (project: string, customer: Named): Piece =>
  html`<a href=${hashOf(project, 'customers', [customer.id])}>${customerName(customer)}</a>
    <span class="under">
      ${customer.external_id !== null && customer.email !== null ? html`${customer.email} · ` : nothing}
      ${address(customer.wallet)}
    </span>`;

function columnsOf({ project }: Context, plans: readonly ManagedPlan[]): readonly Column<SubscriptionWire>[] {
  const priceOf = (slug: string | null) => {
    const plan = plans.find((one) => one.slug === slug);
    return plan === undefined ? '' : formats.price(plan);
  };
  return [
    { head: texts.customer, cell: (row) => customerLink(project.id, row) },
    { head: texts.plan, cell: (row) => planName(plans, row.plan) },
    { head: texts.status, cell: statusBadge },
    { head: texts.paidUntil, cell: (row) => moment(row.current_period_end) },
    {
      head: texts.next,
      cell(row) {
        const at = row.next_charge_at ?? row.next_retry_at;
        if (at === null) return words.none;
        const retry = row.next_charge_at === null;
        return html`${moment(at)}
          <span class="under">
            ${priceOf(row.plan)}${retry ? `, ${texts.retry(row.next_retry_number, row.retries_allowed)}` : ''}
          </span>`;
      },
    },
    { head: texts.why, cell: (row) => whyOf(row) || words.none },
  ];
}

function searchView(
  { place, project }: Context,
  plans: readonly ManagedPlan[],
  filter: Filter,
  text: string,
) {
  const plan = place.query.get('plan');
  const leadTo = (changes: Readonly<Record<string, string | null>>) =>
    hashOf(project.id, 'customers', [], {
      q: text,
      plan,
      filter: filter === 'all' ? null : filter,
      ...changes,
    });
  const find = (event: Event) => {
    const hash = leadTo(formValues(event));
    // The same search again reads what is new.
    if (hash === location.hash) dispatchEvent(new HashChangeEvent('hashchange'));
    else location.hash = hash;
  };
  return html`
    <form class="search" role="search" @submit=${find}>
      <div class="field wide">
        <label for="q">${texts.hint}</label>
        <input id="q" name="q" type="search" .value=${text} autocomplete="off" spellcheck="false" />
      </div>
      <div class="field">
        <label for="plan">${texts.plan}</label>
        <select id="plan" name="plan">
          <option value="">${texts.anyPlan}</option>
          ${plans.map(
            ({ slug, name }) => html`<option value=${slug} ?selected=${slug === plan}>${name}</option>`,
          )}
        </select>
      </div>
      <button class="primary">${texts.search}</button>
    </form>
    <nav class="filters" aria-label=${texts.status}>
      ${Object.entries(texts.filters).map(
        ([name, label]) =>
          html`<a
            href=${leadTo({ filter: name === 'all' ? null : name })}
            aria-current=${name === filter ? 'true' : nothing}
            >${label}</a
          >`,
      )}
    </nav>
  `;
}
