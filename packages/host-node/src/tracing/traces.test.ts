import { SpanStatusCode } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { expect, test } from 'vitest';
import { createTraces } from './traces.js';

function tracing() {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const telemetry = createTraces(provider.getTracer('test'));
  const ended = () => exporter.getFinishedSpans().map(({ name, status }) => [name, status]);
  return { telemetry, ended };
}

test('marks what failed, and not what was refused', async () => {
  const { telemetry, ended } = tracing();
  const refusal = new Error('There is no such plan.');
  const refused = telemetry.span({ kind: 'operation', name: 'plans.retrieve' }, (end) => {
    end({ outcome: 'plan_not_found', failed: false });
    return Promise.reject(refusal);
  });
  await expect(refused).rejects.toBe(refusal);
  const fault = new TypeError('https://rpc.example/KEY is no function');
  const faulty = telemetry.span({ kind: 'operation', name: 'plans.list' }, () => Promise.reject(fault));
  await expect(faulty).rejects.toBe(fault);
  await telemetry.span({ kind: 'request', name: 'GET /v1/plans' }, async (end) => {
    end({ outcome: '503', failed: true });
  });
  expect(ended()).toEqual([
    ['operation plans.retrieve', { code: SpanStatusCode.UNSET }],
    ['operation plans.list', { code: SpanStatusCode.ERROR, message: 'TypeError' }],
    ['GET /v1/plans', { code: SpanStatusCode.ERROR }],
  ]);
});
