import type { LinkWire, ManagedPlan } from '@subrail/core/schemas';
import { html, nothing, type TemplateResult } from 'lit';
import { ask } from './ask.js';
import type { Context } from './context.js';
import { breakable, moment, table, type Piece } from './pieces.js';
import { words } from './words.js';

const texts = words.plans;

/** The statuses of plans to which wallets may be subscribed. */
const MAY_HAVE_CUSTOMERS: ReadonlySet<string> = new Set(['active', 'sunset']);

/** The links to a plan, and the dialog that makes one. `plans`: those that a link can replace are offered. */
export function linksView(
  { act, mayAct, routes }: Context,
  plan: ManagedPlan,
  links: readonly LinkWire[],
  plans: readonly ManagedPlan[],
): TemplateResult {
  const others = plans.filter(({ slug, status }) => slug !== plan.slug && MAY_HAVE_CUSTOMERS.has(status));
  const create = () =>
    act(async () => {
      const answer = await ask({
        title: texts.makeLink,
        sentence: texts.linkAsk,
        fields: [
          {
            name: 'replaces',
            label: texts.linkFor,
            options: [
              ['', texts.newCustomers],
              ...others.map(({ slug, name }) => [slug, texts.customersOf(name)] as const),
            ],
          },
          {
            name: 'ask_email',
            label: texts.asksEmail,
            options: [
              ['', words.no],
              ['yes', words.yes],
            ],
            hint: texts.asksEmailHint,
          },
          { name: 'success_url', label: texts.successUrl, hint: texts.successUrlHint },
        ],
        yes: texts.makeLink,
      });
      if (answer === null) return null;
      const { replaces, ask_email, success_url } = answer;
      await routes.post('checkout/v1/links', {
        plan: plan.slug,
        ...(replaces ? { replaces } : {}),
        ask_email: ask_email === 'yes',
        ...(success_url ? { success_url } : {}),
      });
      return replaces ? texts.changeLinkMade : texts.linkMade;
    });
  const end =
    ({ id }: LinkWire) =>
    () =>
      act(async () => {
        const question = {
          title: texts.endLink,
          sentence: texts.endLinkAsk,
          yes: texts.endLink,
          isDanger: true,
        };
        if ((await ask(question)) === null) return null;
        await routes.post(`checkout/v1/links/${id}/end`);
        return texts.linkEnded;
      });
  return html`<section>
    ${table(
      texts.links,
      [
        { head: texts.address, cell: (row) => breakable(row.url) },
        { head: texts.linkFor, cell: (row) => forWhom(row, plans) },
        { head: texts.asksEmail, cell: (row) => (row.ask_email ? words.yes : words.no) },
        { head: words.subscription.created, cell: (row) => moment(row.created_at) },
        {
          head: texts.ended,
          cell: (row): Piece =>
            row.ended_at === null && mayAct
              ? html`<button class="small danger" aria-label="${texts.endLink}: ${row.id}" @click=${end(row)}>
                  ${texts.endLink}
                </button>`
              : moment(row.ended_at),
        },
      ],
      links,
      texts.noLinks,
      mayAct && plan.status === 'active'
        ? html`<button class="primary" @click=${create}>${texts.makeLink}</button>`
        : nothing,
    )}
  </section>`;
}

function forWhom({ replaces }: LinkWire, plans: readonly ManagedPlan[]): string {
  if (replaces === null) return texts.newCustomers;
  return texts.customersOf(plans.find(({ slug }) => slug === replaces)?.name ?? replaces);
}
