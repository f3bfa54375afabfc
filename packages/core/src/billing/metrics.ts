import type { Alert, ServerState } from '../ports/index.js';
import type { Service } from '../service.js';
import type { BusinessFigures } from './business-figures.js';
import { readWaiting, type Waiting } from '../service/backlog.js';
import type { Figures } from '../service/figures.js';
import type { BillingWorker, PassState } from '../worker/worker.js';

/**
 * The figures of this process, for a system of metrics. Counts begin at 0 with the process and only grow;
 * amounts of SOL are in lamports. Dates are by the service's clock, due dates of webhooks by the host's own.
 */
export interface Metrics extends Pick<
  Figures,
  'attempts' | 'transfers' | 'deliveries' | 'mails' | 'claimed' | 'chainCalls' | 'charger'
> {
  /** How long the oldest subscription and webhook have been due; null without an answer or `ReportStore`. */
  readonly overdueSeconds: Waiting['overdueSeconds'] | null;
  /** The work that waits, of every project; null like `overdueSeconds`. A count of 10,000 may be more. */
  readonly backlog: Waiting['backlog'] | null;
  /** The RPC servers, in the order in which they were given. */
  readonly servers: readonly ServerState[];
  readonly passes: Readonly<Record<'charges' | 'deliveries' | 'watch', PassState>>;
  /** What all projects earn; null without an answer or `FigureStore`. At most a minute old. */
  readonly business: BusinessFigures | null;
  /** Every alert that lasts, the oldest first. */
  readonly alerts: readonly Alert[];
}

/**
 * Reads the figures. Asks the store for oldest dates and bounded counts, at most once a minute for what
 * projects earn, and the chain for nothing.
 */
export async function readMetrics(
  service: Service,
  worker: BillingWorker,
  readBusiness: () => Promise<BusinessFigures | null>,
): Promise<Metrics> {
  const { figures, chain, alerts } = service;
  const [waiting, business] = await Promise.all([readWaiting(service), readBusiness()]);
  return {
    attempts: figures.attempts,
    transfers: figures.transfers,
    deliveries: figures.deliveries,
    mails: figures.mails,
    claimed: figures.claimed,
    overdueSeconds: waiting?.overdueSeconds ?? null,
    backlog: waiting?.backlog ?? null,
    chainCalls: figures.chainCalls,
    servers: chain.servers().servers,
    charger: figures.charger,
    passes: worker.states(),
    business,
    alerts: alerts.open(),
  };
}
