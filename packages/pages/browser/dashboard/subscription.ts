import type {
  AttemptPage,
  EventPage,
  Explanation,
  MailPage,
  ManagedPlan,
  NewSession,
  SubscriptionDetail,
  SubscriptionSearchPage,
  SubscriptionWire,
} from '@subrail/core/schemas';
import { html, nothing, type TemplateResult } from 'lit';
import type { Query } from './api.js';
import { ask, reveal } from './ask.js';
import type { Context, Shown } from './context.js';
import { deliveryTable } from './delivery.js';
import { attemptTable, eventTable, transferTable } from './history.js';
import { mailTable } from './mail.js';
import {
  customerName,
  factList,
  formats,
  moment,
  pagesView,
  sentence,
  statusBadge,
  whyOf,
  type Piece,
} from './pieces.js';
import { hashOf } from './place.js';
import { words } from './words.js';

const texts = words.subscription;

/** A page of what a subscription has. */
interface Listed {
  readonly data: readonly { readonly id: string }[];
  readonly has_more: boolean;
}

/** A subscription: its story, what was charged and sent for it, and what can be done. */
export async function subscriptionPage(context: Context, id: string): Promise<Shown> {
  const { routes, project, place } = context;
  const path = `subscriptions/${encodeURIComponent(id)}`;
  /** A page of what the detail has the newest of; null where the address says no place. */
  const older = async <Answer>(name: keyof typeof texts.older, list: string, query: Query = {}) => {
    const after = place.query.get(name);
    return after === null ? null : routes.get<Answer>(list, { ...query, limit: 20, starting_after: after });
  };
  const [detail, explanation, olderAttempts, olderEvents] = await Promise.all([
    routes.get<SubscriptionDetail>(path),
    routes.get<Explanation>(`${path}/explain`),
    older<AttemptPage>('attempts', `v1/${path}/attempts`),
    older<EventPage>('events', 'v1/events', { subscription: id }),
  ]);
  const { plan, subscription, internals, transfers, deliveries } = detail;
  const [attempts, events] = [olderAttempts ?? detail.attempts, olderEvents ?? detail.events];
  const pagesOf = (name: keyof typeof texts.older, page: Listed) =>
    pagesView(project.id, place, page.has_more ? (page.data.at(-1)?.id ?? null) : null, {
      name,
      ...texts.older[name],
    });
  const [{ symbol }, newer, mails] = await Promise.all([
    // The detail has no symbol of the token, and the page goes on without it, and without a newer one.
    routes.get<ManagedPlan>(`plans/${plan.slug}`).catch(() => ({ symbol: null })),
    internals.replaced_by_id ?? newerOf(context, subscription).catch(() => null),
    // A store may keep no mails.
    routes.get<MailPage>('mails', { subscription: id, limit: 20 }).catch(() => null),
  ]);
  const unit = { decimals: plan.decimals, symbol };
  const money = (amount: string) => formats.units(amount, unit);
  return {
    title: customerName(subscription),
    view: () => html`
      <p><a href=${hashOf(project.id, 'customers')}>${words.back(words.pages.customers)}</a></p>
      <p>
        ${statusBadge(subscription)} ${whyOf(subscription)}
        ${newer === null ? nothing : html`<a href=${hashOf(project.id, 'customers', [newer])}>${texts.newer}</a>`}
      </p>
      ${explanation.state.map((one) => html`<p>${sentence(one)}</p>`)} ${toDoView(explanation)}
      ${actionsView(context, detail, money(plan.amount))}
      <div class="columns">
        <section class="card">
          <h2>${texts.story}</h2>
          ${storyView(explanation)}
        </section>
        <section class="card">
          <h2>${texts.facts}</h2>
          ${factsView(detail, money)}
        </section>
      </div>
      ${attemptTable(attempts.data, unit)} ${pagesOf('attempts', attempts)}
      ${transferTable(transfers.data, unit)} ${newestView(transfers)}
      ${
        mails === null
          ? nothing
          : html`<section>
              ${mailTable(
                project.id,
                mails.data,
                words.mail.mailsOfSubscription,
                words.mail.noMailsOfSubscription,
              )}
              ${newestView(mails)}
            </section>`
      }
      ${deliveryTable(project.id, deliveries.data, texts.deliveries, texts.noDeliveries)}
      ${newestView(deliveries)} ${eventTable(events.data)} ${pagesOf('events', events)}
    `,
  };
}

const OVER: readonly string[] = ['stopped', 'ended', 'superseded'] satisfies SubscriptionWire['status'][];

