import type { LinkList, ManagedPlan } from '@subrail/core/schemas';
import { html, nothing, type TemplateResult } from 'lit';
import type { Context, Shown } from './context.js';
import { breakable, factList, moment, type Piece } from './pieces.js';
import { hashOf } from './place.js';
import { actionsView } from './plan-actions.js';
import { priceOf } from './plan-change.js';
import { linksView } from './plan-links.js';
import { planBadge } from './plans.js';
import { qrCode } from './qr-code.js';
import { words } from './words.js';

const texts = words.plans;

/** A plan: its facts, its links with a QR code, and the changes that its owner's wallet signs. */
export async function planPage(context: Context, slug: string): Promise<Shown> {
  const { routes, project } = context;
  const path = `plans/${encodeURIComponent(slug)}`;
  const [plan, plans, list] = await Promise.all([
    routes.get<ManagedPlan>(path),
    routes.get<readonly ManagedPlan[]>('plans'),
    routes.get<LinkList>('checkout/v1/links'),
  ]);
  const links = list.links.filter((link) => link.plan === slug);
  const open = links.find(({ ended_at, replaces }) => ended_at === null && replaces === null);
  const qr = open === undefined ? nothing : await qrCode(open.url, texts.qr(plan.name));
  return {
    title: plan.name,
    view: () => html`
      <p class="pages">
        <a href=${hashOf(project.id, 'plans')}>${words.back(words.pages.plans)}</a>
        <a href=${hashOf(project.id, 'customers', [], { plan: slug })}>${texts.itsCustomers}</a>
      </p>
      ${context.mayAct ? actionsView(context, plan) : html`<p class="hint">${words.toAct}</p>`}
      <div class="columns">
        <section class="card">
          <h2>${words.subscription.facts}</h2>
          ${factsView(plan)}
        </section>
        ${
          open === undefined
            ? nothing
            : html`<section class="card">
                <h2>${texts.link}</h2>
                <p><a href=${open.url} target="_blank" rel="noreferrer">${breakable(open.url)}</a></p>
                ${qr}
              </section>`
        }
      </div>
      ${linksView(context, plan, links, plans)}
    `,
  };
}

const factsView = (plan: ManagedPlan): TemplateResult =>
  factList([
    [texts.status, planBadge(plan)],
    [texts.price, priceView(plan)],
    [texts.takesNew, plan.available ? words.yes : words.no],
    [texts.endsAt, moment(plan.ends_at)],
    [texts.token, html`<code>${plan.mint}</code>`],
    [texts.owner, html`<code>${plan.owner}</code>`],
    [texts.receiver, html`<code>${plan.destinations[0] ?? plan.owner}</code>`],
    [
      texts.pullers,
      plan.pullers === null ? words.none : html`${plan.pullers.map((one) => html`<code>${one}</code> `)}`,
    ],
    [words.subscription.account, html`<code>${plan.address}</code>`],
    [texts.description, plan.description ?? words.none],
    [texts.website, plan.website ?? words.none],
  ]);

function priceView(plan: ManagedPlan): Piece {
  const [price, smallest] = priceOf(plan);
  return html`${price} <span class="under">${smallest}</span>`;
}
