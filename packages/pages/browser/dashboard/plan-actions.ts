import type { ManagedPlan } from '@subrail/core/schemas';
import { html, nothing, type TemplateResult } from 'lit';
import { ask } from './ask.js';
import type { Context } from './context.js';
import { listOf } from './draft-dialog.js';
import { keptSignatureOf } from './kept-signature.js';
import type { Change } from './plan-change.js';
import { signChange } from './sign-change.js';
import { words } from './words.js';

const { plans: texts, signing } = words;

/** The actions on a plan: those that its owner's wallet signs, and the others. */
export function actionsView({ act, routes }: Context, plan: ManagedPlan): TemplateResult {
  const path = `plans/${encodeURIComponent(plan.slug)}`;
  const { status } = plan;
  const sign = (change: Change) => signChange(routes, plan, change);
  const signs = (change: Change) => () => act(() => sign(change));

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
        yes: texts.goOn,
      });
      if (answer === null) return null;
      const { at = '' } = answer;
      if (step === 'sunset') return sign({ step, body: at === '' ? {} : { ends_at: inUtc(at) } });
      return sign({ step, body: { ends_at: inUtc(at) } });
    });

  const pullers = () =>
    act(async () => {
      const answer = await ask({
        title: texts.steps.pullers,
        sentence: texts.stepsAsk.pullers,
        fields: [
          { name: 'pullers', label: texts.pullers, value: plan.pullers?.join(', ') ?? '' },
          {
            name: 'charger',
            label: texts.charger,
            options: [
              ['in', texts.chargerIn],
              ['out', texts.chargerOut],
            ],
          },
        ],
        yes: texts.goOn,
      });
      if (answer === null) return null;
      return sign({
        step: 'pullers',
        body: { pullers: listOf(answer['pullers'] ?? ''), without_charger: answer['charger'] === 'out' },
      });
    });

  const edit = () =>
    act(async () => {
      const answer = await ask({
        title: texts.editTitle,
        sentence: status === 'draft' ? texts.editDraft : texts.editPublished,
        fields: [
          ...(status === 'draft'
            ? [{ name: 'name', label: texts.name, value: plan.name, isRequired: true }]
            : []),
          { name: 'description', label: texts.description, value: plan.description ?? '' },
          { name: 'website', label: texts.website, value: plan.website ?? '' },
          { name: 'logo_url', label: texts.logo, value: plan.logo_url ?? '' },
          {
            name: 'one_per_customer',
            label: texts.onePerCustomer,
            value: plan.one_per_customer ? 'yes' : 'no',
            options: [
              ['no', words.no],
              ['yes', words.yes],
            ],
          },
        ],
        yes: texts.save,
      });
      if (answer === null) return null;
      const { name, description = '', website = '', logo_url = '', one_per_customer } = answer;
      const changes = {
        ...(name === undefined ? {} : { name }),
        description: description || null,
        website: website || null,
        logo_url: logo_url || null,
        one_per_customer: one_per_customer === 'yes',
      };
      await routes.post(path, changes);
      return texts.edited;
    });

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

  const kept = keptSignatureOf(plan.id).read();
  if (kept !== null)
    return html`<section class="notice" aria-label=${signing.keptTitle}>
      <p>${signing.kept(signing.titles[kept.change.step])}</p>
      <p>
        <button class="primary" @click=${() => act(() => signChange(routes, plan, kept.change, kept))}>
          ${signing.goOn}
        </button>
      </p>
    </section>`;
  if (status === 'draft')
    return html`<div class="actions">
      <button class="primary" @click=${signs({ step: 'publish' })}>${texts.steps.publish}</button>
      <button @click=${edit}>${texts.edit}</button>
      <button @click=${confirm('publish/confirm')}>${texts.confirm}</button>
      <button class="danger" @click=${discard}>${texts.discard}</button>
    </div>`;
  if (status !== 'active' && status !== 'sunset') return html``;
  return html`<div class="actions">
    <button @click=${edit}>${texts.edit}</button>
    ${
      status === 'active'
        ? html`<button @click=${end('sunset')}>${texts.steps.sunset}</button>
            <button @click=${end('shorten')}>${texts.steps.shorten}</button>`
        : nothing
    }
    <button @click=${pullers}>${texts.steps.pullers}</button>
    ${
      plan.ends_at === null
        ? nothing
        : html`<button class="danger" @click=${signs({ step: 'delete' })}>${texts.steps.delete}</button>`
    }
    <button @click=${confirm('confirm', {})}>${texts.confirm}</button>
  </div>`;
}

/** An instant in the zone of the reader, in whole seconds of UTC. */
const inUtc = (local: string) => new Date(local).toISOString();
