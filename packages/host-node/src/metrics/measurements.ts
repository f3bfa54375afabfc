import type { Span, SpanEnd, Telemetry } from '@subrail/core/ports';
import { Counter, Histogram, Registry } from 'prom-client';

/** Measures what the service does, for the page of the metrics. */
export interface Measurements {
  readonly telemetry: Telemetry;
  /** Has the histograms and counters. */
  readonly registry: Registry;
}

/** Measures a kind of work. A kind without a measure is only traced. */
type Observe = (span: Span, seconds: number, outcome: string) => void;

const OF_STORE = [0.000_1, 0.000_5, 0.001, 0.005, 0.02, 0.1, 0.5, 2];
const OF_NETWORK = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
// A submit waits for the chain for up to 90 seconds.
const OF_REQUESTS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 90];
const OF_PASSES = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 20, 60];
// The worker looks every second; a blocked charge is retried after half an hour; a host may be down a day.
const OF_LAGS = [1, 2, 5, 10, 30, 60, 300, 1_800, 7_200, 21_600, 86_400];

/** Creates empty measurements. Every label has few values, which no caller can add to. */
export function createMeasurements(): Measurements {
  const registry = new Registry();
  const registers = [registry];
  const duration = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    buckets: number[],
  ) => new Histogram({ name, help, labelNames: [...labelNames], buckets, registers });
  const count = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Counter({ name, help, labelNames: [...labelNames], registers });

  const lags = duration(
    'subrail_send_lag_seconds',
    'How late charges and webhooks were sent, from the date at which they were due.',
    ['work'],
    OF_LAGS,
  );
  const passes = duration(
    'subrail_pass_duration_seconds',
    'How long each run of a pass of the worker took.',
    ['pass'],
    OF_PASSES,
  );
  const deliveries = duration(
    'subrail_delivery_attempt_duration_seconds',
    'How long the attempts of webhooks took, by how they ended.',
    ['result'],
    OF_NETWORK,
  );
  const chainCalls = duration(
    'subrail_chain_call_duration_seconds',
    'How long each call of the chain took, over all servers and tries.',
    ['method'],
    OF_NETWORK,
  );
  const rpcRequests = duration(
    'subrail_rpc_request_duration_seconds',
    'How long each request to an RPC server took, by server and JSON-RPC method.',
    ['server', 'url', 'method'],
    OF_NETWORK,
  );
  const rpcResults = count(
    'subrail_rpc_results_total',
    'What requests to an RPC server ended with: ok, an error of JSON-RPC, or unanswered.',
    ['server', 'url', 'method', 'result'],
  );
  const storeCalls = duration(
    'subrail_store_call_duration_seconds',
    'How long each call of the store took.',
    ['method'],
    OF_STORE,
  );
  const storeFailures = count('subrail_store_call_failures_total', 'Calls of the store that failed.', [
    'method',
  ]);
  const requests = duration(
    'subrail_http_request_duration_seconds',
    'How long requests over HTTP took, by method and route.',
    ['method', 'route'],
    OF_REQUESTS,
  );
  const responses = count('subrail_http_requests_total', 'Requests over HTTP by method, route and status.', [
    'method',
    'route',
    'status',
  ]);

  const observers: Partial<Record<Span['kind'], Observe>> = {
    request({ labels }, seconds, status) {
      requests.observe({ ...labels }, seconds);
      responses.inc({ ...labels, status });
    },
    pass: ({ name: pass }, seconds) => passes.observe({ pass }, seconds),
    delivery: (_, seconds, result) => deliveries.observe({ result }, seconds),
    chain: ({ name: method }, seconds) => chainCalls.observe({ method }, seconds),
    rpc({ name: method, labels }, seconds, result) {
      rpcRequests.observe({ ...labels, method }, seconds);
      rpcResults.inc({ ...labels, method, result });
    },
    store({ name: method }, seconds, outcome) {
      storeCalls.observe({ method }, seconds);
      if (outcome === FAILED) storeFailures.inc({ method });
    },
  };

  return {
    registry,
    telemetry: {
      async span(span, work) {
        const observe = observers[span.kind];
        if (observe === undefined) return work(() => undefined);
        const began = performance.now();
        let ended: SpanEnd | null = null;
        let outcome = 'ok';
        try {
          return await work((how) => (ended = how));
        } catch (error) {
          outcome = FAILED;
          throw error;
        } finally {
          const how = ended as SpanEnd | null;
          observe(span, (performance.now() - began) / 1_000, how?.outcome ?? outcome);
        }
      },
      late: (work, seconds) => lags.observe({ work }, seconds),
    },
  };
}

/** The outcome of work that threw and named none. */
const FAILED = 'failed';
