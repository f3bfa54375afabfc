import { createHash, createHmac } from 'node:crypto';
import { inspect } from 'node:util';

import * as z from 'zod';

import { createBilling, type Billing } from '../../billing.js';
import { fields } from '../../contract/requests.js';
import { operation, type Operation } from '../../operations/operation.js';
import { operationsOf } from '../../operation-table.js';
import { createFetchHandler, type FetchHandler } from '../fetch-handler.js';
import type { MountOptions } from '../handler-request.js';
import { contractGate } from '../gate.js';
import { belowBasePath } from '../find-route.js';
import { createRouter } from '../router.js';
import type {
  Chain,
  Clock,
  CryptoProvider,
  HttpSender,
  Logger,
  Prices,
  FullStore,
  Tokens,
} from '../../ports/index.js';
import { Unavailable } from '../../ports/unavailable.js';
import type { Project } from '../../records/index.js';
import type { Service } from '../../service.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { partialPort } from '../../testing/partial-port.js';
import { aProject, anApiKey } from '../../testing/records.js';
import { SeededRandom } from '../../testing/seeded-random.js';

export const NOW = new Date('2026-10-02T08:30:00.000Z');

export const PROJECT: Project = aProject({ name: 'Demo', createdAt: new Date('2026-09-01T00:00:00.000Z') });

export const KEY = `SUB_${'k'.repeat(43)}`;

const API_KEY = anApiKey({ projectId: PROJECT.id, hash: createHash('sha256').update(KEY).digest('hex') });

const crypto = partialPort<CryptoProvider>({
  digest: async (text) => createHash('sha256').update(text).digest('hex'),
  mac: async (key, data) => createHmac('sha256', key).update(data).digest(),
});

/** A service with its clock and its records. */
export interface ServiceFixture {
  readonly billing: Billing;
  readonly clock: ManualClock;
  /** The dates that were stored as the last use of the key. */
  readonly storedUses: Date[];
  /** Every log entry, as text. */
  readonly logged: string[];
  /** The fields of every log entry. */
  readonly loggedFacts: object[];
}

/** Makes a service with one project and one API key. A test passes the store methods that it needs. */
export function serviceFixture(
  ports: {
    readonly store?: Partial<FullStore>;
    readonly chain?: Partial<Chain>;
    readonly project?: Project;
    /** The last use of the key that another process stored. */
    readonly lastUsedAt?: Date;
    /** When the key ends because another one took its place. */
    readonly expiresAt?: Date;
    readonly tokens?: Tokens;
    readonly prices?: Prices;
    /** The clock of the host; the service's without it. */
    readonly wallClock?: Clock;
  } = {},
): ServiceFixture {
  const clock = new ManualClock(NOW);
  const storedUses: Date[] = [];
  const logged: string[] = [];
  const loggedFacts: object[] = [];
  const log = (facts: object, message: string) => {
    logged.push(`${message} ${inspect(facts, { depth: null, showHidden: true })}`);
    loggedFacts.push(facts);
  };
  const logger: Logger = { debug: log, info: log, warn: log, error: log };
  let lastUsedAt = ports.lastUsedAt ?? null;
  const expiresAt = ports.expiresAt ?? null;
  const store = partialPort<FullStore>({
    claimChainIdentity: async (identity) => identity,
    findApiKey: async (hash) =>
      hash === API_KEY.hash
        ? { key: { ...API_KEY, lastUsedAt, expiresAt }, project: ports.project ?? PROJECT }
        : null,
    touchApiKey: async (_id, at) => {
      storedUses.push(at);
      lastUsedAt = at;
    },
    ...ports.store,
  });
  const billing = createBilling({
    store,
    chain: partialPort<Chain>({
      network: 'devnet',
      readGenesis: async () => ({ ok: true, value: { hash: 'genesis', network: 'devnet' } }),
      ...ports.chain,
    }),
    clock,
    random: new SeededRandom(1),
    crypto,
    sender: partialPort<HttpSender>({}),
    logger,
    ...(ports.wallClock && { wallClock: ports.wallClock }),
    ...(ports.tokens && { tokens: ports.tokens }),
    ...(ports.prices && { prices: ports.prices }),
  });
  return { billing, clock, storedUses, logged, loggedFacts };
}

