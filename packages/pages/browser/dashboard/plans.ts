import type { BuildAnswer, LinkList, LinkWire, ManagedPlan, Overview } from '@subrail/core/schemas';
import { html, nothing, type TemplateResult } from 'lit';
import { ask, reveal } from './ask.js';
import type { Context, Shown } from './context.js';
import { badge, factList, formats, moment, table, type Piece, type Tone } from './pieces.js';
import { hashOf } from './place.js';
import { qrCode } from './qr-code.js';
import { words } from './words.js';

const texts = words.plans;

const TONES: Readonly<Record<string, Tone>> = { active: 'good', sunset: 'warn', failed: 'bad' };

const statusBadge = ({ status }: ManagedPlan): Piece =>
  badge(TONES[status] ?? 'quiet', texts.statuses[status] ?? status);

type Figures = Overview['plans'][number];

/** The plans of a project, each with what it took in. */
export async function plansPage({ routes, project, act, mayAct }: Context): Promise<Shown> {
  const [plans, overview] = await Promise.all([
    routes.get<readonly ManagedPlan[]>('plans'),
    routes.get<Overview>('overview', { days: 30 }),
  ]);
  const figuresOf = ({ slug }: ManagedPlan) => overview.plans.find(({ plan }) => plan === slug);
  const count = (name: 'active' | 'late') => (row: ManagedPlan) => String(figuresOf(row)?.[name] ?? 0);
  const create = () =>
    act(async () => {
      const answer = await ask({
        title: texts.create,
        sentence: texts.createAsk,
        fields: [
          { name: 'name', label: texts.name, isRequired: true },
          { name: 'owner', label: texts.owner, isRequired: true, hint: texts.ownerHint },
          { name: 'mint', label: texts.token, isRequired: true, value: plans[0]?.mint ?? '' },
          { name: 'amount', label: texts.amount, isRequired: true, hint: texts.amountHint },
          { name: 'days', label: texts.days, type: 'number', isRequired: true, value: '30' },
        ],
        yes: texts.create,
      });
      if (answer === null) return null;
      const { days, ...plan } = answer;
      const { slug } = await routes.post<ManagedPlan>('plans', { ...plan, period_hours: Number(days) * 24 });
      location.hash = hashOf(project.id, 'plans', [slug]);
      return texts.created;
    });
  return {
    title: words.pages.plans,
    view: () => html`
      ${
        mayAct
          ? html`<div class="actions"><button class="primary" @click=${create}>${texts.create}</button></div>`
          : html`<p class="hint">${words.toAct}</p>`
      }
      ${table(
        texts.list,
        [
          {
            head: texts.name,
            cell: (row) =>
              html`<a href=${hashOf(project.id, 'plans', [row.slug])}>${row.name}</a>
                <span class="under">${row.slug}</span>`,
          },
          { head: texts.status, cell: statusBadge },
          {
            head: texts.price,
            cell: (row) => html`${formats.price(row)} <span class="under">${formats.period(row)}</span>`,
          },
          { head: texts.active, cell: count('active'), isNumber: true },
          { head: texts.late, cell: count('late'), isNumber: true },
          { head: texts.takesIn, cell: (row) => collectedText(row, figuresOf(row)), isNumber: true },
          { head: texts.endsAt, cell: (row) => moment(row.ends_at) },
        ],
        plans,
        texts.none,
      )}
    `,
  };
}

const collectedText = (plan: ManagedPlan, figures: Figures | undefined): string =>
  formats.units(figures?.collected.amount ?? '0', plan);

