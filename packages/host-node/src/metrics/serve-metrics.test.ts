import { readFileSync } from 'node:fs';
import type { Metrics } from '@subrail/core';
import type { Logger } from '@subrail/core/ports';
import { afterEach, expect, test } from 'vitest';
import { createMeasurements } from './measurements.js';
import { serveMetrics, type MetricsServer } from './serve-metrics.js';
import { AT, exposedMetrics, METRICS } from './tests/full-page.js';

const errors: object[] = [];
const logger: Logger = { debug() {}, info() {}, warn() {}, error: (facts) => void errors.push(facts) };
let server: MetricsServer | null = null;
afterEach(() => server?.stop());

async function serving(
  metrics: () => Promise<Metrics>,
  measurements = createMeasurements(),
): Promise<(path: string, method?: string) => Promise<Response>> {
  const { registry: measured } = measurements;
  const { port } = (server = await serveMetrics({ host: '127.0.0.1', port: 0, metrics, measured, logger }));
  return (path, method = 'GET') => fetch(`http://127.0.0.1:${port}${path}`, { method });
}

const USDC = 'mint="EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",symbol="USDC"';
const OTHER = 'mint="DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263",symbol=""';

const PAGE = [
  'subrail_attempts_total{outcome="paid",reason=""} 12',
  'subrail_attempts_total{outcome="blocked",reason="solana_7050003"} 2',
  'subrail_transfers_total{state="landed"} 12',
  'subrail_transfers_total{state="failed"} 1',
  'subrail_transfers_total{state="lost"} 0',
  'subrail_delivery_attempts_total{result="delivered"} 5',
  'subrail_delivery_attempts_total{result="retrying"} 1',
  'subrail_delivery_attempts_total{result="failed"} 0',
  'subrail_mail_attempts_total{kind="receipt",result="sent"} 3',
  'subrail_claimed_subscriptions 3',
  'subrail_overdue_seconds{work="charges"} 1.5',
  'subrail_overdue_seconds{work="deliveries"} 0',
  'subrail_backlog{work="wakes"} 7',
  'subrail_backlog{work="charges"} 4',
  'subrail_backlog{work="deliveries"} 2',
  'subrail_oldest_unsent_seconds{work="deliveries"} 90.5',
  'subrail_oldest_unsent_seconds{work="held_events"} 0',
  'subrail_chain_calls_total{method="readCharges"} 9',
  'subrail_chain_call_failures_total{method="readCharges"} 1',
  'subrail_rpc_requests_total{server="1"} 20',
  'subrail_rpc_requests_total{server="2"} 4',
  'subrail_rpc_failures_total{server="1"} 0',
  'subrail_rpc_failures_total{server="2"} 2',
  'subrail_rpc_server_up{server="1"} 1',
  'subrail_rpc_server_up{server="2"} 0',
  'subrail_charger_balance_lamports 1000000',
  'subrail_charger_charges 21',
  `subrail_charger_read_timestamp_seconds ${AT.getTime() / 1_000}`,
  `subrail_pass_last_success_timestamp_seconds{pass="charges"} ${AT.getTime() / 1_000}`,
  'subrail_pass_last_success_timestamp_seconds{pass="deliveries"} 0',
  `subrail_pass_last_success_timestamp_seconds{pass="watch"} ${AT.getTime() / 1_000}`,
  'subrail_pass_failing{pass="charges"} 0',
  'subrail_pass_failing{pass="deliveries"} 1',
  'subrail_pass_failing{pass="watch"} 0',
  `subrail_alert_since_timestamp_seconds{kind="charges_blocked",subject="solana_7050003",severity="warning"} ${AT.getTime() / 1_000}`,
  `subrail_collected_tokens{${USDC},span="today"} 9.99`,
  `subrail_collected_tokens{${USDC},span="30_days"} 120`,
  `subrail_collected_tokens{${OTHER},span="today"} 0`,
  `subrail_collected_tokens{${OTHER},span="30_days"} 7`,
  `subrail_collected_usd{${USDC},span="today"} 10`,
  `subrail_collected_usd{${USDC},span="30_days"} 119.5`,
  `subrail_collected_usd{${OTHER},span="today"} 0`,
  `subrail_collected_usd{${OTHER},span="30_days"} 0`,
  'subrail_unpaid_attempts{outcome="rejected",reason="insufficient_balance",span="30_days"} 4',
  `subrail_mrr_tokens{${USDC}} 130.5`,
  `subrail_mrr_tokens{${OTHER}} 7`,
  `subrail_mrr_usd{${USDC}} 130.4`,
  'subrail_subscriptions{state="active"} 21',
  'subrail_subscriptions{state="recurring"} 20',
];

// alerts#metrics
test('serves every figure in the text format, and those of the process', async () => {
  const get = await serving(() => Promise.resolve(METRICS));
  for (let scrape = 0; scrape < 2; scrape += 1) {
    const response = await get('/metrics');
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
    const lines = (await response.text()).split('\n');
    expect(lines.filter((line) => line.startsWith('subrail_'))).toEqual(PAGE);
    expect(lines.some((line) => line.startsWith('process_resident_memory_bytes '))).toBe(true);
  }
});

test('serves the metrics and labels that docs/host.md lists', async () => {
  const page = readFileSync(new URL('../../../../docs/host.md', import.meta.url), 'utf8');
  const listed = [...page.matchAll(/^\| (`subrail_.+?) \| (.*?) ?\| .+ \|$/gm)].flatMap(
    ([, names = '', labels]) => [...names.matchAll(/`(\w+)`/g)].map(([, name]) => `${name} ${labels}`),
  );
  const served = [...(await exposedMetrics())].map(
    ([name, labels]) => `${name} ${labels.map((label) => `\`${label}\``).join(', ')}`,
  );
  expect(listed.sort()).toEqual(served.sort());
});

test('serves the metrics of the process that docs/host.md lists, and no others than it says', async () => {
  const page = readFileSync(new URL('../../../../docs/host.md', import.meta.url), 'utf8');
  const listed = [...page.matchAll(/^\| (`(?:process|nodejs)_.+?) \| (.*) \|$/gm)].flatMap(
    ([, names = '', what]) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => ({
        name,
        onLinux: what?.includes('on Linux only'),
      })),
  );
  expect(listed.length).toBeGreaterThan(0);
  const get = await serving(() => Promise.resolve(METRICS));
  const served = [...(await (await get('/metrics')).text()).matchAll(/^# TYPE (\w+) /gm)].map(
    ([, name]) => name,
  );
  for (const { name, onLinux } of listed) {
    if (onLinux !== true || process.platform === 'linux') expect(served).toContain(name);
  }
  expect(served.filter((name) => !/^(subrail|process|nodejs)_/.test(name ?? ''))).toEqual([]);
});

test('leaves out what is not known', async () => {
  const get = await serving(() => Promise.resolve({ ...METRICS, charger: null, overdueSeconds: null }));
  const text = await (await get('/metrics')).text();
  expect(text).not.toMatch(/^subrail_(charger|overdue)/m);
});

test('serves nothing else, and says when the figures cannot be read', async () => {
  const get = await serving(() => Promise.reject(new Error('a fault')));
  for (const [path, method] of [
    ['/', 'GET'],
    ['/v1/plans', 'GET'],
    ['/metrics', 'POST'],
  ] as const)
    expect((await get(path, method)).status).toBe(404);
  expect((await get('/metrics')).status).toBe(500);
  expect(errors).toHaveLength(1);
});
