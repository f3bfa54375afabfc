import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openCommandWorld, type CommandWorld } from '../command/tests/command-world.js';

/** A span as OTLP has it in JSON. */
interface Sent {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
}
interface Export {
  readonly resourceSpans: readonly {
    readonly resource: Pick<Sent, 'attributes'>;
    readonly scopeSpans: readonly { readonly spans: readonly Sent[] }[];
  }[];
}

/** The variables of OpenTelemetry. */
const VARIABLES = {
  OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=the-key',
  OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test',
};

let collector: Server;
let world: CommandWorld | null = null;
const exports: Export[] = [];
const requests: { readonly path: string | undefined; readonly key: unknown }[] = [];
let endpoint: string;

beforeEach(async () => {
  collector = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      requests.push({ path: request.url, key: request.headers['x-api-key'] });
      exports.push(JSON.parse(Buffer.concat(chunks).toString()) as Export);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  Object.assign(process.env, VARIABLES, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
});

afterEach(async () => {
  await world?.close();
  world = null;
  for (const name of [...Object.keys(VARIABLES), 'OTEL_EXPORTER_OTLP_ENDPOINT'])
    Reflect.deleteProperty(process.env, name);
  collector.closeAllConnections();
  await new Promise((resolve) => collector.close(resolve));
});

test('sends the trace of a charge, with the calls of the chain in it, to the collector of the environment', async () => {
  world = await openCommandWorld({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
  const { code, stdout } = await world.run('database', ['local', 'subscribe', '--plan', 'pro', '--json']);
  expect(code).toBe(0);
  const { id } = JSON.parse(stdout) as { readonly id: string };
  await fetch(`${world.url}/v1/plans?secret=of-a-customer`);
  world.advanceHours(31 * 24);
  await world.billing.worker.runUntilIdle();
  await world.close();
  world = null;

  const [sent] = exports.flatMap(({ resourceSpans }) => resourceSpans);
  expect(factsOf(sent?.resource)).toMatchObject({
    'service.name': 'subrail',
    'deployment.environment': 'test',
  });
  expect(requests[0]).toEqual({ path: '/v1/traces', key: 'the-key' });

  const spans = exports.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  );
  const pathOf = (span: Sent): string => {
    const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
    return parent === undefined ? span.name : `${pathOf(parent)} > ${span.name}`;
  };
  const paths = spans.map(pathOf);
  for (const call of ['chain readCharges', 'chain signCharges', 'store commit', 'chain send'])
    expect(paths).toContain(`pass charges > charges charges > ${call}`);
  expect(paths).toContain('pass charges > charges charges > chain send > rpc sendTransaction');
  const batch = spans.find((span) => pathOf(span) === 'pass charges > charges charges');
  expect(factsOf(batch)).toMatchObject({ 'subrail.count': 1, 'subrail.subscriptions': id });

  const request = spans.find(({ name }) => name === 'GET /v1/plans');
  expect(factsOf(request)).toEqual({
    'http.request.method': 'GET',
    'http.route': '/v1/plans',
    'http.response.status_code': 401,
  });
  // Most runs of the passes find nothing to do.
  expect(paths.filter((path) => path.startsWith('store '))).toEqual([]);
  expect(paths).not.toContain('pass deliveries');
  expect(JSON.stringify(exports)).not.toContain('of-a-customer');
});

test('says once that the collector refuses traces, and once that it accepts them again', async () => {
  let status = 400;
  collector.removeAllListeners('request');
  collector.on('request', (request, response) => {
    request.resume();
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  const { openOtlpTracing } = await import('./otlp-tracing.js');
  const logged: string[] = [];
  const log = (level: string) => (_: object, message: string) => void logged.push(`${level}: ${message}`);
  const logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') };
  const tracing = openOtlpTracing(logger);
  const once = async () => {
    await tracing.telemetry.span({ kind: 'request', name: 'GET /v1/plans' }, () => Promise.resolve());
    await tracing.flush().catch(() => undefined);
  };
  await once();
  await once();
  status = 200;
  await once();
  await once();
  await tracing.stop();
  expect(logged).toEqual([
    'warn: Traces could not be sent to the collector of OTEL_EXPORTER_OTLP_ENDPOINT, and are lost until it accepts them again.',
    'info: The collector accepts traces again.',
  ]);
});

/** The attributes of a span, or of what sent it, by name. */
function factsOf(of: Pick<Sent, 'attributes'> | undefined): Readonly<Record<string, unknown>> {
  return Object.fromEntries(of?.attributes.map(({ key, value }) => [key, Object.values(value)[0]]) ?? []);
}
