import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClock } from '@subrail/adapters/node';
import { generateKeyPairSigner } from '@solana/kit';
import SqliteFile from 'better-sqlite3';
import { readConfig } from '../src/config/read-config.js';
import { createLogger } from '../src/log/logger.js';
import { openService } from '../src/service/open-service.js';
import { customer, fill, type Asked } from './access/fill.js';
import { compare, inProcess, type Result } from './access/compare.js';
import type { Round, Took } from './access/load.js';

// What it costs to ask whether a customer has access: over HTTP, by the whole host with its keys and limits, beside a bare
// node:http server that answers the same bytes; and in process, beside bare prepared reads of the same rows. The service
// and what it is compared with take turns in one run. Writing down when each key was last used, once a minute, is part of
// the service and of what is measured. Ratios are of calls a second and, since a machine is seldom all ours, of processor
// time; none of them fails the run. `npm run bench access [subscriptions]`, a million unless given.

/** What a ratio is expected to be at least, and what it aims at. */
interface Target {
  readonly floor: number;
  readonly aim: number;
}
const TARGETS = { http: { floor: 0.2, aim: 0.35 }, inProcess: { floor: 0.35, aim: 0.5 } };
const ROUNDS = 11;
const WARM_UP = 3;
/** Calls of a round: of all rounds, about a hundred for each key, which may make 1,000 a minute. */
const CALLS = { http: 3_000, inProcess: 10_000 };
const CONNECTIONS = 16;

const subscriptions = Number(process.argv[2] ?? 1_000_000);
if (!Number.isInteger(subscriptions) || subscriptions < 1_000) {
  throw new RangeError('The number of subscriptions is a whole number of at least 1,000.');
}
const folder = mkdtempSync(join(tmpdir(), 'subrail-bench-'));
const removeFolder = (): void => {
  rmSync(folder, { recursive: true, force: true });
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    removeFolder();
    process.kill(process.pid, signal);
  });
}
try {
  await run();
} finally {
  removeFolder();
}

async function run(): Promise<void> {
  const config = readConfig({ SUBRAIL_DATA_DIR: folder }, folder);
  const started = performance.now();
  const customers = fill(config.database, subscriptions);
  const someone = pickFrom(await customers);
  const [seconds, size] = [(performance.now() - started) / 1000, statSync(config.database).size / 2 ** 20];
  console.log(
    `${subscriptions} subscriptions in ${size.toFixed(0)} MiB, written in ${seconds.toFixed(1)} s. ` +
      `Load of the machine: ${load()}.`,
  );
  console.log(
    'A ratio is the calls a second of this service over those of the bare one beside it: more is better.',
  );
  const service = await openService(
    config,
    {
      // Nothing here asks a chain.
      rpc: 'http://127.0.0.1:1',
      charger: await generateKeyPairSigner(),
      sealingKey: new Uint8Array(32),
      clock: createClock(),
      tokens: null,
      syncClock: () => Promise.resolve(),
      close: () => Promise.resolve(),
    },
    createLogger({ level: config.logLevel, secrets: [], stream: process.stdout }),
  );
  try {
    await overHttp(Number(new URL(service.url).port), someone);
    const file = new SqliteFile(config.database, { readonly: true });
    const subscription = file.prepare(
      `select s.* from subscriptions s join plans p on p.id = s.plan_id
       where s.project_id = ? and s.external_id = ? and p.slug = ?`,
    );
    const project = file.prepare('select * from projects where id = ?');
    const plan = file.prepare("select * from plans where project_id = ? and slug = ? and status <> 'failed'");
    const names = ['billing.access.check', 'one bare read, the subscription', 'bare reads of all its rows'];
    const asked = () => Array.from({ length: CALLS.inProcess }, someone);
    const results = await compare(
      [
        () =>
          inProcess(asked(), ({ projectId, externalId, slug }) =>
            service.billing.access.check(projectId, { external_id: externalId, plan: slug }),
          ),
        () => inProcess(asked(), (one) => subscription.all(one.projectId, one.externalId, one.slug)),
        () =>
          inProcess(asked(), (one) => {
            project.get(one.projectId);
            plan.get(one.projectId, one.slug);
            return subscription.all(one.projectId, one.externalId, one.slug);
          }),
      ],
      ROUNDS,
      WARM_UP,
    );
    report(names, results, TARGETS.inProcess);
    file.close();
  } finally {
    await service.close();
  }
  console.log(`Load of the machine at the end: ${load()}.`);
}

