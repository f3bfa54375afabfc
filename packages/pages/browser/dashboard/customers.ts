import type {
  ManagedPlan,
  SubscriptionSearchPage,
  SubscriptionWire,
  UpcomingPage,
} from '@subrail/core/schemas';
import { html, nothing, type TemplateResult } from 'lit';
import type { Query } from './api.js';
import type { Context, Shown } from './context.js';
import { filesView } from './files.js';
import { choiceField, filterLinks, find, findView, leadTo, textOf } from './find.js';
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
  const text = textOf(place);
  const plans = await routes.get<readonly ManagedPlan[]>('plans');
  const found = filter === 'ending' ? await readEnds(context) : await search(context, text, filter);
  return {
    title: words.pages.customers,
    view: () => html`${searchView(context, plans, filter)} ${found(plans)}`,
  };
}

/** Something to show once the plans are known. */
type Found = (plans: readonly ManagedPlan[]) => TemplateResult;

async function search(context: Context, text: string, filter: Exclude<Filter, 'ending'>): Promise<Found> {
  const { routes, place, project } = context;
  const [after, plan] = [place.query.get('after'), place.query.get('plan')];
  const chosen = { ...FILTERS[filter], plan };
  const { page, meaning } = await find(text, 'id', (one) =>
    routes.get<SubscriptionSearchPage>('subscriptions', {
      ...one,
      ...chosen,
      limit: LIMIT,
      starting_after: after,
    }),
  );
  const isEverything = text === '' && filter === 'all' && plan === null && after === null;
  return (plans) => html`
    ${table(texts.caption, columnsOf(context, plans), page.data, emptyView(page, isEverything))}
    ${page.unreadable.length === 0 ? nothing : html`<p class="hint">${texts.unreadable(page.unreadable)}</p>`}
    ${pagesView(project.id, place, page.next)}
    ${page.data.length === 0 ? nothing : filesView(context, 'subscriptions', { ...meaning, ...chosen })}
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
    ${ends.length === 0 ? nothing : filesView(context, 'subscriptions', { ending: true })}
  `;
}

/** The name of a plan, by its slug. */
export const planName = (plans: readonly ManagedPlan[], slug: string | null): string =>
  plans.find((plan) => plan.slug === slug)?.name ?? slug ?? words.none;

type Named = Pick<SubscriptionWire, 'id' | 'external_id' | 'email' | 'wallet'>;

/** The name of a customer, which leads to the subscription, with the wallet. */
export const customerLink = (project: string, customer: Named): Piece =>
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

function searchView(context: Context, plans: readonly ManagedPlan[], filter: Filter): TemplateResult {
  return html`
    ${findView(context, texts.hint, [planField(context, plans)])}
    ${filterLinks(
      texts.status,
      Object.entries(texts.filters).map(([name, label]) => [
        label,
        leadTo(context, { filter: name === 'all' ? null : name }),
        name === filter,
      ]),
    )}
  `;
}

/** A field with the plans to choose from. */
export const planField = (context: Context, plans: readonly ManagedPlan[]): TemplateResult =>
  choiceField(
    context,
    'plan',
    texts.plan,
    texts.anyPlan,
    plans.map(({ slug, name }) => [slug, name]),
  );