/** A plan: its facts, its links with a QR code, and the steps that its owner's wallet signs. */
export async function planPage(context: Context, slug: string): Promise<Shown> {
  const { routes, project } = context;
  const path = `plans/${encodeURIComponent(slug)}`;
  const [plan, list] = await Promise.all([
    routes.get<ManagedPlan>(path),
    routes.get<LinkList>('checkout/v1/links'),
  ]);
  const links = list.links.filter((link) => link.plan === slug);
  const open = links.find(({ ended_at: ended }) => ended === null);
  const qr = open === undefined ? nothing : await qrCode(open.url, texts.qr(plan.name));
  return {
    title: plan.name,
    view: () => html`
      <p>
        <a href=${hashOf(project.id, 'plans')}>${words.back(words.pages.plans)}</a> ·
        <a href=${hashOf(project.id, 'customers', [], { plan: slug })}>${texts.itsCustomers}</a>
      </p>
      ${context.mayAct ? stepsView(context, plan, path) : html`<p class="hint">${words.toAct}</p>`}
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
                <p><a href=${open.url} target="_blank" rel="noreferrer">${open.url}</a></p>
                ${qr}
              </section>`
        }
      </div>
      ${linksView(context, plan, links)}
    `,
  };
}

const factsView = (plan: ManagedPlan): TemplateResult =>
  factList([
    [texts.status, statusBadge(plan)],
    [texts.price, `${formats.price(plan)} ${formats.period(plan)}`],
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
  ]);

/** The steps of a plan. Each builds a transaction for its owner's wallet, and is confirmed once it landed. */
function stepsView({ act, routes }: Context, plan: ManagedPlan, path: string): TemplateResult {
  const build = async (step: string, body?: object) => {
    const { transaction } = await routes.post<BuildAnswer>(`${path}/${step}`, body);
    await reveal(texts.unsigned, texts.unsignedHow(plan.owner), transaction);
    return texts.thenConfirm;
  };
  const publish = () => act(() => build('publish'));
  const confirm = (step: string, body?: object) => () =>
    act(async () => {
      await routes.post(`${path}/${step}`, body);
      return texts.confirmed;
    });
  const discard = () =>
    act(async () => {
      const question = {
        title: texts.discard,
        sentence: texts.discardAsk,
        yes: texts.discard,
        isDanger: true,
      };
      if ((await ask(question)) === null) return null;
      await routes.post(`${path}/discard`);
      return texts.discarded;
    });
  const end = (step: 'sunset' | 'shorten') => () =>
    act(async () => {
      const answer = await ask({
        title: texts.steps[step],
        sentence: texts.stepsAsk[step],
        fields: [
          {
            name: 'at',
            label: texts.endsLocal,
            type: 'datetime-local',
            isRequired: step === 'shorten' || plan.ends_at === null,
          },
        ],
        yes: texts.build,
      });
      if (answer === null) return null;
      const { at = '' } = answer;
      return build(step, at === '' ? {} : { ends_at: new Date(at).toISOString() });
    });
  if (plan.status === 'draft')
    return html`<div class="actions">
      <button class="primary" @click=${publish}>${texts.steps.publish}</button>
      <button @click=${confirm('publish/confirm')}>${texts.confirm}</button>
      <button class="danger" @click=${discard}>${texts.discard}</button>
    </div>`;
  if (plan.status !== 'active' && plan.status !== 'sunset') return html``;
  return html`<div class="actions">
    ${plan.status === 'active' ? html`<button @click=${end('sunset')}>${texts.steps.sunset}</button>` : nothing}
    <button @click=${end('shorten')}>${texts.steps.shorten}</button>
    <button @click=${confirm('confirm', {})}>${texts.confirm}</button>
  </div>`;
}

function linksView({ act, mayAct, routes }: Context, plan: ManagedPlan, links: readonly LinkWire[]) {
  const create = () =>
    act(async () => {
      await routes.post('checkout/v1/links', { plan: plan.slug });
      return texts.linkMade;
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
    ${mayAct && plan.status === 'active' ? html`<div class="actions"><button @click=${create}>${texts.makeLink}</button></div>` : nothing}
    ${table(
      texts.links,
      [
        { head: texts.address, cell: (row) => row.url },
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
    )}
  </section>`;
}
