import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../src/config/read-config.js';
import { startBareServer } from './access/bare-server.js';
import { openBenchService } from './access/bench-service.js';
import { startClient } from './access/client.js';
import { compare, inProcess, type Result } from './access/compare.js';
import { postgresBench, sqliteBench } from './access/database.js';
import { fill, type AccessQuery } from './access/fill.js';
import { pickFrom, requestFor } from './access/requests.js';

// Measures access checks: over HTTP, the whole host with keys and rate limits against a bare node:http server
// that sends the same bytes; in process, against prepared reads of the same rows. Both sides take turns in
// one run. The service's write of the last use of each key, once a minute, is measured too. The ratios are of
// calls a second and, because the machine may be busy, of CPU time. No ratio fails the run.
//
// `npm run bench access [subscriptions]`: by default a million subscriptions, on SQLite. With `--database
// postgres://...` it fills an empty PostgreSQL database: a ratio then contains round trips to its server, one
// of which is measured too.

/** The least ratio that is acceptable, and the one that we want to reach. */
interface Target {
  readonly floor: number;
  readonly aim: number;
}
const TARGETS = { http: { floor: 0.25, aim: 0.35 }, inProcess: { floor: 0.35, aim: 0.5 } };
const ROUNDS = 11;
const WARM_UP = 3;
const CONNECTIONS = 16;

const { values: options, positionals } = parseArgs({
  options: { database: { type: 'string' } },
  allowPositionals: true,
});
const subscriptions = Number(positionals[0] ?? 1_000_000);
if (!Number.isInteger(subscriptions) || subscriptions < 1_000) {
  throw new RangeError('The number of subscriptions must be a whole number of at least 1,000.');
}
/** Calls per round: over all rounds about a hundred per key, far below its limit of 1,000 a minute. */
const CALLS = { http: Math.min(3_000, subscriptions), inProcess: Math.min(10_000, subscriptions) };
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
  const address: Readonly<Record<string, string>> =
    options.database === undefined ? {} : { SUBRAIL_DATABASE: options.database };
  const config = readConfig({ SUBRAIL_DATA_DIR: folder, ...address }, folder);
  const database =
    config.database.kind === 'sqlite'
      ? sqliteBench(config.database.path)
      : await postgresBench(config.database.url);
  const started = performance.now();
  const randomQuery = pickFrom(await fill(database, subscriptions));
  const [seconds, size] = [(performance.now() - started) / 1000, (await database.size()) / 2 ** 20];
  console.log(
    `${subscriptions} subscriptions in ${size.toFixed(0)} MiB, written in ${seconds.toFixed(1)} s. ` +
      `Load average: ${load()}.`,
  );
  console.log(
    'A ratio is the calls per second of this service divided by those of the bare one: more is better.',
  );
  const service = await openBenchService(folder, address);
  try {
    await overHttp(Number(new URL(service.url).port), randomQuery);
    const subscription = database.prepare(
      `select s.* from subscriptions s join plans p on p.id = s.plan_id
       where s.project_id = ? and s.external_id = ? and p.slug = ?`,
    );
    const project = database.prepare('select * from projects where id = ?');
    const plan = database.prepare(
      "select * from plans where project_id = ? and slug = ? and status <> 'failed'",
    );
    const nothing = database.prepare('select 1');
    const names = ['billing.access.check', 'bare read of the subscription', 'bare reads of all its rows'];
    const queries = () => Array.from({ length: CALLS.inProcess }, randomQuery);
    const results = await compare(
      [
        () =>
          inProcess(queries(), ({ projectId, externalId, slug }) =>
            service.billing.project(projectId).access.check({ external_id: externalId, plan: slug }),
          ),
        () => inProcess(queries(), (one) => subscription([one.projectId, one.externalId, one.slug])),
        () =>
          inProcess(queries(), async (one) => {
            await project([one.projectId]);
            await plan([one.projectId, one.slug]);
            await subscription([one.projectId, one.externalId, one.slug]);
          }),
        () => inProcess(queries(), () => nothing([])),
      ],
      ROUNDS,
      WARM_UP,
    );
    report(names, results.slice(0, 3), TARGETS.inProcess);
    report(['bare read of nothing: a round trip'], results.slice(3), TARGETS.inProcess);
  } finally {
    await service.close();
    await database.close();
  }
  console.log(`Load average at the end: ${load()}.`);
}

async function overHttp(port: number, randomQuery: () => AccessQuery): Promise<void> {
  const bare = await startBareServer(port, randomQuery());
  const client = startClient();
  const round = (serverPort: number) => {
    const requests = Array.from({ length: CALLS.http }, () => requestFor(randomQuery()));
    return client.send({ port: serverPort, connections: CONNECTIONS, requests });
  };
  try {
    const results = await compare([() => round(port), () => round(bare.port)], ROUNDS, WARM_UP);
    report(['GET /v1/access', 'bare node:http, same bytes'], results, TARGETS.http);
  } finally {
    client.close();
    bare.close();
  }
}

/** Prints the first of `results` and its ratio to each of the others. */
function report(names: readonly string[], results: readonly Result[], target: Target): void {
  const [measured] = results;
  for (const [index, { perSecond, p50, p99, cpu }] of results.entries()) {
    const ratio =
      index === 0 || measured === undefined
        ? ''
        : `   ratio ${describeRatio(measured.perSecond / perSecond, target)}, ` +
          `of CPU time ${(cpu / measured.cpu).toFixed(2)}`;
    const [shown50, shown99] = [p50, p99].map((ms) => `${(ms * 1000).toFixed(0).padStart(6)} µs`);
    const rate = perSecond.toFixed(0).padStart(8);
    const cpuTime = `${(cpu * 1000).toFixed(1).padStart(6)} µs of CPU`;
    console.log(
      `${(names[index] ?? '').padEnd(34)}${rate} per second   p50${shown50}   p99${shown99}   ${cpuTime}${ratio}`,
    );
  }
}

function describeRatio(ratio: number, { floor, aim }: Target): string {
  const [floorMet, aimMet] = [floor, aim].map((least) => (ratio >= least ? 'met' : 'not met'));
  return `${ratio.toFixed(2)} (expected ${floor.toFixed(2)}: ${floorMet}; aim ${aim.toFixed(2)}: ${aimMet})`;
}

function load(): string {
  return loadavg()
    .map((average) => average.toFixed(1))
    .join(' ');
}
