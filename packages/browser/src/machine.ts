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

/** Makes a machine, and what changes its state. */
export function machineOf<State>(first: State, destroy: () => void) {
  const listeners = new Set<() => void>();
  let state = first;
  let isDestroyed = false;

  /** Shows a state. Its actions are made with `only`, so a click that comes late or twice does nothing. */
  function show(make: (only: Only) => State): void {
    if (isDestroyed) return;
    const own: State = make((action) => (...given) => {
      if (state === own && !isDestroyed) action(...given);
    });
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

  const machine: Machine<State> = {
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
  return { machine, show };
}
