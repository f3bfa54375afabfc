import { type Guide, lead, type Troubled } from './ways.js';

/** The field that a machine adds to each of its states. */
export interface Delay {
  /** The sentence that the service does not answer and is asked again; null while nothing waits for it. */
  readonly delay: string | null;
}

/** A state machine: its state, and who hears of the next one. */
export interface Machine<State> {
  /** The state now. Each state is a new object, which never changes. */
  readonly state: State;
  /** Calls `listener` after each change, until the returned function is called. */
  subscribe(listener: () => void): () => void;
  /** Ends it: nothing is called and shown any more. What was kept in `storage` stays. */
  destroy(): void;
}

/** Makes the action of a state: it does something while that state is shown, and nothing later. */
export type Only = <Arguments extends readonly unknown[]>(
  action: (...given: Arguments) => void,
) => (...given: Arguments) => void;

/** The states, or the steps of a state, in which a page waits for the service. */
const WAITS: ReadonlySet<string> = new Set(['loading', 'submitting', 'preparing', 'sending', 'confirming']);

const isWaiting = ({ name, step = name }: { readonly name: string; readonly step?: string }) =>
  WAITS.has(step);

/** Makes a machine, and what changes its state. */
export function machineOf<Own extends Troubled>(first: Own, guide: Guide, destroy: () => void) {
  const listeners = new Set<() => void>();
  let make: (only: Only) => Own = () => first;
  let state: Own & Delay = { ...first, delay: null };
  let delayed = 0;
  let isDestroyed = false;

  /** Shows a state. Its actions are made with `only`, so a click that comes late or twice does nothing. */
  function show(next: (only: Only) => Own): void {
    if (isDestroyed) return;
    make = next;
    const only: Only =
      (action) =>
      (...given) => {
        if (state === own && !isDestroyed) action(...given);
      };
    const made = make(only);
    const delay = delayed > 0 && isWaiting(made) ? guide.setting.language.delay : null;
    const own: Own & Delay = lead({ ...made, delay }, guide, only);
    state = own;
    for (const listener of [...listeners]) {
      try {
        listener();
      } catch (error) {
        // The fault of a page stops no payment. The browser reports it.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  /** Counts the calls that are made again, and says in a state that waits whether there are any. */
  function delay(by: number) {
    delayed += by;
    if (isWaiting(state)) show(make);
  }

  const machine: Machine<Own & Delay> = {
    get state() {
      return state;
    },
    subscribe(listener) {
      // A function that is given twice is called twice, until each is taken back.
      const own = () => listener();
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    destroy() {
      isDestroyed = true;
      listeners.clear();
      destroy();
    },
  };
  return { machine, show, delay };
}
