import type { CustomerAction } from '@subrail/core/schemas';
import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Kit } from './kit.js';
import { dateView, type Piece } from './pieces.js';

/** The actions of this page: what helps most is first. A newer service may offer others. */
const ORDER = [
  'retry',
  'resume',
  'subscribe',
  'close',
  'cancel',
] as const satisfies readonly CustomerAction[];

/** The look of the button that helps most, and of the one that undoes something. */
const KINDS: Partial<Record<CustomerAction, string>> = { retry: 'primary', cancel: 'danger' };

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
  readonly act: (action: CustomerAction) => void;
}

/** The buttons of a subscription. Cancelling asks first, as a click is made by mistake. */
export function actionsView(subject: Subject, kit: Kit): Piece {
  const { name, price, actions, isBusy, act } = subject;
  const { words } = kit;
  const known = ORDER.filter((action) => actions.includes(action));
  if (known.length === 0) return nothing;
  const button = (action: CustomerAction) => {
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
    ${repeat(known, (action) => action, button)}
    ${known.includes('cancel') ? questionView(subject, kit) : nothing}
  </div>`;
}

/** Opens the question, which gives the focus back when it is closed. */
function ask({ target }: Event) {
  if (target instanceof HTMLElement) target.parentElement?.querySelector('dialog')?.showModal();
}

function questionView({ name, paidUntil, act }: Subject, kit: Kit) {
  const { words, level } = kit;
  return html`<dialog class="card" part="dialog" aria-label=${words.cancelling(name)}>
    <form method="dialog" class="stack">
      <div class="step" role="heading" aria-level=${level + 2}><bdi>${words.cancelling(name)}</bdi></div>
      <p>
        ${paidUntil === null ? nothing : html`${words.keptUntil} ${dateView(paidUntil, kit)}.`}
        ${words.nothingCharged}
      </p>
      <div class="actions">
        <button class="danger" part="action" @click=${() => act('cancel')}>${words.cancel}</button>
        <button part="action" autofocus>${words.keep}</button>
      </div>
    </form>
  </dialog>`;
}
