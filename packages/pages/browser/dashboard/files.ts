import { html, type TemplateResult } from 'lit';
import { fileAddress, readSession, type Query } from './api.js';
import type { Context } from './context.js';
import { words } from './words.js';

const texts = words.files;

type Format = keyof typeof texts.formats;

/** Links to a list as a file, which the browser saves part by part, however long it is. */
export function filesView({ act, project }: Context, list: string, query: Query): TemplateResult {
  // Elsewhere the browser does not say that the page is the service's own, so the file is refused.
  if (!isSecureContext) return html`<p class="hint">${texts.needsHttps}</p>`;
  const addressOf = (format: Format) =>
    fileAddress(`projects/${project.id}/${list}/export`, { ...query, format });
  const save = (format: Format) => (event: Event) => {
    event.preventDefault();
    act(async () => {
      // The browser says nothing of a file that is refused, and the page does.
      await readSession();
      const link = document.createElement('a');
      link.href = addressOf(format);
      link.download = '';
      link.click();
      return texts.saving;
    });
  };
  return html`<p class="pages">
    <span>${texts.save}:</span>
    ${Object.entries(texts.formats).map(
      ([format, name]) =>
        html`<a href=${addressOf(format as Format)} download @click=${save(format as Format)}>${name}</a>`,
    )}
  </p>`;
}