/** Operations with which the tests check what the handler does around any operation. */
export const SAMPLE_OPERATIONS: readonly Operation[] = operationsOf({
  widgets: {
    list: operation<(query: { colour?: string | undefined }) => Promise<{ colour: string | null }>>()({
      method: 'GET',
      path: '/v1/widgets',
      input: fields({
        colour: z.string({ error: 'must be a colour' }).min(1, { error: 'must be a colour' }).optional(),
      }),
      output: z.object({ colour: z.string().nullable() }),
      summary: '',
      run: async ({ input }) => ({ colour: input.colour ?? null }),
    }),
    create: operation<(input: { name: string; size?: number | undefined }) => Promise<{ name: string }>>()({
      method: 'POST',
      path: '/v1/widgets',
      input: fields({
        name: z.string({ error: 'must be a name' }),
        size: z.number({ error: 'must be a number' }).optional(),
      }),
      output: z.object({ name: z.string() }),
      status: 201,
      summary: '',
      run: async ({ input }) => ({ name: input.name }),
    }),
    retrieve: operation<(id: string) => Promise<{ id: string }>>()({
      method: 'GET',
      path: '/v1/widgets/{id}',
      output: z.object({ id: z.string() }),
      notFound: 'event_not_found',
      summary: '',
      run: async ({ id }) => ({ id }),
    }),
    retry: operation<(id: string) => Promise<{ id: string }>>()({
      method: 'POST',
      path: '/v1/widgets/{id}/retry',
      output: z.object({ id: z.string() }),
      status: 202,
      notFound: 'event_not_found',
      summary: '',
      run: async ({ id }) => ({ id }),
    }),
  },
  faults: {
    throw: operation<() => Promise<Record<string, never>>>()({
      method: 'GET',
      path: '/v1/fault',
      output: z.object({}),
      summary: '',
      run: async () => {
        throw new TypeError('the operation failed');
      },
    }),
    outage: operation<() => Promise<Record<string, never>>>()({
      method: 'GET',
      path: '/v1/outage',
      output: z.object({}),
      summary: '',
      run: async () => {
        throw new Unavailable('the database does not answer');
      },
    }),
  },
});

/** The parts of a request other than its path. */
export interface CallOptions {
  readonly method?: string;
  /** The API key: null sends none, and when absent the valid key is sent. */
  readonly key?: string | null;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array | ReadableStream<Uint8Array> | null;
  readonly ip?: string;
}

/** An answer that was read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; an empty object when there is no body. */
  readonly body: Record<string, unknown>;
}

/** Calls a handler and reads its answer. */
export type Caller = (path: string, options?: CallOptions) => Promise<Answer>;

/** The header by which the handlers of the tests know a client's address. */
const CLIENT = 'x-client';

/** Serves operations over fetch. */
export function fetchHandler(
  service: Service,
  operations: readonly Operation[],
  options?: MountOptions,
): FetchHandler {
  const route = createRouter(service, contractGate(service, operations));
  const below = belowBasePath(options?.basePath);
  return createFetchHandler(
    (request) => route(request, below(request.path)),
    ({ headers }) => headers.get(CLIENT),
  );
}

/** Makes a function that calls a handler as a client does and reads the whole answer. */
export function callerOf(handler: FetchHandler): Caller {
  return async (path, { method = 'GET', key = KEY, headers = {}, body = null, ip = '203.0.113.7' } = {}) => {
    const request = new Request(`https://billing.example${path}`, {
      method,
      headers: { ...(key === null ? {} : { Authorization: `Bearer ${key}` }), [CLIENT]: ip, ...headers },
      body,
      ...(body instanceof ReadableStream ? { duplex: 'half' as const } : {}),
    });
    const response = await handler(request);
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    };
  };
}

/** Makes a service and a function that calls its handler, which serves the sample operations. */
export function handlerFixture(
  options?: MountOptions,
  ports?: Parameters<typeof serviceFixture>[0],
): ServiceFixture & { readonly call: Caller } {
  const fixture = serviceFixture(ports);
  return { ...fixture, call: callerOf(fetchHandler(fixture.billing.service, SAMPLE_OPERATIONS, options)) };
}

/** A POST with a JSON body. A string is sent as it is. */
export function json(value: unknown): { method: string; body: string; headers: Record<string, string> } {
  return {
    method: 'POST',
    body: typeof value === 'string' ? value : JSON.stringify(value),
    headers: { 'Content-Type': 'application/json' },
  };
}
