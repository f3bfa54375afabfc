/** Awaits a step of a flow. Rejects once another flow began, so that a late answer changes nothing. */
export type Live = <Value>(step: Promise<Value>) => Promise<Value>;

const OVER = new Error('Another flow began.');

/** Runs one flow at a time: beginning one ends the one before, wherever it waits. */
export function flowsOf() {
  let turn = 0;
  return {
    /** Ends the flow that runs. */
    stop() {
      turn += 1;
    },
    /** Begins a flow. `failed` is called with what it throws, unless it is over by then. */
    run(flow: (live: Live) => Promise<void>, failed: (error: unknown) => void): void {
      const own = (turn += 1);
      const live: Live = (step) =>
        step.then(
          (value) => {
            if (own !== turn) throw OVER;
            return value;
          },
          (error: unknown) => {
            throw own === turn ? error : OVER;
          },
        );
      flow(live).catch((error: unknown) => {
        if (own === turn) failed(error);
      });
    },
  };
}

/** The most often that what a wallet tells is followed. */
const PACE_MS = 250;

/**
 * Follows what is told in a flood: the first at once, and then the last one of each pause. So a wallet that
 * tells something a thousand times makes no thousand calls. Returns what is told, and what ends it.
 */
export function paced<Value>(follow: (value: Value) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let next: { readonly value: Value } | null = null;
  function tell(value: Value) {
    if (timer !== undefined) {
      next = { value };
      return;
    }
    timer = setTimeout(() => {
      timer = undefined;
      const last = next;
      next = null;
      if (last !== null) tell(last.value);
    }, PACE_MS);
    follow(value);
  }
  function stop() {
    clearTimeout(timer);
    next = null;
  }
  return { tell, stop };
}
