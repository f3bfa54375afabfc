import { aroundStore } from './around-store.js';

/** The calls of ports that are under way in this process, and wait for a server or another thread. */
const underWay = new Set<Promise<unknown>>();

const turnOfTheEventLoop = () => new Promise((resolve) => setImmediate(resolve));

/** The port, with its calls counted as under way until they are answered. */
export function withCallsCounted<Port extends object>(port: Port): Port {
  return aroundStore(port, (_, call) => {
    const answer = call();
    underWay.add(answer);
    const forget = () => underWay.delete(answer);
    void answer.then(forget, forget);
    return answer;
  });
}

/** Resolves once no counted call is under way: at once where nothing is counted. */
export async function callsAnswered(): Promise<void> {
  while (underWay.size > 0) {
    await Promise.allSettled(underWay);
    await turnOfTheEventLoop();
  }
}

/**
 * Lets everything continue that waits only for promises and for counted calls.
 *
 * @param turns for how many turns of the event loop in a row no counted call may be under way
 */
export async function settled(turns = 1): Promise<void> {
  for (let quiet = 0; quiet < turns;) {
    await turnOfTheEventLoop();
    quiet = underWay.size === 0 ? quiet + 1 : 0;
    await callsAnswered();
  }
}
