import type { ManagedPlan, Overview } from '@subrail/core/schemas';
import { html, nothing } from 'lit';
import type { Context, Shown } from './context.js';
import { askForDraft } from './draft-dialog.js';
import { badge, columnOf, formats, moment, table, type Piece, type Tone } from './pieces.js';
import { hashOf } from './place.js';
import { words } from './words.js';

const texts = words.plans;

const TONES: Readonly<Record<string, Tone>> = { active: 'good', sunset: 'warn', failed: 'bad' };

/** The status of a plan in words. */
export const planBadge = ({ status }: ManagedPlan): Piece =>
  badge(TONES[status] ?? 'quiet', texts.statuses[status] ?? status);

/** The plans of a project, each with what it took in. */
export async function plansPage({ routes, project, act, mayAct }: Context): Promise<Shown> {
  const [plans, overview] = await Promise.all([
    routes.get<readonly ManagedPlan[]>('plans'),
    routes.get<Overview>('overview', { days: 30 }),
  ]);
  const figuresOf = ({ slug }: ManagedPlan) => overview.plans.find(({ plan }) => plan === slug);
  const count = (name: 'active' | 'late') => (row: ManagedPlan) => String(figuresOf(row)?.[name] ?? 0);
  const tokens = [...new Map(plans.map((plan) => [plan.mint, plan])).values()];
  const create = () =>
    act(async () => {
      const draft = await askForDraft(routes, tokens, plans[0]?.owner ?? '');
      if (draft === null) return null;
      location.hash = hashOf(project.id, 'plans', [draft.slug]);
      return texts.created;
    });
  return {
    title: words.pages.plans,
    view: () => html`
      ${mayAct ? nothing : html`<p class="hint">${words.toAct}</p>`}
      ${table(
        texts.list,
        [
          {
            head: texts.name,
            cell: (row) =>
              html`<a href=${hashOf(project.id, 'plans', [row.slug])}>${row.name}</a>
                <span class="under">${row.slug}</span>`,
          },
          { head: texts.status, cell: planBadge },
          {
            head: texts.price,
            cell: (row) => html`${formats.price(row)} <span class="under">${formats.period(row)}</span>`,
          },
          { head: texts.active, cell: count('active'), isNumber: true },
          { head: texts.late, cell: count('late'), isNumber: true },
          {
            head: texts.takesIn,
            cell: columnOf(
              plans,
              (row) => figuresOf(row)?.collected.amount ?? '0',
              (row) => row,
            ),
            isNumber: true,
          },
          { head: texts.endsAt, cell: (row) => moment(row.ends_at) },
        ],
        plans,
        texts.none,
        mayAct ? html`<button class="primary" @click=${create}>${texts.create}</button>` : nothing,
      )}
    `,
  };
}
