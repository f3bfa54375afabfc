import type { HandlerResponse } from '@subrail/core';
import type { Chain, Store } from '@subrail/core/ports';
import type { JobState, Ticks } from '../ticks.js';

export interface HealthSources {
  readonly store: Store;
  readonly chain: Chain;
  readonly ticks: Pick<Ticks, 'states'>;
  readonly version: string;
  /** Whether the host is on its way out. */
  readonly stopping: () => boolean;
  /** The time jobs keep, which is the machine's. */
  readonly now: () => Date;
}

/** A job that comes round every second and has not ended well for so long is late: it may hang. */
const LATE_AFTER_MS = 60_000;

/** How long a look at the chain stands: whoever asks for health, and however often, costs an RPC server little. */
const HEAD_STANDS_MS = 1_000;

/**
 * Answers `/health`: 200 while requests can be served, 503 when the store cannot serve or the host is stopping. A silent
 * chain or a failing job is told but takes nobody out of a load balancer: reading access does not need them. Nothing
 * here names a customer or a place, so it needs no key.
 */
export function createHealth({
  store,
  chain,
  ticks,
  version,
  stopping,
  now,
}: HealthSources): () => Promise<HandlerResponse> {
  const stateOf = ({ lastOk, failing }: JobState) => {
    if (failing) return 'failing';
    if (lastOk === null) return 'starting';
    return now().getTime() - lastOk.getTime() > LATE_AFTER_MS ? 'late' : 'ok';
  };
  const recentHead = remembered(HEAD_STANDS_MS, () => chain.head());
  return async () => {
    const [storeState, head] = await Promise.all([
      store.nextWakeAt().then(
        () => 'ok' as const,
        () => 'unavailable' as const,
      ),
      recentHead(),
    ]);
    const serving = storeState === 'ok' && !stopping();
    const jobs = Object.entries(ticks.states()).map(([name, state]) => [
      name,
      { state: stateOf(state), last_ok_at: state.lastOk?.toISOString() ?? null },
    ]);
    const body = {
      status: stopping() ? 'stopping' : serving ? 'ok' : 'unavailable',
      version,
      store: storeState,
      chain: head.ok
        ? { state: 'ok', slot: head.value.slot.toString(), time: head.value.time.toISOString() }
        : { state: 'silent', slot: null, time: null },
      worker: Object.fromEntries(jobs) as Record<string, unknown>,
    };
    return {
      status: serving ? 200 : 503,
      headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
      body: JSON.stringify(body),
    };
  };
}

/** The same answer to everybody who asks within `ms`. */
function remembered<T>(ms: number, ask: () => Promise<T>): () => Promise<T> {
  let last: { readonly answer: Promise<T>; readonly until: number } | null = null;
  return () => {
    const now = performance.now();
    if (last === null || now >= last.until) last = { answer: ask(), until: now + ms };
    return last.answer;
  };
}
