import { expect, test, vi } from 'vitest';
import { readConfig } from '../config/read-config.js';
import { openTracing } from './tracing.js';

test.each([
  [{}, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }, true],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:4318/v1/traces' }, true],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_SDK_DISABLED: 'true' }, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_TRACES_EXPORTER: 'none' }, false],
])('with %j, traces are configured: %s', (environment, traces) => {
  expect(readConfig(environment, '/nowhere').traces).toBe(traces);
});

test('loads OpenTelemetry only when traces are configured', async () => {
  vi.doMock('./otlp-tracing.js', () => ({
    openOtlpTracing() {
      throw new Error('OpenTelemetry was loaded.');
    },
  }));
  const open = (environment: NodeJS.ProcessEnv) => openTracing(readConfig(environment, '/nowhere'), console);
  expect(await open({})).toBeNull();
  await expect(open({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' })).rejects.toThrow('was loaded');
  vi.doUnmock('./otlp-tracing.js');
});
