/** The parts of an element. Texts are never set as HTML. */
interface Parts {
  readonly class?: string;
  readonly text?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly click?: () => void;
  readonly children?: readonly Node[];
}

/** Makes an element. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  { class: name, text, attributes = {}, click, children = [] }: Parts = {},
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  if (name !== undefined) made.className = name;
  if (text !== undefined) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (click !== undefined) made.addEventListener('click', click);
  made.append(...children);
  return made;
}

/** Makes a button. */
export function button(
  text: string,
  kind: 'primary' | 'plain' | 'danger',
  click: () => void,
): HTMLButtonElement {
  return element('button', { class: kind, text, attributes: { type: 'button' }, click });
}

/** The element of the page with this id. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no element ${id}.`);
  return found;
}
