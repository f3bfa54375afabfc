import { createHash, createHmac } from 'node:crypto';

import { z } from 'zod';

import { createBilling, type Billing } from '../../billing.js';
import { fields } from '../../contract/requests.js';
import { operation, type RoutedOperation } from '../../operations/operation.js';
import { mountFetch, type HandlerOptions } from '../handler.js';
import type { Chain, CryptoProvider, HttpSender, Logger, Prices, Store, Tokens } from '../../ports/index.js';
import { Unavailable } from '../../ports/unavailable.js';
import type { Project } from '../../records/index.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { aProject, anApiKey } from '../../testing/records.js';
import { SeededRandom } from '../../testing/seeded-random.js';

export const NOW = new Date('2026-10-02T08:30:00.000Z');

export const PROJECT: Project = aProject({ name: 'Demo', createdAt: new Date('2026-09-01T00:00:00.000Z') });

export const KEY = `SUB_${'k'.repeat(43)}`;

const API_KEY = anApiKey({ projectId: PROJECT.id, hash: createHash('sha256').update(KEY).digest('hex') });

/** Methods not given throw, so that a test reaches only what it means to reach. */
export function onlyThese<Port extends object>(methods: Partial<Port>): Port {
  return new Proxy(methods as Port, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver);
      if (method === undefined) throw new Error(`${String(name)} is not for this test`);
      return method;
    },
  });
}

const crypto = onlyThese<CryptoProvider>({
  digest: async (data) => createHash('sha256').update(data).digest(),
  mac: async (key, data) => createHmac('sha256', key).update(data).digest(),
});

export interface World {
  readonly billing: Billing;
  readonly clock: ManualClock;
  /** When the key was noted as used. */
  readonly touches: Date[];
  /** Everything logged, as text. */
  readonly logged: string[];
}

/** A service over one project and one key, and over whatever store methods a test gives. */
export function world(
  ports: {
    readonly store?: Partial<Store>;
    readonly project?: Project;
    /** Of the key, as another process left it. */
    readonly lastUsedAt?: Date;
    readonly tokens?: Tokens;
    readonly prices?: Prices;
  } = {},
): World {
  const clock = new ManualClock(NOW);
  const touches: Date[] = [];
  const logged: string[] = [];
  const log = (facts: object, message: string) => logged.push(`${message} ${JSON.stringify(facts)}`);
  const logger: Logger = { debug: log, info: log, warn: log, error: log };
  let lastUsedAt = ports.lastUsedAt ?? null;
  const store = onlyThese<Store>({
    findApiKey: async (hash) =>
      hash === API_KEY.hash ? { key: { ...API_KEY, lastUsedAt }, project: ports.project ?? PROJECT } : null,
    touchApiKey: async (_id, at) => {
      touches.push(at);
      lastUsedAt = at;
    },
    ...ports.store,
  });
  const billing = createBilling({
    store,
    chain: onlyThese<Chain>({ network: 'devnet' }),
    clock,
    random: new SeededRandom(1),
    crypto,
    sender: onlyThese<HttpSender>({}),
    logger,
    ...(ports.tokens && { tokens: ports.tokens }),
    ...(ports.prices && { prices: ports.prices }),
  });
  return { billing, clock, touches, logged };
}

/** Operations that show what the handler does around an operation. */
export const THINGS: readonly RoutedOperation[] = [
  operation({
    name: 'things.list',
    scope: 'project',
    method: 'GET',
    path: '/v1/things',
    limit: 'read',
    input: fields({
      colour: z.string({ error: 'must be a colour' }).min(1, { error: 'must be a colour' }).optional(),
    }),
    output: z.object({ colour: z.string().nullable() }),
    status: 200,
    notFound: null,
    errors: [],
    summary: '',
    run: async ({ input }) => ({ colour: input.colour ?? null }),
  }),
  operation({
    name: 'things.create',
    scope: 'project',
    method: 'POST',
    path: '/v1/things',
    limit: 'write',
    input: fields({
      name: z.string({ error: 'must be a name' }),
      size: z.number({ error: 'must be a number' }).optional(),
    }),
    output: z.object({ name: z.string() }),
    status: 201,
    notFound: null,
    errors: [],
    summary: '',
    run: async ({ input }) => ({ name: input.name }),
  }),
  operation({
    name: 'things.retrieve',
    scope: 'project',
    method: 'GET',
    path: '/v1/things/{id}',
    limit: 'read',
    input: null,
    output: z.object({ id: z.string() }),
    status: 200,
    notFound: 'event_not_found',
    errors: [],
    summary: '',
    run: async ({ id }) => ({ id }),
  }),
  operation({
    name: 'things.retry',
    scope: 'project',
    method: 'POST',
    path: '/v1/things/{id}/retry',
    limit: 'write',
    input: null,
    output: z.object({ id: z.string() }),
    status: 202,
    notFound: 'event_not_found',
    errors: [],
    summary: '',
    run: async ({ id }) => ({ id }),
  }),
  operation({
    name: 'faults.throw',
    scope: 'project',
    method: 'GET',
    path: '/v1/fault',
    limit: 'read',
    input: null,
    output: z.object({}),
    status: 200,
    notFound: null,
    errors: [],
    summary: '',
    run: async () => {
      throw new TypeError('the moon is in the way');
    },
  }),
  operation({
    name: 'faults.outage',
    scope: 'project',
    method: 'GET',
    path: '/v1/outage',
    limit: 'read',
    input: null,
    output: z.object({}),
    status: 200,
    notFound: null,
    errors: [],
    summary: '',
    run: async () => {
      throw new Unavailable('the database does not answer');
    },
  }),
];

export interface Ask {
  readonly method?: string;
  /** Null sends none; absent sends the valid one. */
  readonly key?: string | null;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array | ReadableStream<Uint8Array> | null;
  readonly ip?: string;
}

export interface Told {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON, when there is one. */
  readonly body: Record<string, unknown>;
}

export type Asks = (path: string, ask?: Ask) => Promise<Told>;

/** Calls a handler as a client does, and reads the whole answer. */
export function asking(handler: ReturnType<typeof mountFetch>): Asks {
  return async (path, { method = 'GET', key = KEY, headers = {}, body = null, ip = '203.0.113.7' } = {}) => {
    const request = new Request(`https://billing.example${path}`, {
      method,
      headers: { ...(key === null ? {} : { Authorization: `Bearer ${key}` }), ...headers },
      body,
      ...(body instanceof ReadableStream ? { duplex: 'half' as const } : {}),
    });
    const response = await handler(request, { ip });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    };
  };
}

export function things(
  options?: HandlerOptions,
  ports?: Parameters<typeof world>[0],
): World & { readonly ask: Asks } {
  const made = world(ports);
  return { ...made, ask: asking(mountFetch(made.billing.service, THINGS, options)) };
}

/** A body of JSON, with its content type. */
export function json(value: unknown): { method: string; body: string; headers: Record<string, string> } {
  return {
    method: 'POST',
    body: typeof value === 'string' ? value : JSON.stringify(value),
    headers: { 'Content-Type': 'application/json' },
  };
}
