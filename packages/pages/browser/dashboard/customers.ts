import type { ManagedPlan, SubscriptionSearchPage, SubscriptionWire } from '@subrail/core/schemas';
import { html, nothing, type TemplateResult } from 'lit';
import type { Query } from './api.js';
import type { Context, Shown } from './context.js';
import { refusalOf, refusalView } from './failure.js';
import { filesView } from './files.js';
import { choiceField, filterLinks, find, findView, leadTo, textOf } from './find.js';
import {
  customerLink,
  formats,
  moment,
  pagesView,
  statusBadge,
  table,
  planName,
  whyOf,
  type Column,
  type Piece,
} from './pieces.js';
import { NEXT_LISTS, type Found } from './next-lists.js';
import { hashOf } from './place.js';
import { words } from './words.js';

const texts = words.customers;
const LIMIT = 25;

type Filter = keyof typeof texts.filters;

/** Filters of the search. The others are lists of their own, without a text. */
const FILTERS: Readonly<Record<Exclude<Filter, keyof typeof NEXT_LISTS>, Query>> = {
  all: {},
  late: { late: true },
  blocked: { blocked: true },
  cancelled: { status: 'cancelled' },
  stopped: { status: 'stopped' },
  ended: { status: 'ended' },
};

/** The customers of a project: found by a text, a plan and a filter. */
export async function customersPage(context: Context): Promise<Shown> {
  const { routes, place } = context;
  const text = textOf(place);
  const asked = place.query.get('filter') ?? '';
  const isKnown = Object.hasOwn(texts.filters, asked) && !(text !== '' && isNextList(asked));
  const filter = isKnown ? (asked as Filter) : 'all';
  const [plans, found] = await Promise.all([
    routes.get<readonly ManagedPlan[]>('plans'),
    (isNextList(filter) ? NEXT_LISTS[filter](context) : search(context, text, filter)).catch(
      (error: unknown) => {
        const refusal = refusalOf(error);
        return () => refusalView(refusal);
      },
    ),
  ]);
  return {
    title: words.pages.customers,
    view: () => html`${searchView(context, plans, filter)} ${found(plans)}`,
  };
}

async function search(context: Context, text: string, filter: keyof typeof FILTERS): Promise<Found> {
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
    if (text !== '') return texts.nobodyIs(text);
    if (!isNew) return texts.nobody;
    return html`${texts.empty} <a href=${hashOf(project.id, 'plans')}>${texts.toPlans}</a>`;
  }
}

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
    {
      head: texts.why,
      cell: (row) =>
        row.status === 'superseded'
          ? html`${whyOf(row)}
              <a href=${hashOf(project.id, 'customers', [], { q: row.wallet })}>${texts.ofWallet}</a>`
          : whyOf(row) || words.none,
    },
  ];
}

const isNextList = (name: string): name is keyof typeof NEXT_LISTS => name in NEXT_LISTS;

function searchView(context: Context, plans: readonly ManagedPlan[], filter: Filter): TemplateResult {
  return html`
    ${findView(context, texts.hint, [planField(context, plans)])}
    ${filterLinks(
      texts.status,
      Object.entries(texts.filters).map(([name, label]) => [
        label,
        leadTo(context, { filter: name === 'all' ? null : name, ...(isNextList(name) ? { q: null } : {}) }),
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
