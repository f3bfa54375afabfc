import type { ChargerReading, AttemptCount, ChainCallCount } from '../service/figures.js';
import type { ServerState, Alert } from '../ports/index.js';
import type { Service } from '../service.js';
import { readBacklog, type BacklogFigures, type OverdueSeconds } from '../service/backlog.js';
import type { BillingWorker, PassState } from '../worker/worker.js';

/**
 * The figures of this process, for a system of metrics. Counts begin at 0 with the process and only grow; amounts of SOL are
 * in lamports. Dates are by the service's clock; what is due of webhooks is counted by the host's own, which differs while a chain's
 * time is moved.
 */
export interface Metrics {
  /** Attempts to charge, by outcome and reason. */
  readonly attempts: readonly AttemptCount[];
  /** Transactions that moved money or were to, by what became of them. `lost`: they were sent and never landed. */
  readonly transfers: Readonly<Record<'landed' | 'failed' | 'lost', number>>;
  /** Attempts of webhooks, by their result. */
  readonly deliveries: Readonly<Record<'delivered' | 'retrying' | 'failed', number>>;
  /** How many subscriptions the charge pass is working on now. */
  readonly claimed: number;
  /** For how many seconds the oldest subscription has been due, and the oldest webhook; null while the store fails, or lacks `ReportStore`. */
  readonly overdueSeconds: OverdueSeconds | null;
  /** What waits to be done; null while the store fails, or lacks `ReportStore`. */
  readonly backlog: BacklogFigures | null;
  /** Calls of the chain port, by method. */
  readonly chainCalls: readonly ChainCallCount[];
  /** The RPC servers, in the order in which they were given. */
  readonly servers: readonly ServerState[];
  /** The charger as it was read last; null before the first read. */
  readonly charger: ChargerReading | null;
  readonly passes: Readonly<Record<'charges' | 'deliveries' | 'watch', PassState>>;
  /** Every alert that lasts, the oldest first. */
  readonly alerts: readonly Alert[];
}

/** Reads the figures. The store is asked for its oldest dates and bounded counts only, and the chain for nothing. */
export async function readMetrics(service: Service, worker: BillingWorker): Promise<Metrics> {
  const { figures, chain, alerts } = service;
  const waiting = await readBacklog(service);
  return {
    attempts: figures.attempts,
    transfers: figures.transfers,
    deliveries: figures.deliveries,
    claimed: figures.claimed,
    overdueSeconds: waiting?.overdueSeconds ?? null,
    backlog: waiting?.backlog ?? null,
    chainCalls: figures.chainCalls,
    servers: chain.servers().servers,
    charger: figures.charger,
    passes: worker.states(),
    alerts: alerts.open(),
  };
}
