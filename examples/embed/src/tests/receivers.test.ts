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

const { SECRET } = vi.hoisted(() => {
  const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
  // The receivers read them when they are imported.
  const BILLING_API_KEY = `SUB_${'0'.repeat(43)}`;
  Object.assign(process.env, { WEBHOOK_SECRET: SECRET, SHOP_DATABASE: ':memory:', BILLING_API_KEY });
  return { SECRET };
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

/** A webhook as the service sends it. */
function webhook(customer: string, sequence: number, access: boolean, signed: boolean): Request {
  const body = JSON.stringify({
    id: `evt_${customer}${sequence}`,
    object: 'event',
    type: access ? 'subscription.access_granted' : 'subscription.access_revoked',
    created_at: '2026-10-02T08:29:59.000Z',
    network: 'devnet',
    api_version: '2026-10-02',
    sequence,
    data: { id: `sub_${customer}`, external_id: customer, plan: 'pro', access },
    detail: {},
  });
  const now = new Date();
  return new Request('https://shop.example.com/webhooks', {
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'webhook-id': `dlv_${sequence}`,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': signed ? new Webhook(SECRET).sign(`dlv_${sequence}`, now, body) : 'v1,AAAA',
    },
    body,
  });
}

beforeAll(() => void vi.spyOn(console, 'warn').mockReturnValue());
afterAll(() => vi.restoreAllMocks());

describe.each<
  readonly [name: string, serve: (request: Request) => Response | Promise<Response>, AccessRecords]
>([
  ['Hono', (request) => honoApp.request(request), receiver.records],
  ['Express', (request) => overSocket(createServer(expressApp), request), receiver.records],
  ['Fastify', byFastify, receiver.records],
  ['Next', POST, receiver.records],
  ['node:http', (request) => overSocket(nodeServer, request), receiver.records],
  [
    'Workers',
    (request) => worker.fetch(request, { WEBHOOK_SECRET: SECRET, DB }),
    new AccessRecords(workerDatabase),
  ],
])('a receiver on %s', (name, serve, records) => {
  it('applies what is signed, in the order of sequence, and refuses the rest', async () => {
    const customer = `${name} ☕🎟️`;
    const post = async (sequence: number, access: boolean, signed = true) => {
      const { status } = await serve(webhook(customer, sequence, access, signed));
      return { status, access: records.hasAccess(customer, 'pro') };
    };
    expect(await post(2, true, false)).toEqual({ status: 400, access: false });
    expect(await post(2, true)).toEqual({ status: 204, access: true });
    expect(await post(1, false)).toEqual({ status: 204, access: true });
    expect(await post(3, false)).toEqual({ status: 204, access: false });
    expect(await post(2, true)).toEqual({ status: 204, access: false });
  });
});
