import type { SigningWallet } from '@subrail/browser/wallets';
import type { ManagedPlan, PlanInput } from '@subrail/core/schemas';
import { html, nothing, render, type TemplateResult } from 'lit';
import type { ProjectRoutes } from './api.js';
import { opened } from './ask.js';
import { failureText } from './failure.js';
import { formValues, valuesOf } from './form-values.js';
import { formats } from './pieces.js';
import { findWallets } from './wallet-buttons.js';
import { words } from './words.js';

const texts = words.plans;

/** The hours of each unit in which a period is written. */
const HOURS = { hour: 1, day: 24, week: 168 } as const;
type Unit = keyof typeof HOURS;

type Values = Readonly<Record<string, string>>;

/** A token that a plan of the project has. */
type Token = Pick<ManagedPlan, 'mint' | 'symbol' | 'decimals'>;

/** Whole tokens in the smallest unit; null when the text is no such number, or has too many decimals. */
function smallestOf(text: string, decimals: number): string | null {
  const [, whole = '', rest = ''] = /^(\d{1,20})(?:\.(\d+))?$/.exec(text.trim()) ?? [];
  if (whole === '' || rest.length > decimals) return null;
  return String(BigInt(whole + rest.padEnd(decimals, '0')));
}

const OTHER = '';

/** Asks for a draft and creates it. Stays until that worked; resolves to null when it was left. */
export function askForDraft(
  routes: ProjectRoutes,
  tokens: readonly Token[],
  owner: string,
): Promise<ManagedPlan | null> {
  return new Promise((resolve) => {
    const dialog = opened('draft');
    let created: ManagedPlan | null = null;
    let problem: string | null = null;
    let values: Values = { token: tokens[0]?.mint ?? OTHER, decimals: '6', every: '30', unit: 'day' };

    let found: ReturnType<typeof findWallets> | null = null;

    dialog.addEventListener('close', () => {
      found?.stop();
      dialog.remove();
      resolve(created);
    });

    function find() {
      found ??= findWallets(draw);
      draw();
    }

    /** Takes the account of a wallet as the owner. */
    async function take(wallet: SigningWallet) {
      problem = null;
      try {
        const [account = ''] = await wallet.connect();
        const field = dialog.querySelector<HTMLInputElement>('#draft-owner');
        if (field !== null) field.value = account;
      } catch (error) {
        problem = failureText(error);
      }
      draw();
    }

    const decimalsOf = ({ token = OTHER, decimals = '' }: Values) =>
      tokens.find(({ mint }) => mint === token)?.decimals ?? Number(decimals);

    /** The price and the period as they would be, beneath the fields. */
    function preview(): { readonly price: string; readonly period: string } {
      const { amount = '', every = '', unit = 'day' } = values;
      const smallest = smallestOf(amount, decimalsOf(values));
      const hours = Math.round(Number(every) * HOURS[unit as Unit]);
      return {
        price:
          amount === ''
            ? texts.priceHint
            : smallest === null
              ? texts.priceWrong(decimalsOf(values))
              : words.signing.smallest(smallest),
        period: hours > 0 ? texts.charged(formats.period({ period_hours: hours })) : texts.periodHint,
      };
    }

    function input(event: Event) {
      const form = (event.currentTarget as HTMLElement).closest('form');
      if (form === null) return;
      values = valuesOf(form);
      draw();
    }

    async function create(event: Event) {
      values = formValues(event);
      const smallest = smallestOf(values['amount'] ?? '', decimalsOf(values));
      try {
        if (smallest === null) throw new Error(texts.priceWrong(decimalsOf(values)));
        created = await routes.post<ManagedPlan>('plans', inputOf(values, smallest, decimalsOf(values)));
        dialog.close();
      } catch (error) {
        problem = failureText(error);
        draw();
        dialog.querySelector<HTMLElement>('#draft-problem')?.focus();
      }
    }

    function draw() {
      const { price, period } = preview();
      render(
        html`<form @submit=${create} @input=${input}>
          <h2 id="draft">${texts.create}</h2>
          <p>${texts.createAsk}</p>
          ${field('name', texts.name, { required: true, hint: texts.nameHint })}
          ${field('owner', texts.owner, { required: true, value: owner, hint: texts.ownerHint })}
          ${
            found === null
              ? html`<div>
                  <button type="button" class="small" @click=${find}>${texts.ownerFrom}</button>
                </div>`
              : found.view(texts.ownerOf, (wallet) => void take(wallet))
          }
          ${tokens.length === 0 ? nothing : tokenField()}
          ${
            (values['token'] ?? OTHER) === OTHER
              ? html`${field('mint', texts.mint, { required: true })}
                ${field('decimals', texts.decimals, { required: true, type: 'number', value: '6', hint: texts.decimalsHint })}`
              : nothing
          }
          ${field('amount', texts.amount, { required: true, hint: price, mode: 'decimal' })}
          <div class="pair">
            ${field('every', texts.every, { required: true, type: 'number', value: '30', hint: period })}
            ${unitField()}
          </div>
          <details>
            <summary>${texts.more}</summary>
            ${field('slug', texts.slug, { hint: texts.slugHint })} ${field('description', texts.description)}
            ${field('website', texts.website, { type: 'url' })}
            ${field('logo_url', texts.logo, { type: 'url' })}
            ${field('destinations', texts.receivers, { hint: texts.receiversHint })}
            ${field('ends_at', texts.endsLocal, { type: 'datetime-local', hint: words.signing.forGood.shorten })}
            ${field('retry_attempts', texts.retries, { type: 'number', hint: texts.retriesHint })}
            ${field('retry_wait_minutes', texts.retryWait, { type: 'number' })}
            <label class="check"
              ><input type="checkbox" name="one_per_customer" /> ${texts.onePerCustomer}</label
            >
          </details>
          ${
            problem === null
              ? nothing
              : html`<p role="alert" tabindex="-1" id="draft-problem" class="notice bad">${problem}</p>`
          }
          <div class="actions">
            <button class="primary">${texts.create}</button>
            <button type="button" @click=${() => dialog.close()}>${words.cancel}</button>
          </div>
        </form>`,
        dialog,
      );
    }

    const tokenField = () =>
      html`<div class="field">
        <label for="draft-token">${texts.token}</label>
        <select id="draft-token" name="token">
          ${tokens.map(
            ({ mint, symbol }, index) =>
              html`<option value=${mint} ?selected=${index === 0}>${symbol ?? mint}</option>`,
          )}
          <option value=${OTHER}>${texts.otherToken}</option>
        </select>
      </div>`;

    const unitField = () =>
      html`<div class="field">
        <label for="draft-unit">${texts.unit}</label>
        <select id="draft-unit" name="unit">
          ${(Object.keys(HOURS) as Unit[]).map(
            (unit) => html`<option value=${unit} ?selected=${unit === 'day'}>${texts.units[unit]}</option>`,
          )}
        </select>
      </div>`;

    draw();
    dialog.showModal();
  });
}

