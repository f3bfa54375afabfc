import type { Metrics } from '@subrail/core';
import type { Span, Telemetry } from '@subrail/core/ports';
import { createMeasurements, type Measurements } from '../measurements.js';
import { createMetricsPage } from '../metrics-page.js';

export const AT = new Date('2026-10-02T08:00:00.000Z');
/** Figures of every kind. */
export const METRICS: Metrics = {
  attempts: [
    { outcome: 'paid', reason: null, count: 12 },
    { outcome: 'blocked', reason: 'solana_7050003', count: 2 },
  ],
  transfers: { landed: 12, failed: 1, lost: 0 },
  deliveries: { delivered: 5, retrying: 1, failed: 0 },
  mails: [{ kind: 'receipt', result: 'sent', count: 3 }],
  claimed: 3,
  overdueSeconds: { charges: 1.5, deliveries: 0 },
  backlog: {
    wakes: 7,
    charges: 4,
    deliveries: 2,
    oldestDeliverySeconds: 90.5,
    oldestHeldEventSeconds: 0,
  },
  chainCalls: [{ method: 'readCharges', calls: 9, failures: 1 }],
  servers: [
    { condition: 'ok', aheadSeconds: null, calls: 20, failures: 0 },
    { condition: 'wrong_clock', aheadSeconds: 300, calls: 4, failures: 2 },
  ],
  charger: { balance: 1_000_000n, chargeFee: 5_000n, charges: 21n, readAt: AT },
  passes: {
    charges: { lastOk: AT, failing: false },
    deliveries: { lastOk: null, failing: true },
    watch: { lastOk: AT, failing: false },
  },
  business: {
    tokens: [
      {
        mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
        symbol: 'USDC',
        collected: { today: { display: '9.99', usd: '10.00' }, '30_days': { display: '120', usd: '119.5' } },
        mrr: { display: '130.5', usd: '130.40' },
      },
      {
        mint: 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263',
        symbol: null,
        collected: { today: { display: '0', usd: '0.00' }, '30_days': { display: '7', usd: '0.00' } },
        mrr: { display: '7', usd: null },
      },
    ],
    unpaid: [{ span: '30_days', outcome: 'rejected', reason: 'insufficient_balance', count: 4 }],
    active: 21,
    recurring: 20,
  },
  alerts: [
    {
      key: 'charges_blocked:solana_7050003',
      kind: 'charges_blocked',
      subject: 'solana_7050003',
      severity: 'warning',
      message: '',
      facts: {},
      since: AT,
    },
  ],
};

/** A piece of work of every kind that is measured. */
const SPANS: readonly Span[] = [
  { kind: 'request', name: 'GET /v1/plans', labels: { method: 'GET', route: '/v1/plans' } },
  { kind: 'operation', name: 'plans.list' },
  { kind: 'pass', name: 'charges' },
  { kind: 'charges', name: 'charges', details: { count: 3 } },
  { kind: 'delivery', name: 'attempt', details: { delivery: 'whd_1' } },
  { kind: 'chain', name: 'readCharges' },
  { kind: 'rpc', name: 'getSlot', labels: { server: '1', url: 'https://rpc.example' } },
  { kind: 'store', name: 'commit' },
];

/** Does a piece of work of every kind, each of which fails. */
export async function failEach(telemetry: Telemetry): Promise<void> {
  for (const span of SPANS)
    await telemetry.span(span, () => Promise.reject(new Error('a fault'))).catch(() => undefined);
  telemetry.late('charges', 3);
  telemetry.late('deliveries', 0.5);
}

/** The page with figures of every kind, and everything measured. */
export async function fullPage(measurements: Measurements = createMeasurements()): Promise<string> {
  await failEach(measurements.telemetry);
  return createMetricsPage(measurements.registry).render(METRICS);
}

/** The name of every metric of the service that the page has, with its labels. */
export async function exposedMetrics(): Promise<ReadonlyMap<string, readonly string[]>> {
  const lines = (await fullPage()).split('\n');
  const names = lines.flatMap((line) => /^# TYPE (subrail_\w+)/.exec(line)?.[1] ?? []);
  return new Map(
    names.map((name) => {
      const sample = lines.find((line) => new RegExp(`^${name}(_sum)?[ {]`).test(line)) ?? '';
      return [name, [...sample.matchAll(/(\w+)="/g)].map(([, label = '']) => label)];
    }),
  );
}
