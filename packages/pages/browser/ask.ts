/** A question to the person at the page. Texts are never set as HTML. */
export interface Question {
  readonly title: string;
  readonly question: string;
  /** The text that the question is about; null without. */
  readonly details: string | null;
  readonly yes: string;
  readonly no: string;
}

/** The texts in the language of the element on the page. */
export function inItsLanguage<Texts>({ en, de }: { readonly en: Texts; readonly de: Texts }): Texts {
  const [element] = document.querySelectorAll('subrail-checkout, subrail-portal');
  return element?.shadowRoot?.querySelector('[lang|=de]') ? de : en;
}

/** Makes an element with a text. */
function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  text: string,
  properties: Partial<HTMLElementTagNameMap[Tag]> = {},
): HTMLElementTagNameMap[Tag] {
  return Object.assign(document.createElement(tag), { textContent: text }, properties);
}

/** Asks in a dialog. Rejects as wallets do when the answer is no. */
export function ask({ title, question, details, yes, no }: Question): Promise<void> {
  return new Promise((resolve, reject) => {
    const close = (agreed: boolean) => () => {
      dialog.close();
      dialog.remove();
      if (agreed) resolve();
      else reject(Object.assign(new Error('User rejected the request.'), { code: 4001 }));
    };
    const dialog = element('dialog', '', { className: 'ask' });
    dialog.setAttribute('aria-labelledby', 'ask-title');
    const actions = element('div', '', { className: 'actions' });
    actions.append(
      element('button', yes, { type: 'button', className: 'primary', onclick: close(true) }),
      element('button', no, { type: 'button', className: 'plain', onclick: close(false) }),
    );
    dialog.append(
      element('h2', title, { id: 'ask-title' }),
      element('p', question),
      ...(details === null ? [] : [element('pre', details, { tabIndex: 0 })]),
      actions,
    );
    dialog.addEventListener('cancel', close(false));
    document.body.append(dialog);
    dialog.showModal();
  });
}
