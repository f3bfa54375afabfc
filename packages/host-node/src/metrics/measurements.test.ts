import { expect, test } from 'vitest';
import { createMeasurements } from './measurements.js';
import { failEach } from './tests/full-page.js';

// alerts#metrics
test('measures each piece of work, and counts what failed', async () => {
  const { telemetry, registry } = createMeasurements();
  const route = { method: 'GET', route: '/v1/plans' };
  const answer = await telemetry.span(
    { kind: 'request', name: 'GET /v1/plans', labels: route },
    async (end) => {
      end({ outcome: '404', failed: false });
      return 'the answer';
    },
  );
  expect(answer).toBe('the answer');
  await failEach(telemetry);
  const lines = (await registry.metrics()).split('\n');
  const counts = lines.filter((line) => /^subrail_\w+_(count|total)/.test(line));
  expect(counts.sort()).toEqual([
    'subrail_chain_call_duration_seconds_count{method="readCharges"} 1',
    'subrail_delivery_attempt_duration_seconds_count{result="failed"} 1',
    'subrail_http_request_duration_seconds_count{method="GET",route="/v1/plans"} 2',
    'subrail_http_requests_total{method="GET",route="/v1/plans",status="404"} 1',
    'subrail_http_requests_total{method="GET",route="/v1/plans",status="failed"} 1',
    'subrail_pass_duration_seconds_count{pass="charges"} 1',
    'subrail_rpc_request_duration_seconds_count{server="1",url="https://rpc.example",method="getSlot"} 1',
    'subrail_rpc_results_total{server="1",url="https://rpc.example",method="getSlot",result="failed"} 1',
    'subrail_send_lag_seconds_count{work="charges"} 1',
    'subrail_send_lag_seconds_count{work="deliveries"} 1',
    'subrail_store_call_duration_seconds_count{method="commit"} 1',
    'subrail_store_call_failures_total{method="commit"} 1',
  ]);
  expect(lines).toContain('subrail_send_lag_seconds_bucket{le="2",work="charges"} 0');
  expect(lines).toContain('subrail_send_lag_seconds_bucket{le="5",work="charges"} 1');
});

test('passes on what the work throws', async () => {
  const { telemetry } = createMeasurements();
  const fault = new Error('a fault');
  await expect(telemetry.span({ kind: 'store', name: 'commit' }, () => Promise.reject(fault))).rejects.toBe(
    fault,
  );
});

test('keeps ids out of the labels', async () => {
  const { telemetry, registry } = createMeasurements();
  await failEach(telemetry);
  expect(await registry.metrics()).not.toContain('whd_1');
});
