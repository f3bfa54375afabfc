import { html, nothing, type TemplateResult } from 'lit';
import { formValues } from './form-values.js';
import { words } from './words.js';

/** The form that takes a management key. The key goes to the server once and is kept nowhere on the page. */
export function logInView(
  { sentence, problem, isBusy }: { sentence: string | null; problem: string | null; isBusy: boolean },
  submit: (key: string) => void,
): TemplateResult {
  const texts = words.logIn;
  const agree = (event: Event) => submit(formValues(event)['key'] ?? '');
  return html`<main class="gate">
    <h1 tabindex="-1">${texts.title}</h1>
    <div role="status">${sentence === null ? nothing : html`<p class="notice warn">${sentence}</p>`}</div>
    <p>${texts.lead}</p>
    <form @submit=${agree}>
      <div class="field">
        <label for="key">${texts.key}</label>
        <input
          id="key"
          name="key"
          type="password"
          required
          autocomplete="current-password"
          spellcheck="false"
          aria-describedby="problem"
        />
      </div>
      <div id="problem" role="alert">
        ${problem === null ? nothing : html`<p class="notice bad">${problem}</p>`}
      </div>
      <div class="actions">
        <button class="primary" ?disabled=${isBusy}>${isBusy ? texts.busy : texts.button}</button>
      </div>
    </form>
    <p class="hint">${texts.make}</p>
    <pre tabindex="0">${texts.command}</pre>
  </main>`;
}