async function overHttp(port: number, someone: () => Asked): Promise<void> {
  const bare = await sameBytes(port, someone());
  const client = fork(fileURLToPath(new URL('./access/load.js', import.meta.url)), {
    execArgv: ['--import', import.meta.resolve('tsx')],
  });
  const ended = once(client, 'exit').then(([code]) => {
    throw new Error(`The process that asks ended with ${code}; what it met stands above.`);
  });
  // Waited for by the rounds alone: it ends well once they are done.
  ended.catch(() => undefined);
  const round = async (to: number): Promise<Took> => {
    const requests = Array.from({ length: CALLS.http }, () => requestFor(someone()));
    const answer = once(client, 'message');
    client.send({ port: to, connections: CONNECTIONS, requests } satisfies Round);
    return ((await Promise.race([answer, ended])) as [Took])[0];
  };
  try {
    const bareAddress = bare.address() as AddressInfo;
    const results = await compare([() => round(port), () => round(bareAddress.port)], ROUNDS, WARM_UP);
    report(['GET /v1/access', 'bare node:http, same bytes'], results, TARGETS.http);
  } finally {
    client.kill();
    bare.closeAllConnections();
    bare.close();
  }
}

/** A server that knows one answer of the service by heart. */
async function sameBytes(port: number, { key, externalId, slug }: Asked) {
  const asked = get({
    port,
    path: `/v1/access?external_id=${externalId}&plan=${slug}`,
    headers: { authorization: `Bearer ${key}` },
  });
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  const body = Buffer.concat(await answer.toArray()).toString();
  if (answer.statusCode !== 200) throw new Error(`The service answered: ${body}`);
  // What node:http writes by itself it writes again.
  const { date: _date, connection: _connection, 'keep-alive': _kept, ...headers } = answer.headers;
  const server = createServer((_, outgoing) => {
    outgoing.writeHead(200, headers).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function requestFor({ key, externalId, slug }: Asked): string {
  return [
    `GET /v1/access?external_id=${externalId}&plan=${slug} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${key}`,
    'Accept: application/json',
    '\r\n',
  ].join('\r\n');
}

/** Customers at random, the same ones in every run. */
function pickFrom(customers: number): () => Asked {
  let state = 1n;
  return () => {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) % 2n ** 64n;
    return customer(Number((state >> 32n) % BigInt(customers)));
  };
}

/** The first of `results` beside each of the others. */
function report(names: readonly string[], results: readonly Result[], target: Target): void {
  const [measured] = results;
  for (const [index, { perSecond, p50, p99, processor }] of results.entries()) {
    const ratio =
      index === 0 || measured === undefined
        ? ''
        : `   ratio ${judged(measured.perSecond / perSecond, target)}, ` +
          `of processor time ${(processor / measured.processor).toFixed(2)}`;
    const [shown50, shown99] = [p50, p99].map((ms) => `${(ms * 1000).toFixed(0).padStart(6)} µs`);
    const rate = perSecond.toFixed(0).padStart(8);
    const spent = `${(processor * 1000).toFixed(1).padStart(6)} µs of processor`;
    console.log(
      `${(names[index] ?? '').padEnd(34)}${rate} a second   p50${shown50}   p99${shown99}   ${spent}${ratio}`,
    );
  }
}

function judged(ratio: number, { floor, aim }: Target): string {
  const [floorMet, aimMet] = [floor, aim].map((least) => (ratio >= least ? 'met' : 'not met'));
  return `${ratio.toFixed(2)} (expected ${floor.toFixed(2)}: ${floorMet}; aim ${aim.toFixed(2)}: ${aimMet})`;
}

function load(): string {
  return loadavg()
    .map((minutes) => minutes.toFixed(1))
    .join(' ');
}