/** The subscription with which the wallet came back after one that is over; null without one. */
async function newerOf(
  { routes }: Context,
  { id, status, wallet, plan, created_at: created }: SubscriptionWire,
): Promise<string | null> {
  if (!OVER.includes(status)) return null;
  const { data } = await routes.get<SubscriptionSearchPage>('subscriptions', { wallet, limit: 100 });
  const later = data.filter(
    (one) => one.id !== id && one.plan === plan && one.confirmed_at !== null && one.created_at >= created,
  );
  return later.at(-1)?.id ?? null;
}

const newestView = ({ has_more: hasMore }: Omit<Listed, 'data'>) =>
  hasMore ? html`<p class="hint">${texts.newest}</p>` : nothing;

function toDoView({ to_do: toDo }: Explanation): TemplateResult | typeof nothing {
  if (toDo.length === 0) return nothing;
  return html`<section class="notice warn" aria-labelledby="to-do">
    <h2 id="to-do">${texts.toDo}</h2>
    <ul class="plain">
      ${toDo.map(({ who, what }) => html`<li><strong>${texts.who[who]}:</strong> ${sentence(what)}</li>`)}
    </ul>
  </section>`;
}

/** What comes and what happened, the latest first. */
const storyView = ({ next, happened }: Explanation): TemplateResult => html`
  <ol class="story">
    ${next
      .toReversed()
      .map(
        ({ at, what }) =>
          html`<li class="next">
            ${at === null ? html`<span class="soon">${texts.soon}</span>` : moment(at)} ${sentence(what)}
          </li>`,
      )}
    ${happened.map(({ at, what }) => html`<li>${moment(at)} ${sentence(what)}</li>`)}
  </ol>
`;

function factsView(
  { subscription, internals, plan, attempts }: SubscriptionDetail,
  money: (amount: string) => string,
): TemplateResult {
  const { access_until: until } = subscription;
  return factList([
    [texts.access, until === null ? texts.noAccess : html`${texts.hasAccess} ${moment(until)}`],
    [words.customers.paidUntil, moment(subscription.current_period_end)],
    [words.customers.next, moment(subscription.next_charge_at ?? subscription.next_retry_at)],
    [words.customers.plan, plan.name],
    [texts.price, `${money(plan.amount)} ${formats.period(plan)}`],
    [
      texts.paid,
      html`${texts.payments(attempts.paid.count, money(attempts.paid.amount))}. ${periodsView(attempts)}`,
    ],
    [texts.externalId, subscription.external_id ?? words.none],
    [texts.email, subscription.email ?? words.none],
    [texts.wallet, html`<code>${subscription.wallet}</code>`],
    [texts.account, html`<code>${internals.address}</code>`],
    [texts.created, moment(subscription.created_at)],
    [texts.id, html`<code>${subscription.id}</code>`],
  ]);
}

/** Whether a period was paid twice, by the newest attempts. */
function periodsView({ data, paid: { count } }: SubscriptionDetail['attempts']): Piece | typeof nothing {
  const periods = data.flatMap(({ outcome, period_start: start }) => (outcome === 'paid' ? [start] : []));
  const twice = periods.find((start, at) => start !== null && periods.indexOf(start) !== at);
  if (twice !== undefined) return html`<strong class="bad">${texts.twice} ${moment(twice)}.</strong>`;
  if (periods.length < 2) return nothing;
  return texts.eachOnce(periods.length < count ? periods.length : null);
}

function actionsView(context: Context, { subscription }: SubscriptionDetail, price: string): TemplateResult {
  const { act, mayAct, routes } = context;
  const { id, payment_status: payment, paused, status } = subscription;
  if (!mayAct) return html`<p class="hint">${words.toAct}</p>`;
  const retry = () =>
    act(async () => {
      if ((await ask({ title: texts.retry, sentence: texts.retryAsk(price), yes: texts.retry })) === null)
        return null;
      await routes.post(`v1/subscriptions/${id}/retry`);
      return texts.retryDone;
    });
  const correct = () =>
    act(async () => {
      const answer = await ask({
        title: texts.correct,
        sentence: texts.correctAsk,
        fields: [
          { name: 'external_id', label: texts.externalId, value: subscription.external_id ?? '' },
          { name: 'email', label: texts.email, value: subscription.email ?? '' },
        ],
        yes: texts.save,
      });
      if (answer === null) return null;
      const { external_id: externalId, email } = answer;
      await routes.post(`subscriptions/${id}`, { external_id: externalId || null, email: email || null });
      return texts.correctDone;
    });
  const portal = () =>
    act(async () => {
      const { url } = await routes.post<NewSession>('portal/v1/sessions', { subscription: id });
      await reveal(texts.portal, texts.portalDone, url);
      return null;
    });
  return html`<div class="actions">
    ${payment === 'late' && !paused ? html`<button class="primary" @click=${retry}>${texts.retry}</button>` : nothing}
    ${status === 'pending' ? nothing : html`<button @click=${correct}>${texts.correct}</button>`}
    <button @click=${portal}>${texts.portal}</button>
  </div>`;
}
