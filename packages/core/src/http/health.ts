import { ALERT_KINDS } from '../service/alert-kinds.js';
import { readWaiting } from '../service/backlog.js';
import { WrongChain } from '../service/check-chain.js';
import { within } from '../service/within.js';
import type { PassState } from '../worker/worker.js';
import type { ServerStates, Alert } from '../ports/index.js';
import { heldAnswer } from './held-answer.js';
import type { HandlerResponse } from './handler-request.js';
import type { Served } from './served.js';

/** Facts of the server, which the service cannot know. */
export interface HealthOptions {
  /** The version of the program that serves; not reported when absent. */
  readonly version?: string;
  /** Whether the server is stopping, so that it should get no more requests. */
  readonly stopping?: () => boolean;
}

/** A pass that has not succeeded for longer than this is late: it should run every second. */
const LATE_AFTER_MS = 60_000;

const UNKNOWN_TIME = { slot: null, time: null, lag_seconds: null };

/** The RPC servers as `/health` shows them: without names and addresses. */
const describeServers = ({ servers, hostClockAheadSeconds }: ServerStates) => ({
  servers: servers.map(({ condition }) => condition),
  host_clock: hostClockAheadSeconds === null ? 'ok' : 'suspect',
});

/** How long the state of the chain is cached, so that frequent health checks make few RPC calls. */
const CHAIN_CACHE_MS = 1_000;

/** How long an answer waits for a read of the chain. Then it has the last minute's state, if there is one. */
const CHAIN_WAIT_MS = 700;

/** How long the counts of waiting work are cached, which take some milliseconds. */
const BACKLOG_CACHE_MS = 10_000;

/** The answers about the health of the server, none of which needs a key. */
export interface Health {
  /** `/health`: everything. */
  readonly whole: () => Promise<HandlerResponse>;
  /** `/health/live`: that the process answers. */
  readonly live: () => Promise<HandlerResponse>;
  /** `/health/ready`: whether the server can do all that it is for. */
  readonly ready: () => Promise<HandlerResponse>;
}

/**
 * Makes the answers about the health of a server.
 *
 * `/health` answers 200 while requests can be served, 503 when the store is unavailable or the server is
 * stopping. Only the body shows an unavailable or wrong chain, a failing pass, a wrong sealing key and
 * alerts: reading access needs none of them, so a load balancer should keep the server. `/health/ready`
 * answers 503 for each of these but a failing pass and an alert. `/health/live` always answers 200.
 *
 * Dates are by the service's clock, which differs from that of the log while a chain's time is moved. The
 * body has no data of customers, no plan and no server. The charger's balance is public on the chain.
 */
