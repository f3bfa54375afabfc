import type { Metrics } from '@subrail/core';
import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client';

type Business = NonNullable<Metrics['business']>;
type BusinessOfSpan = Business['tokens'][number]['collected']['today'];

/** A value of a metric, with its labels. */
type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

/** Writes figures in the text format of Prometheus. */
export interface MetricsPage {
  readonly contentType: string;
  render(metrics: Metrics): Promise<string>;
}

/**
 * Creates the page. It also has the measurements, and the figures of this process: memory, processor time,
 * delay of the event loop.
 */
export function createMetricsPage(measured: Registry): MetricsPage {
  const process = new Registry();
  collectDefaultMetrics({ register: process });
  return {
    contentType: process.contentType,
    render: (metrics) => Registry.merge([registryOf(metrics), measured, process]).metrics(),
  };
}

/** The figures are a snapshot, so each page has a registry of its own. */
function registryOf(metrics: Metrics): Registry {
  const { transfers, deliveries, claimed, overdueSeconds, backlog, chainCalls, servers, charger, passes } =
    metrics;
  const registry = new Registry();
  const addTo =
    (Kind: typeof Counter | typeof Gauge) => (name: string, help: string, samples: readonly Sample[]) => {
      // A metric without a sample would read as 0.
      if (samples.length === 0) return;
      const labelNames = Object.keys(samples[0]?.[0] ?? {});
      const metric = new Kind({ name, help, labelNames, registers: [registry] });
      for (const [labels, value] of samples) metric.inc(labels, value);
    };
  const [counter, gauge] = [addTo(Counter), addTo(Gauge)];

  counter(
    'subrail_attempts_total',
    'Attempts to charge by outcome and reason; a paid one has no reason.',
    metrics.attempts.map(({ outcome, reason, count }) => [{ outcome, reason: reason ?? '' }, count]),
  );
  counter('subrail_transfers_total', 'Transactions by what became of them.', labelled('state', transfers));
  counter(
    'subrail_delivery_attempts_total',
    'Attempts of webhooks by result.',
    labelled('result', deliveries),
  );
  counter(
    'subrail_mail_attempts_total',
    'Tries of mails to customers by kind and result.',
    metrics.mails.map(({ kind, result, count }) => [{ kind, result }, count]),
  );
  gauge('subrail_claimed_subscriptions', 'Subscriptions that the charge pass is working on.', [
    [{}, claimed],
  ]);
  gauge(
    'subrail_overdue_seconds',
    'For how long the oldest subscription, or the oldest webhook, has been due.',
    labelled('work', { ...overdueSeconds }),
  );
  if (backlog !== null) {
    const { wakes, charges, deliveries: pending } = backlog;
    gauge(
      'subrail_backlog',
      'What waits, up to 10000 of each: subscriptions that are due, those due for a charge, webhooks not delivered.',
      labelled('work', { wakes, charges, deliveries: pending }),
    );
    gauge(
      'subrail_oldest_unsent_seconds',
      'The age of the oldest webhook that is not delivered, and of the oldest event that is held.',
      labelled('work', {
        deliveries: backlog.oldestDeliverySeconds,
        held_events: backlog.oldestHeldEventSeconds,
      }),
    );
  }
  counter(
    'subrail_chain_calls_total',
    'Calls of the chain by method.',
    chainCalls.map(({ method, calls }) => [{ method }, calls]),
  );
  counter(
    'subrail_chain_call_failures_total',
    'Calls of the chain that got no answer, by method.',
    chainCalls.map(({ method, failures }) => [{ method }, failures]),
  );
  const ofServers = (value: (server: Metrics['servers'][number]) => number): readonly Sample[] =>
    servers.map((server, index) => [{ server: String(index + 1) }, value(server)]);
  counter(
    'subrail_rpc_requests_total',
    'Requests to each RPC server, by its place in the settings.',
    ofServers(({ calls }) => calls),
  );
  counter(
    'subrail_rpc_failures_total',
    'Requests to each RPC server that failed.',
    ofServers(({ failures }) => failures),
  );
  gauge(
    'subrail_rpc_server_up',
    'Whether each RPC server answers and has a clock that agrees with this machine.',
    ofServers(({ condition }) => (condition === 'ok' ? 1 : 0)),
  );
  if (charger !== null) {
    const { balance, charges, readAt } = charger;
    gauge('subrail_charger_balance_lamports', "The charger's balance.", [[{}, Number(balance)]]);
    gauge('subrail_charger_charges', 'How many charges the balance pays for.', [[{}, Number(charges)]]);
    gauge('subrail_charger_read_timestamp_seconds', 'When the charger was read last.', [[{}, unix(readAt)]]);
  }
  const ofPasses = Object.entries(passes);
  gauge(
    'subrail_pass_last_success_timestamp_seconds',
    'When each pass of the worker succeeded last; 0 before the first time.',
    ofPasses.map(([pass, { lastOk }]) => [{ pass }, lastOk === null ? 0 : unix(lastOk)]),
  );
  gauge(
    'subrail_pass_failing',
    'Whether the last run of each pass failed.',
    ofPasses.map(([pass, { failing }]) => [{ pass }, failing ? 1 : 0]),
  );
  gauge(
    'subrail_alert_since_timestamp_seconds',
    'Since when each alert lasts. An alert that is over has no value.',
    metrics.alerts.map(({ kind, subject, severity, since }) => [
      { kind, subject: subject ?? '', severity },
      unix(since),
    ]),
  );
  if (metrics.business !== null) addBusiness(gauge, metrics.business);
  return registry;
}

