import type { Store } from '../../ports/index.js';

/**
 * How many calls of the store the deliveries have under way at a time. Thousands of endpoints are served at once, and a store has few
 * connections, ten on PostgreSQL, which requests and the other passes wait for too.
 */
const MOST_CALLS = 6;

/** A store of which only a few calls run at a time. The others wait until one ends, in the order in which they were made. */
export function fewCalls(store: Store): Store {
  let running = 0;
  const waiting: (() => void)[] = [];
  async function inTurn(run: () => Promise<unknown>): Promise<unknown> {
    if (running === MOST_CALLS) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await run();
    } finally {
      // The next call takes the place of this one.
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  }
  const methods = new Map<string | symbol, unknown>();
  // Not a proxy of the store itself, which may be frozen.
  return new Proxy({} as Store, {
    get(_, name) {
      const known = methods.get(name);
      if (known !== undefined) return known;
      const method: unknown = Reflect.get(store, name);
      if (typeof method !== 'function') return method;
      const call = (...given: readonly unknown[]) =>
        inTurn(() => Reflect.apply(method, store, given) as Promise<unknown>);
      methods.set(name, call);
      return call;
    },
  });
}