/** The input of a draft. A field that was left empty is left out. */
function inputOf(values: Values, amount: string, decimals: number): PlanInput {
  const { name = '', owner = '', token = OTHER, mint = '', every = '', unit = 'day' } = values;
  const given = (key: string) => {
    const text = values[key]?.trim() ?? '';
    return text === '' ? undefined : text;
  };
  const whole = (key: string) => (given(key) === undefined ? undefined : Number(given(key)));
  const ends = given('ends_at');
  const destinations = given('destinations');
  return {
    name: name.trim(),
    owner: owner.trim(),
    mint: token === OTHER ? mint.trim() : token,
    amount,
    decimals,
    period_hours: Math.round(Number(every) * HOURS[unit as Unit]),
    slug: given('slug'),
    description: given('description'),
    website: given('website'),
    logo_url: given('logo_url'),
    destinations: destinations === undefined ? undefined : listOf(destinations),
    ends_at: ends === undefined ? undefined : new Date(ends).toISOString(),
    retry_attempts: whole('retry_attempts'),
    retry_wait_minutes: whole('retry_wait_minutes'),
    one_per_customer: values['one_per_customer'] !== undefined,
  };
}

/** The addresses of a text, which has commas or spaces between them. */
export const listOf = (text: string): string[] => text.split(/[\s,]+/).filter((one) => one !== '');

interface FieldOptions {
  readonly type?: 'text' | 'number' | 'url' | 'datetime-local';
  readonly value?: string;
  readonly required?: boolean;
  readonly hint?: string;
  readonly mode?: 'decimal';
}

function field(name: string, label: string, options: FieldOptions = {}): TemplateResult {
  const { type = 'text', value = '', required = false, hint, mode } = options;
  const id = `draft-${name}`;
  return html`<div class="field">
    <label for=${id}>${label}</label>
    <input
      id=${id}
      name=${name}
      type=${type}
      value=${value}
      inputmode=${mode ?? nothing}
      min=${type === 'number' ? 0 : nothing}
      ?required=${required}
      aria-describedby=${hint === undefined ? nothing : `${id}-hint`}
    />
    ${hint === undefined ? nothing : html`<p class="hint" id="${id}-hint">${hint}</p>`}
  </div>`;
}