type AddGauge = (name: string, help: string, samples: readonly Sample[]) => void;

/** What all projects earn. A token is told by its mint, of which there are at most fifty. */
function addBusiness(gauge: AddGauge, { tokens, unpaid, active, recurring }: Business): void {
  const ofSpans = (value: (collected: BusinessOfSpan) => string): readonly Sample[] =>
    tokens.flatMap(({ mint, symbol, collected }) =>
      Object.entries(collected).map(([span, sum]): Sample => [
        { mint, symbol: symbol ?? '', span },
        Number(value(sum)),
      ]),
    );
  gauge(
    'subrail_collected_tokens',
    'What charges paid today and in thirty days (UTC), in whole tokens.',
    ofSpans(({ display }) => display),
  );
  gauge(
    'subrail_collected_usd',
    'The same in US dollars at the charge, without charges that had no price.',
    ofSpans(({ usd }) => usd),
  );
  gauge(
    'subrail_unpaid_attempts',
    'Attempts that did not pay, today and in thirty days (UTC), by outcome and reason.',
    unpaid.map(({ span, outcome, reason, count }) => [{ outcome, reason, span }, count]),
  );
  gauge(
    'subrail_mrr_tokens',
    'Monthly recurring revenue, in whole tokens.',
    tokens.map(({ mint, symbol, mrr }) => [{ mint, symbol: symbol ?? '' }, Number(mrr.display)]),
  );
  gauge(
    'subrail_mrr_usd',
    'Monthly recurring revenue in US dollars; no value for a token without a price.',
    tokens.flatMap(({ mint, symbol, mrr: { usd } }): Sample[] =>
      usd === null ? [] : [[{ mint, symbol: symbol ?? '' }, Number(usd)]],
    ),
  );
  gauge('subrail_subscriptions', 'Subscriptions that run, and those of them that recur.', [
    [{ state: 'active' }, active],
    [{ state: 'recurring' }, recurring],
  ]);
}

function labelled(label: string, values: Readonly<Record<string, number>>): readonly Sample[] {
  return Object.entries(values).map(([name, value]) => [{ [label]: name }, value]);
}

function unix(date: Date): number {
  return date.getTime() / 1_000;
}
