import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Database from 'better-sqlite3';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { AccessRecords, TABLES } from '../webhooks/access-records.js';
import { app as expressApp } from '../webhooks/express.js';
import { app as fastifyApp } from '../webhooks/fastify.js';
import { app as honoApp } from '../webhooks/hono.js';
import { server as nodeServer } from '../webhooks/node-http.js';
import { POST } from '../webhooks/route.js';
import { receiver } from '../webhooks/shop.js';
import worker from '../webhooks/worker.js';

const { SECRETS, BILLING } = vi.hoisted(() => {
  const secret = (byte: number) => `whsec_${Buffer.alloc(24, byte).toString('base64')}`;
  const SECRETS = { new: secret(1), old: secret(2), other: secret(3) };
  const BILLING = {
    WEBHOOK_SECRET: `${SECRETS.new},${SECRETS.old}`,
    BILLING_URL: 'https://billing.example.com',
    BILLING_API_KEY: `SUB_${'0'.repeat(43)}`,
  };
  // The receivers read them when they are imported.
  Object.assign(process.env, { ...BILLING, SHOP_DATABASE: ':memory:' });
  return { SECRETS, BILLING };
});

const workerDatabase = new Database(':memory:');
workerDatabase.exec(TABLES);

/** The `D1Database` of a Worker, over SQLite. */
const DB = {
  prepare: (sql: string) => ({ bind: (...values: readonly unknown[]) => ({ sql, values }) }),
  batch: async (statements: readonly object[]) =>
    workerDatabase.transaction(() => {
      for (const { sql, values } of statements as { sql: string; values: unknown[] }[]) {
        workerDatabase.prepare(sql).run(...values);
      }
    })(),
};

/** Posts a request to a server of Node, which listens for it alone. */
async function overSocket(server: Server, request: Request): Promise<Response> {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  try {
    const { port } = server.address() as AddressInfo;
    const { headers } = request;
    const body = await request.arrayBuffer();
    return await fetch(`http://127.0.0.1:${port}/webhooks`, { method: 'POST', headers, body });
  } finally {
    await new Promise((closed) => server.close(closed));
  }
}

async function byFastify(request: Request): Promise<Response> {
  const headers = Object.fromEntries(request.headers);
  const payload = Buffer.from(await request.arrayBuffer());
  const { statusCode } = await fastifyApp.inject({ method: 'POST', url: '/webhooks', headers, payload });
  return new Response(null, { status: statusCode });
}

const subscriptionOf = (customer: string, access: boolean) => {
  return { id: `sub_${customer}`, external_id: customer, plan: 'pro', access };
};

/** A webhook as the service sends it. Without a `sequence` it has no place in the order. */
function webhook(
  customer: string,
  {
    sequence,
    access = true,
    secret = 'new',
    test,
  }: {
    readonly sequence?: number;
    readonly access?: boolean;
    readonly secret?: keyof typeof SECRETS;
    readonly test?: true;
  },
): Request {
  const body = JSON.stringify({
    id: `evt_${customer}${sequence}`,
    object: 'event',
    type: access ? 'subscription.access_granted' : 'subscription.access_revoked',
    created_at: '2026-10-02T08:29:59.000Z',
    network: 'devnet',
    api_version: '2026-10-02',
    sequence,
    data: subscriptionOf(customer, access),
    detail: {},
    test,
  });
  const now = new Date();
  return new Request('https://shop.example.com/webhooks', {
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'webhook-id': `dlv_${sequence}`,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': new Webhook(SECRETS[secret]).sign(`dlv_${sequence}`, now, body),
    },
    body,
  });
}

beforeAll(() => {
  for (const level of ['warn', 'error'] as const) vi.spyOn(console, level).mockReturnValue();
});
afterAll(() => vi.restoreAllMocks());

const realFetch = globalThis.fetch;

/** Lets the service of the shop answer as given. Other requests go on. */
function answerAs(answer: () => Response): void {
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (request, init) =>
    (request instanceof Request ? request.url : String(request)).startsWith(BILLING.BILLING_URL)
      ? answer()
      : realFetch(request, init),
  );
}

describe.each<
  readonly [name: string, serve: (request: Request) => Response | Promise<Response>, AccessRecords]
>([
  ['Hono', (request) => honoApp.request(request), receiver.records],
  ['Express', (request) => overSocket(createServer(expressApp), request), receiver.records],
  ['Fastify', byFastify, receiver.records],
  ['Next', POST, receiver.records],
  ['node:http', (request) => overSocket(nodeServer, request), receiver.records],
  ['Workers', (request) => worker.fetch(request, { ...BILLING, DB }), new AccessRecords(workerDatabase)],
])('a receiver on %s', (name, serve, records) => {
  it('applies what is signed, in the order of sequence, and refuses the rest', async () => {
    const customer = `${name} ☕🎟️`;
    const post = async (sequence: number, access: boolean, secret?: 'other') => {
      const { status } = await serve(webhook(customer, { sequence, access, ...(secret && { secret }) }));
      return { status, access: records.hasAccess(customer, 'pro') };
    };
    expect(await post(2, true, 'other')).toEqual({ status: 400, access: false });
    expect(await post(2, true)).toEqual({ status: 204, access: true });
    expect(await post(1, false)).toEqual({ status: 204, access: true });
    expect(await post(3, false)).toEqual({ status: 204, access: false });
    expect(await post(2, true)).toEqual({ status: 204, access: false });
  });

  it('takes the new secret and the old one', async () => {
    const customer = `${name} rotates`;
    for (const [sequence, secret, status] of [
      [1, 'old', 204],
      [2, 'new', 204],
      [3, 'other', 400],
    ] as const) {
      expect((await serve(webhook(customer, { sequence, secret }))).status).toBe(status);
    }
  });

  it('answers an event without a sequence with 2xx once it has asked the service, and a test at once', async () => {
    const customer = `${name} asks`;
    const post = async (sent: Parameters<typeof webhook>[1]) => {
      const applied = await Promise.resolve()
        .then(() => serve(webhook(customer, sent)))
        .then(
          ({ status }) => status === 204,
          () => false,
        );
      return { applied, access: records.hasAccess(customer, 'pro') };
    };
    await serve(webhook(customer, { sequence: 1 }));
    answerAs(() => Response.json({ code: 'invalid_api_key', message: 'No such key.' }, { status: 401 }));
    expect(await post({ access: false, test: true })).toEqual({ applied: true, access: true });
    expect(await post({ access: true })).toEqual({ applied: false, access: true });
    // The event says that there was access; since then it ended.
    answerAs(() => Response.json(subscriptionOf(customer, false)));
    expect(await post({ access: true })).toEqual({ applied: true, access: false });
    expect(await post({ sequence: 2, access: true })).toEqual({ applied: true, access: true });
  });
});
