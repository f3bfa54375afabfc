import type { HandlerResponse } from '@subrail/core';
import type { Chain, Store } from '@subrail/core/ports';
import type { JobState, Scheduler } from '../service/scheduler.js';

/** What `/health` reports on. */
export interface HealthSources {
  readonly store: Store;
  readonly chain: Chain;
  readonly scheduler: Pick<Scheduler, 'states'>;
  readonly version: string;
  /** Whether the host is stopping. */
  readonly stopping: () => boolean;
  /** The machine's time, which the scheduler uses. */
  readonly now: () => Date;
}

/** A job that has not succeeded for longer than this is late: it should run every second. */
const LATE_AFTER_MS = 60_000;

/** How long the chain's head is cached, so that frequent health checks make few RPC calls. */
const HEAD_CACHE_MS = 1_000;

/**
 * Answers `/health`: 200 while requests can be served, 503 when the store is unavailable or the host is stopping. If
 * the chain is unavailable or a job is failing, the body says so but the status stays 200, because reading access needs
 * neither and a load balancer should keep the host. The body has no data of customers, so it needs no key.
 */
export function createHealth({
  store,
  chain,
  scheduler,
  version,
  stopping,
  now,
}: HealthSources): () => Promise<HandlerResponse> {
  const stateOf = ({ lastOk, failing }: JobState) => {
    if (failing) return 'failing';
    if (lastOk === null) return 'starting';
    return now().getTime() - lastOk.getTime() > LATE_AFTER_MS ? 'late' : 'ok';
  };
  const cachedHead = cached(HEAD_CACHE_MS, () => chain.head());
  return async () => {
    const [storeState, head] = await Promise.all([
      store.nextWakeAt().then(
        () => 'ok' as const,
        () => 'unavailable' as const,
      ),
      cachedHead(),
    ]);
    const serving = storeState === 'ok' && !stopping();
    const jobs = Object.entries(scheduler.states()).map(([name, state]) => [
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

/** Calls `load` at most once in `ms` and returns its last result meanwhile. */
function cached<T>(ms: number, load: () => Promise<T>): () => Promise<T> {
  let last: { readonly result: Promise<T>; readonly until: number } | null = null;
  return () => {
    const now = performance.now();
    if (last === null || now >= last.until) last = { result: load(), until: now + ms };
    return last.result;
  };
}
