import { html, nothing, render } from 'lit';
import { formValues } from './form-values.js';
import { words } from './words.js';

/** A field of a question. */
interface Field {
  readonly name: string;
  readonly label: string;
  readonly value?: string;
  readonly type?: 'text' | 'email' | 'number' | 'datetime-local' | 'lines';
  readonly hint?: string;
  readonly isRequired?: boolean;
  /** The only values, with their words. */
  readonly options?: readonly (readonly [value: string, text: string])[];
}

/** Things of which any number is chosen, or all of them. */
interface Choices {
  readonly label: string;
  readonly all: string;
  /** Each thing, with what it means. */
  readonly options: readonly (readonly [name: string, meaning: string])[];
  readonly chosen: readonly string[];
}

/** A question before an action. */
export interface Question {
  readonly title: string;
  readonly sentence: string;
  readonly fields?: readonly Field[];
  readonly choices?: Choices;
  /** The word on the button that acts. */
  readonly yes: string;
  /** Whether it takes something away. */
  readonly isDanger?: boolean;
}

/**
 * Shows a dialog. Resolves to the values of its fields, with one for each choice that was made, or to null
 * when it was left.
 */
export function ask({ title, sentence, fields = [], choices, yes, isDanger = false }: Question) {
  return new Promise<Readonly<Record<string, string>> | null>((resolve) => {
    const dialog = opened('ask');
    let answer: Readonly<Record<string, string>> | null = null;
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(answer);
    });
    const agree = (event: Event) => {
      answer = formValues(event);
      dialog.close();
    };
    render(
      html`<form @submit=${agree}>
        <h2 id="ask">${title}</h2>
        <p>${sentence}</p>
        ${fields.map(fieldView)} ${choices === undefined ? nothing : choicesView(choices)}
        <div class="actions">
          <button class=${isDanger ? 'danger' : 'primary'}>${yes}</button>
          <button type="button" @click=${() => dialog.close()}>${words.cancel}</button>
        </div>
      </form>`,
      dialog,
    );
    dialog.showModal();
  });
}

/** The name of the choice of all. */
const ALL = 'all';

/** The choices that an answer has, all of them in one or each by its name. */
export const chosenOf = <Name extends string>(
  answer: Readonly<Record<string, string>>,
  names: readonly Name[],
): readonly Name[] => names.filter((name) => ALL in answer || name in answer);

/** Shows what is shown once, such as a key, with a button that copies it. */
export function reveal(title: string, sentence: string, text: string): Promise<void> {
  return new Promise((resolve) => {
    const dialog = opened('ask');
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve();
    });
    const copy = () => void navigator.clipboard.writeText(text).then(() => draw(true));
    const draw = (copied: boolean) =>
      render(
        html`<h2 id="ask">${title}</h2>
          <p>${sentence}</p>
          <pre tabindex="0" aria-labelledby="ask">${text}</pre>
          <p role="status">${copied ? words.copied : nothing}</p>
          <div class="actions">
            ${
              // Without https the browser has none.
              'clipboard' in navigator
                ? html`<button class="primary" @click=${copy}>${words.copy}</button>`
                : nothing
            }
            <button @click=${() => dialog.close()}>${words.close}</button>
          </div>`,
        dialog,
      );
    draw(false);
    dialog.showModal();
  });
}

/** A dialog that is in the page, with the id of its title. */
export function opened(name: string): HTMLDialogElement {
  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-labelledby', name);
  document.body.append(dialog);
  return dialog;
}

function fieldView({ name, label, value = '', type = 'text', hint, isRequired = false, options }: Field) {
  const id = `field-${name}`;
  const hintId = hint === undefined ? nothing : `${id}-hint`;
  return html`<div class="field">
    <label for=${id}>${label}</label>
    ${
      options === undefined
        ? type === 'lines'
          ? html`<textarea
              id=${id}
              name=${name}
              rows="4"
              .value=${value}
              aria-describedby=${hintId}
            ></textarea>`
          : html`<input
              id=${id}
              name=${name}
              type=${type}
              .value=${value}
              ?required=${isRequired}
              aria-describedby=${hintId}
            />`
        : html`<select id=${id} name=${name}>
            ${options.map(
              ([one, text]) => html`<option value=${one} ?selected=${one === value}>${text}</option>`,
            )}
          </select>`
    }
    ${hint === undefined ? nothing : html`<p class="hint" id="${id}-hint">${hint}</p>`}
  </div>`;
}

function choicesView({ label, all, options, chosen }: Choices) {
  const areAll = chosen.length === options.length;
  const box = (name: string, text: unknown, isChecked: boolean) =>
    html`<label><input type="checkbox" name=${name} .checked=${isChecked} /> <span>${text}</span></label>`;
  const change = ({ target }: Event) => {
    const list = (target as HTMLElement).closest('fieldset')?.querySelector('fieldset') ?? null;
    if (list !== null && (target as HTMLInputElement).name === ALL)
      list.disabled = (target as HTMLInputElement).checked;
  };
  return html`<fieldset class="choices" @change=${change}>
    <legend>${label}</legend>
    ${box(ALL, all, areAll)}
    <fieldset class="choices" aria-label=${label} ?disabled=${areAll}>
      ${options.map(([name, meaning]) =>
        box(name, html`<code>${name}</code> <span class="under">${meaning}</span>`, chosen.includes(name)),
      )}
    </fieldset>
  </fieldset>`;
}