export function createHealth(
  { service, worker, checkSealingKey, checkChain }: Served,
  { version, stopping = () => false }: HealthOptions = {},
): Health {
  const { store, lacks, chain, clock, wallClock, figures, alerts } = service;

  const stateOf = ({ lastOk, failing }: PassState) => {
    if (failing) return 'failing';
    if (lastOk === null) return 'starting';
    return clock.now().getTime() - lastOk.getTime() > LATE_AFTER_MS ? 'late' : 'ok';
  };
  const describe = (state: PassState) => ({
    state: stateOf(state),
    last_ok_at: state.lastOk?.toISOString() ?? null,
  });

  const storeState = async () => {
    try {
      await store.nextWakeAt();
      return 'ok';
    } catch {
      return 'unavailable';
    }
  };

  const describeChain = async () => {
    try {
      const [head] = await Promise.all([chain.head(), checkChain()]);
      if (head.ok)
        return {
          state: 'ok',
          slot: head.value.slot.toString(),
          time: head.value.time.toISOString(),
          lag_seconds: Math.max(0, (clock.now().getTime() - head.value.time.getTime()) / 1_000),
        };
    } catch (error) {
      if (error instanceof WrongChain) return { state: 'wrong', ...UNKNOWN_TIME };
      // The worker logs an error of the adapter. The answer goes on without the chain.
    }
    return { state: 'unavailable', ...UNKNOWN_TIME };
  };
  type ChainState = Awaited<ReturnType<typeof describeChain>>;
  let last: ChainState | null = null;
  let lastAt = 0;
  const heldChain = heldAnswer(clock, CHAIN_CACHE_MS, async () => {
    last = await describeChain();
    lastAt = wallClock.now().getTime();
    return last;
  });
  const cachedChain = async (): Promise<ChainState> => {
    const reading = heldChain();
    // A read takes seconds while the servers are silent, and a health check waits a second at most.
    if (last?.state === 'unavailable') return last;
    const state = await within(wallClock, CHAIN_WAIT_MS, reading);
    if (state !== 'too_late') return state;
    const isFresh = wallClock.now().getTime() - lastAt < LATE_AFTER_MS;
    return (isFresh ? last : null) ?? { state: 'unavailable', ...UNKNOWN_TIME };
  };

  const countBacklog = async () => {
    const waiting = await readWaiting(service);
    if (waiting === null) return null;
    const { backlog, overdueSeconds } = waiting;
    return {
      wakes: backlog.wakes,
      charges: backlog.charges,
      deliveries: backlog.deliveries,
      charges_overdue_seconds: overdueSeconds.charges,
      deliveries_overdue_seconds: overdueSeconds.deliveries,
      oldest_delivery_seconds: backlog.oldestDeliverySeconds,
      oldest_held_event_seconds: backlog.oldestHeldEventSeconds,
    };
  };
  const cachedBacklog = heldAnswer(clock, BACKLOG_CACHE_MS, countBacklog);

  const serverStates = () => {
    try {
      return describeServers(chain.servers());
    } catch {
      // As above.
      return describeServers({ servers: [], hostClockAheadSeconds: null });
    }
  };
  const chargerState = (lasting: readonly Alert[]) => {
    if (lasting.some(({ kind }) => kind === 'charger_empty')) return 'empty';
    if (lasting.some(({ kind }) => kind === 'charger_low')) return 'low';
    return figures.charger === null ? 'unknown' : 'ok';
  };

  const describeCharger = () => {
    const { charger: read } = figures;
    return {
      address: chain.charger,
      balance_lamports: read?.balance.toString() ?? null,
      charges: read?.charges.toString() ?? null,
      read_at: read?.readAt.toISOString() ?? null,
    };
  };

  const live = async () => response(200, { status: 'ok', version });

  const ready = async () => {
    const [stored, chainState, sealingKey] = await Promise.all([
      storeState(),
      cachedChain(),
      checkSealingKey(),
    ]);
    const isReady = stored === 'ok' && chainState.state === 'ok' && sealingKey !== 'wrong' && !stopping();
    return response(isReady ? 200 : 503, {
      status: stopping() ? 'stopping' : isReady ? 'ok' : 'unavailable',
      store: stored,
      chain: chainState.state,
      sealing_key: sealingKey,
    });
  };

  const whole = async () => {
    const [stored, chainState, sealingKey, backlog] = await Promise.all([
      storeState(),
      cachedChain(),
      checkSealingKey(),
      cachedBacklog(),
    ]);
    const serving = stored === 'ok' && !stopping();
    const { access, plans, charges, deliveries, watch, snapshots, retention } = worker.states();
    const lasting = alerts.open();
    const body = {
      status: stopping() ? 'stopping' : serving ? 'ok' : 'unavailable',
      version,
      store: stored,
      ...(lacks.size > 0 && { store_lacks: [...lacks] }),
      chain: { ...chainState, ...serverStates() },
      charger: chargerState(lasting),
      charger_account: describeCharger(),
      sealing_key: sealingKey,
      worker: {
        access: describe(access),
        plans: describe(plans),
        charges: describe(charges),
        deliveries: describe(deliveries),
        watch: describe(watch),
        snapshots: describe(snapshots),
        retention: describe(retention),
      },
      backlog,
      alerts: describeAlerts(lasting),
    };
    return response(serving ? 200 : 503, body);
  };

  return { whole, live, ready };
}

function response(status: number, body: object): HandlerResponse {
  return {
    status,
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
    body: JSON.stringify(body),
  };
}

/** The alerts by kind: how many of a kind last, since when the first of them, and what to do. */
function describeAlerts(lasting: readonly Alert[]) {
  const kinds = new Set(lasting.map(({ kind }) => kind));
  return [...kinds].map((kind) => {
    const ofKind = lasting.filter((alert) => alert.kind === kind);
    const [first] = ofKind;
    return {
      kind,
      severity: first?.severity,
      since: first?.since.toISOString(),
      count: ofKind.length,
      what: ALERT_KINDS[kind].begins,
    };
  });
}
