import type { FullStore } from '@subrail/core/ports';
import { aroundStore } from './around-store.js';

/** The calls of stores on a server that are under way in this process. */
const underWay = new Set<Promise<unknown>>();

const turnOfTheEventLoop = () => new Promise((resolve) => setImmediate(resolve));

/** The store, with its calls counted as under way until the server answered them. */
export function withCallsCounted(store: FullStore): FullStore {
  return aroundStore(store, (_, call) => {
    const answer = call();
    underWay.add(answer);
    const forget = () => underWay.delete(answer);
    void answer.then(forget, forget);
    return answer;
  });
}

/** Resolves once no call of a store on a server is under way: at once where every store is in this process. */
export async function storesAnswered(): Promise<void> {
  while (underWay.size > 0) {
    await Promise.allSettled(underWay);
    await turnOfTheEventLoop();
  }
}

/**
 * Lets everything continue that waits only for promises and for stores.
 *
 * @param turns for how many turns of the event loop in a row no call of a store may be under way
 */
export async function settled(turns = 1): Promise<void> {
  for (let quiet = 0; quiet < turns;) {
    await turnOfTheEventLoop();
    quiet = underWay.size === 0 ? quiet + 1 : 0;
    await storesAnswered();
  }
}
