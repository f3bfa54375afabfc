import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { emptyDatabase, startPostgres } from '@subrail/test-postgres';
import { startBareServer } from './access/bare-server.js';
import { startClient, type Client } from './access/client.js';
import { compare, type Result } from './access/compare.js';
import { postgresBench, sqliteBench, type BenchDatabase } from './access/database.js';
import { fill, type AccessQuery } from './access/fill.js';
import type { HostOptions } from './access/host.js';
import { pickFrom, requestFor } from './access/requests.js';

// Measures how many access checks a second one, two and four hosts answer on one database, each host in a process of its own, on SQLite
// and on PostgreSQL. The ratio compares them with one bare node:http server that sends the same bytes and takes turns with them. The
// CPU time is that of the hosts, without the client's and the database server's. With more processes than processors it says more than
// the rate. No ratio fails the run.
//
// `npm run bench access-hosts [subscriptions] [hosts ...]` takes 20,000 subscriptions, and 1, 2 and 4 hosts, by default. PostgreSQL is a
// server of the tests on this machine.

const ROUNDS = 7;
const WARM_UP = 1;
/** Rounds that each host answers alone in the beginning, because each process compiles its own code. */
const ALONE = 3;
/** To all hosts together. */
const CONNECTIONS = 16;

const [subscriptions = 20_000, ...given] = process.argv.slice(2).map(Number);
const counts = given.length === 0 ? [1, 2, 4] : given;
if (!Number.isInteger(subscriptions) || subscriptions < 1_000)
  throw new RangeError('The number of subscriptions must be a whole number of at least 1,000.');
if (counts.some((count) => !Number.isInteger(count) || count < 1 || count > CONNECTIONS))
  throw new RangeError(`The numbers of hosts must be whole numbers from 1 to ${CONNECTIONS}.`);
const CALLS = Math.min(3_000, subscriptions);

const folder = mkdtempSync(join(tmpdir(), 'subrail-bench-'));
const server = await startPostgres('18');
const client = startClient({ awake: false });
try {
  console.log(`${subscriptions} subscriptions. Load average: ${load()}.`);
  await measure('SQLite', sqliteBench(join(folder, 'subrail.db')), {
    SUBRAIL_DATABASE: join(folder, 'subrail.db'),
  });
  const postgres = await emptyDatabase(server.url);
  await measure('PostgreSQL', await postgresBench(postgres.url), { SUBRAIL_DATABASE: postgres.url });
  await postgres.drop();
  console.log(`Load average at the end: ${load()}.`);
} finally {
  client.close();
  await server.remove();
  rmSync(folder, { recursive: true, force: true });
}

/** Fills a database, and measures each number of hosts on it. */
async function measure(
  name: string,
  database: BenchDatabase,
  settings: HostOptions['settings'],
): Promise<void> {
  const randomQuery = pickFrom(await fill(database, subscriptions));
  await database.close();
  for (const count of counts) {
    const hosts = await Promise.all(
      Array.from({ length: count }, () => startHost({ dataDir: folder, settings })),
    );
    const [measured, bare] = await compareHosts(hosts, randomQuery);
    const ended = hosts.map(({ process }) => once(process, 'exit'));
    for (const { process } of hosts) process.disconnect();
    await Promise.all(ended);
    print(`${name}, ${count} ${count === 1 ? 'host' : 'hosts'}`, measured.result, measured.cpu, bare);
  }
}

/** The hosts' rate and CPU time for a call, in microseconds, and what the bare server does. */
async function compareHosts(hosts: readonly Host[], randomQuery: () => AccessQuery) {
  const ports = hosts.map(({ port }) => port);
  const bare = await startBareServer(ports[0] ?? 0, randomQuery());
  const cpu: number[] = [];
  try {
    for (const port of ports)
      for (let alone = 0; alone < ALONE; alone++) await round(client, [port], randomQuery);
    const [result, bareResult] = await compare(
      [
        async () => {
          const before = await cpuOf(hosts);
          const times = await round(client, ports, randomQuery);
          cpu.push(((await cpuOf(hosts)) - before) / CALLS);
          return times;
        },
        () => round(client, [bare.port], randomQuery),
      ],
      ROUNDS,
      WARM_UP,
    );
    if (result === undefined || bareResult === undefined) throw new Error('A contender has no result.');
    return [{ result, cpu: median(cpu.slice(WARM_UP)) }, bareResult] as const;
  } finally {
    bare.close();
  }
}

function round(client: Client, ports: readonly number[], randomQuery: () => AccessQuery) {
  const requests = Array.from({ length: CALLS }, () => requestFor(randomQuery()));
  return client.send({ ports, connections: Math.floor(CONNECTIONS / ports.length), requests });
}

interface Host {
  readonly process: ChildProcess;
  readonly port: number;
}

async function startHost(options: HostOptions): Promise<Host> {
  const host = fork(fileURLToPath(new URL('./access/host.js', import.meta.url)), [JSON.stringify(options)], {
    execArgv: ['--import', import.meta.resolve('tsx')],
  });
  return { process: host, port: await numberFrom(host) };
}

/** The CPU time that the hosts took so far, in microseconds. */
async function cpuOf(hosts: readonly Host[]): Promise<number> {
  const each = await Promise.all(
    hosts.map(({ process }) => {
      const answer = numberFrom(process);
      process.send('cpu');
      return answer;
    }),
  );
  return each.reduce((total, cpu) => total + cpu, 0);
}

/** The next message of a host. Throws when the host ends before it sends one. */
function numberFrom(host: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => {
      reject(new Error(`A host exited with code ${code}; its error is printed above.`));
    };
    host.once('exit', onExit);
    host.once('message', (sent) => {
      host.off('exit', onExit);
      resolve(Number(sent));
    });
  });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function print(name: string, { perSecond, p50, p99 }: Result, cpu: number, bare: Result): void {
  const [shown50, shown99] = [p50, p99].map((ms) => `${(ms * 1_000).toFixed(0).padStart(6)} µs`);
  console.log(
    `  ${name.padEnd(20)} ${perSecond.toFixed(0).padStart(6)} a second   p50${shown50}   p99${shown99}   ` +
      `${cpu.toFixed(0).padStart(4)} µs of CPU   ratio ${(perSecond / bare.perSecond).toFixed(2)}, ` +
      `of CPU time ${((bare.cpu * 1_000) / cpu).toFixed(2)} (bare ${bare.perSecond.toFixed(0)} a second, ` +
      `${(bare.cpu * 1_000).toFixed(0)} µs)`,
  );
}

function load(): string {
  return loadavg()
    .map((average) => average.toFixed(1))
    .join(' ');
}
