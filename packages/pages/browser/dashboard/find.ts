import { html, nothing, type TemplateResult } from 'lit';
import type { Query } from './api.js';
import type { Context } from './context.js';
import { formValues } from './form-values.js';
import { hashOf, type Place } from './place.js';
import { words } from './words.js';

/** What a text of a search may be, the likeliest first. `id` names the field of a subscription. */
function meaningsOf(text: string, id: 'id' | 'subscription'): readonly Query[] {
  if (text === '') return [{}];
  if (/^sub_/.test(text)) return [{ [id]: text }];
  const own = { external_id: text };
  if (id === 'subscription' && /^[1-9A-HJ-NP-Za-km-z]{86,88}$/.test(text)) return [{ signature: text }, own];
  if (text.includes('@')) return [{ email: text.toLowerCase() }, own];
  return /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text) ? [{ wallet: text }, { [id]: text }, own] : [own];
}

/** Reads each meaning of a text until one finds something. */
export async function find<Page extends { readonly data: readonly unknown[]; readonly next: string | null }>(
  text: string,
  id: 'id' | 'subscription',
  read: (meaning: Query) => Promise<Page>,
): Promise<{ readonly page: Page; readonly meaning: Query }> {
  const [first = {}, ...others] = meaningsOf(text, id);
  let found = { page: await read(first), meaning: first };
  for (const meaning of others) {
    if (found.page.data.length > 0 || found.page.next !== null) break;
    found = { page: await read(meaning), meaning };
  }
  return found;
}

/** The text that a place looks for. */
export const textOf = ({ query }: Place): string => (query.get('q') ?? '').trim();

/** The address of the first page of this list with other filters. */
export const leadTo = ({ project, place }: Context, changes: Readonly<Record<string, string | null>>) =>
  hashOf(project.id, place.page, place.rest, {
    ...Object.fromEntries(place.query),
    after: null,
    ...changes,
  });

/** A form that looks for a text, and for what its other fields say. */
export function findView(context: Context, hint: string, fields: readonly TemplateResult[]): TemplateResult {
  const submit = (event: Event) => {
    const hash = leadTo(context, formValues(event));
    // The same search again reads what is new.
    if (hash === location.hash) dispatchEvent(new HashChangeEvent('hashchange'));
    else location.hash = hash;
  };
  return html`<form class="search" role="search" @submit=${submit}>
    <div class="field wide">
      <label for="q">${hint}</label>
      <input
        id="q"
        name="q"
        type="search"
        placeholder=${words.customers.exactly}
        .value=${textOf(context.place)}
        autocomplete="off"
        spellcheck="false"
      />
    </div>
    ${fields}
    <button class="primary">${words.customers.search}</button>
  </form>`;
}

/** A field of the form with the values to choose from, and one for all of them. */
export function choiceField(
  { place }: Context,
  name: string,
  label: string,
  all: string,
  options: readonly (readonly [value: string, text: string])[],
): TemplateResult {
  const chosen = place.query.get(name);
  const known = options.some(([value]) => value === chosen);
  return html`<div class="field">
    <label for=${name}>${label}</label>
    <select id=${name} name=${name}>
      <option value="">${all}</option>
      ${[...options, ...(chosen === null || known ? [] : [[chosen, chosen] as const])].map(
        ([value, text]) => html`<option value=${value} ?selected=${value === chosen}>${text}</option>`,
      )}
    </select>
  </div>`;
}

/** Filters, each of which is a link. */
export const filterLinks = (
  label: string,
  links: readonly (readonly [name: string, href: string, isChosen: boolean])[],
): TemplateResult =>
  html`<nav class="filters" aria-label=${label}>
    ${links.map(
      ([name, href, isChosen]) =>
        html`<a href=${href} aria-current=${isChosen ? 'true' : nothing}>${name}</a>`,
    )}
  </nav>`;
