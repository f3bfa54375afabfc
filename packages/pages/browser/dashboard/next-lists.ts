import type { CannotPayPage, ManagedPlan, UpcomingPage } from '@subrail/core/schemas';
import { html, nothing, type TemplateResult } from 'lit';
import type { Context } from './context.js';
import { filesView } from './files.js';
import { customerLink, formats, moment, pagesView, planName, sentence, table } from './pieces.js';
import { reasonText, words } from './words.js';

const texts = words.customers;
const LIMIT = 25;

/** The most pages that are looked through for what stands among many others. */
const MOST_PAGES = 20;

/** Something to show once the plans are known. */
export type Found = (plans: readonly ManagedPlan[]) => TemplateResult;

/** Lists of customers by what comes next, soonest first. */
export const NEXT_LISTS = { cannot_pay: readCannotPay, ending: readEnds };

/** Those whose next charge would fail as the chain is now, and what each should do. */
async function readCannotPay({ routes, place, project }: Context): Promise<Found> {
  const page = await routes.get<CannotPayPage>('subscriptions/cannot-pay', {
    plan: place.query.get('plan'),
    limit: LIMIT,
    starting_after: place.query.get('after'),
  });
  return (plans) => html`
    <p class="hint">${texts.cannotPay}</p>
    ${table(
      texts.filters.cannot_pay,
      [
        { head: texts.customer, cell: (row) => customerLink(project.id, { ...row, id: row.subscription }) },
        { head: texts.plan, cell: (row) => planName(plans, row.plan) },
        {
          head: texts.next,
          cell: (row) =>
            html`${moment(row.due_at)}
              <span class="under">${formats.tokens(row.amount_display, row.symbol)}</span>`,
        },
        {
          head: texts.why,
          cell: (row) =>
            row.missing === '0'
              ? reasonText(row.reason)
              : html`${reasonText(row.reason)}
                  <span class="under"
                    >${texts.missing(formats.tokens(row.missing_display, row.symbol))}</span
                  >`,
        },
        {
          head: words.subscription.toDo,
          cell: ({ to_do: toDo }) =>
            html`${toDo.map(({ who, what }) => html`<div>${words.subscription.who[who]}: ${sentence(what)}</div>`)}`,
        },
      ],
      page.data,
      page.next === null ? texts.allCanPay : texts.noMatchHere,
    )}
    ${page.unreadable.length === 0 ? nothing : html`<p class="hint">${texts.unreadable(page.unreadable)}</p>`}
    ${pagesView(project.id, place, page.next)}
  `;
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
