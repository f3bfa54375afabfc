import type { CustomerAction } from '@subrail/core/schemas';
import { html, nothing } from 'lit';
import type { Kit } from './kit.js';
import { dateView, type Piece } from './pieces.js';

/** The actions that have a button: what helps most is first. A newer service may offer others. */
const ORDER = [
  'retry',
  'resume',
  'close',
  'subscribe',
  'cancel',
] as const satisfies readonly CustomerAction[];

type ButtonAction = (typeof ORDER)[number];

/** The look of the button that helps most, and of the one that undoes something. */
const KINDS: Partial<Record<ButtonAction, string>> = { retry: 'primary', cancel: 'danger' };

/** A subscription whose actions are shown. */
interface Subject {
  /** The name of its plan. */
  readonly name: string;
  /** The amount of the missed payment; null where it is not known. */
  readonly price: string | null;
  readonly paidUntil: string | null;
  readonly actions: readonly CustomerAction[];
  /** Whether the actions wait for another one. */
  readonly isBusy: boolean;
  readonly act: (action: ButtonAction) => void;
}

/** The buttons of a subscription. Cancelling asks first, as a click is made by mistake. */
export function actionsView(subject: Subject, kit: Kit): Piece {
  const { name, price, actions, isBusy, act } = subject;
  const { words } = kit;
  if (!ORDER.some((action) => actions.includes(action))) return nothing;
  const button = (action: ButtonAction) => {
    const text = action === 'retry' && price !== null ? words.payNow(price) : words.actions[action];
    // The button keeps the focus, which a disabled one would lose.
    return html`<button
      type="button"
      class=${KINDS[action] ?? ''}
      part="action"
      aria-label=${words.actionOf(text, name)}
      aria-disabled=${isBusy ? 'true' : nothing}
      @click=${action === 'cancel' ? (event: Event) => isBusy || ask(event) : () => act(action)}
    >
      ${text}
    </button>`;
  };
  return html`<div class="actions">
    ${ORDER.map((action) => (actions.includes(action) ? button(action) : nothing))}
    ${actions.includes('cancel') ? questionView(subject, kit) : nothing}
  </div>`;
}

/** Opens the question, which gives the focus back when it is closed. */
function ask({ target }: Event) {
  if (target instanceof HTMLElement) target.parentElement?.querySelector('dialog')?.showModal();
}

function questionView({ name, paidUntil, act }: Subject, kit: Kit) {
  const { words, level } = kit;
  const yes = ({ target }: Event) => {
    // A dialog that is taken off the page while it closes gives the focus to nothing.
    if (target instanceof HTMLElement) target.closest('dialog')?.close();
    act('cancel');
  };
  return html`<dialog class="card" part="dialog" aria-label=${words.cancelling(name)}>
    <form method="dialog" class="stack">
      <div class="step" role="heading" aria-level=${level + 2}><bdi>${words.cancelling(name)}</bdi></div>
      <p>
        ${paidUntil === null ? nothing : html`${words.keptUntil} ${dateView(paidUntil, kit)}.`}
        ${words.nothingCharged}
      </p>
      <div class="actions">
        <button type="button" class="danger" part="action" @click=${yes}>${words.cancel}</button>
        <button part="action" autofocus>${words.keep}</button>
      </div>
    </form>
  </dialog>`;
}
