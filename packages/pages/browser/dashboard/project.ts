import type { Manager } from '@subrail/core/client';
import type { Examination, ManagedProject, Rebuilt, SellerWire } from '@subrail/core/schemas';
import { html, nothing, type TemplateResult } from 'lit';
import { post } from './api.js';
import { ask } from './ask.js';
import type { Context, Shown } from './context.js';
import { breakable, factList, table } from './pieces.js';
import { words } from './words.js';

const texts = words.settings;

type Look = Awaited<ReturnType<ReturnType<Manager['project']>['look']>>;
type Finding = Examination['findings'][number];

/** How many parts of 100 subscriptions are examined before somebody asks for more. */
const PARTS = 20;

/** The settings of a project and how its pages look, and what examines and recounts its records. */
export async function projectPage(context: Context): Promise<Shown> {
  const { project, routes, mayAct } = context;
  const [look, seller] = await Promise.all([
    routes.get<Look>('look').catch(() => null),
    routes.get<SellerWire>('seller').catch(() => null),
  ]);
  return {
    title: words.pages.project,
    view: () => html`
      ${mayAct ? nothing : html`<p class="hint">${words.toAct}</p>`}
      <section class="card">
        ${factsView(project, look)} ${mayAct ? settingsView(context, look) : nothing}
      </section>
      <section class="card">
        <h2>${texts.examine}</h2>
        <p class="hint">${texts.examineAbout}</p>
        ${examinationView(context)}
      </section>
      ${seller === null ? nothing : sellerView(context, seller)} ${mayAct ? recountView(context) : nothing}
    `,
  };
}

function factsView(project: ManagedProject, look: Look | null): TemplateResult {
  const { limits } = project;
  return factList([
    [texts.name, breakable(project.name)],
    [texts.tier, texts.tiers[project.tier]],
    [texts.seats, limits.subscribers?.toLocaleString('en') ?? texts.noLimit],
    [texts.plans, limits.published_plans?.toLocaleString('en') ?? texts.noLimit],
    [texts.cancelUrl, project.cancel_url === null ? words.none : breakable(project.cancel_url)],
    [texts.logoUrl, project.logo_url === null ? words.none : breakable(project.logo_url)],
    [texts.accent, look?.accent ?? words.none],
    [texts.logo, look?.logo == null ? words.none : texts.hasLogo],
    [texts.id, html`<code>${project.id}</code>`],
  ]);
}

function settingsView({ act, project, routes }: Context, look: Look | null): TemplateResult {
  const { id } = project;
  const change = () =>
    act(async () => {
      const answer = await ask({
        title: texts.change,
        sentence: texts.changeAsk,
        fields: [
          { name: 'name', label: texts.name, value: project.name, isRequired: true },
          { name: 'tier', label: texts.tier, value: project.tier, options: Object.entries(texts.tiers) },
          limitField('subscriber_limit', texts.seats, project.subscriber_limit),
          limitField('published_plans_limit', texts.plans, project.published_plans_limit),
          { name: 'cancel_url', label: texts.cancelUrl, value: project.cancel_url ?? '', hint: texts.https },
          { name: 'logo_url', label: texts.logoUrl, value: project.logo_url ?? '', hint: texts.https },
        ],
        yes: texts.save,
      });
      if (answer === null) return null;
      const { subscriber_limit: seats, published_plans_limit: plans, ...rest } = answer;
      await post(`projects/${id}`, {
        ...rest,
        cancel_url: rest['cancel_url'] || null,
        logo_url: rest['logo_url'] || null,
        subscriber_limit: seats ? Number(seats) : null,
        published_plans_limit: plans ? Number(plans) : null,
      });
      return texts.changed;
    });
  const wear = () =>
    act(async () => {
      const keepsLogo = look?.logo != null;
      const answer = await ask({
        title: texts.changeLook,
        sentence: texts.lookAsk,
        fields: [
          { name: 'accent', label: texts.accent, value: look?.accent ?? '', hint: texts.accentHint },
          ...(keepsLogo ? [{ name: 'logo', label: texts.logo, options: Object.entries(texts.logos) }] : []),
        ],
        yes: texts.save,
      });
      if (answer === null) return null;
      await routes.post('look', {
        accent: answer['accent'] || null,
        ...(answer['logo'] === 'remove' ? { logo: null } : {}),
      });
      return texts.changed;
    });
  const remove = () =>
    act(async () => {
      const question = { title: texts.remove, sentence: texts.removeAsk(project.name), yes: texts.remove };
      if ((await ask({ ...question, isDanger: true })) === null) return null;
      await routes.post('delete');
      // The others are read anew, and this one is among them no longer.
      location.assign('#');
      location.reload();
      return null;
    });
  return html`<div class="actions">
    <button class="primary" @click=${change}>${texts.change}</button>
    <button @click=${wear}>${texts.changeLook}</button>
    <button class="danger" @click=${remove}>${texts.remove}</button>
  </div>`;
}

function sellerView({ act, routes, mayAct }: Context, seller: SellerWire): TemplateResult {
  const change = () =>
    act(async () => {
      const answer = await ask({
        title: texts.changeSeller,
        sentence: texts.sellerAsk,
        fields: [
          {
            ...{ name: 'legal_name', label: texts.legalName, value: seller.legal_name ?? '' },
            hint: texts.legalNameHint,
          },
          {
            ...{ name: 'address', label: texts.address, value: seller.address.join('\n'), type: 'lines' },
            hint: texts.addressHint,
          },
          { name: 'tax_id', label: texts.taxId, value: seller.tax_id ?? '' },
          {
            ...{ name: 'receipt_prefix', label: texts.prefix, value: seller.receipt_prefix ?? '' },
            hint: texts.prefixHint,
          },
        ],
        yes: texts.save,
      });
      if (answer === null) return null;
      await routes.post('seller', {
        legal_name: answer['legal_name'] || null,
        address: (answer['address'] ?? '').split('\n').filter((line) => line.trim() !== ''),
        tax_id: answer['tax_id'] || null,
        receipt_prefix: answer['receipt_prefix'] || null,
      });
      return texts.changed;
    });
  return html`<section class="card">
    <h2>${texts.seller}</h2>
    ${factList([
      [texts.legalName, breakable(seller.legal_name ?? words.none)],
      [
        texts.address,
        seller.address.length === 0 ? words.none : html`${seller.address.map((line) => html`${line}<br />`)}`,
      ],
      [texts.taxId, seller.tax_id ?? words.none],
      [texts.prefix, seller.receipt_prefix ?? words.none],
    ])}
    ${
      mayAct
        ? html`<div class="actions"><button @click=${change}>${texts.changeSeller}</button></div>`
        : nothing
    }
  </section>`;
}

const limitField = (name: string, label: string, value: number | null) =>
  ({
    name,
    label,
    type: 'number',
    value: value === null ? '' : String(value),
    hint: texts.limitHint,
  }) as const;

/** What was examined of a project so far, which stays while the page is open. */
const lastExamination = new Map<string, Examination>();

function examinationView({ act, project: { id }, routes }: Context): TemplateResult {
  const last = lastExamination.get(id);
  const examine = (begun: Examination | undefined) => () =>
    act(async () => {
      let all = begun;
      for (let part = 0; part < PARTS && all?.next !== null; part += 1) {
        const more = await routes.get<Examination>('doctor', { starting_after: all?.next });
        all = all === undefined ? more : joined(all, more);
      }
      if (all !== undefined) lastExamination.set(id, all);
      return null;
    });
  return html`
    ${last === undefined ? nothing : resultView(last)}
    <div class="actions">
      <button @click=${examine(undefined)}>${last === undefined ? texts.begin : texts.again}</button>
      ${last == null || last.next === null ? nothing : html`<button @click=${examine(last)}>${texts.goOn}</button>`}
    </div>
  `;
}

/** The result of two parts of an examination. */
function joined(one: Examination, more: Examination): Examination {
  return {
    examined: one.examined + more.examined,
    findings: [...one.findings, ...more.findings],
    notes: [...one.notes, ...more.notes],
    not_compared: one.not_compared + more.not_compared,
    next: more.next,
  };
}

function resultView({ examined, findings, notes, not_compared: silent, next }: Examination): TemplateResult {
  return html`
    <p>${texts.examined(examined, next === null)} ${silent === 0 ? nothing : texts.notCompared(silent)}</p>
    ${findingTable(texts.findings, findings, texts.noFindings)}
    ${notes.length === 0 ? nothing : findingTable(texts.notes, notes, '')}
  `;
}

const findingTable = (caption: string, rows: readonly Finding[], empty: string): TemplateResult =>
  table(
    caption,
    [
      { head: texts.what, cell: ({ what }) => what },
      { head: texts.remedy, cell: ({ remedy }) => remedy },
      { head: texts.rows, cell: ({ rows: ids }) => html`${ids.map((one) => html`<code>${one}</code> `)}` },
    ],
    rows,
    empty,
  );

function recountView({ act, routes }: Context): TemplateResult {
  const recount = () =>
    act(async () => {
      if ((await ask({ title: texts.recount, sentence: texts.recountAsk, yes: texts.recount })) === null)
        return null;
      let changed = 0;
      for (let from: string | null | undefined; from !== null;) {
        const part: Rebuilt = await routes.post('figures/rebuild', from === undefined ? {} : { from });
        changed += part.changed;
        from = part.next;
      }
      return texts.recounted(changed);
    });
  return html`<section class="card">
    <h2>${texts.figures}</h2>
    <p class="hint">${texts.figuresAbout}</p>
    <div class="actions"><button @click=${recount}>${texts.recount}</button></div>
  </section>`;
}
