import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpuUsage } from 'node:process';
import { fileURLToPath } from 'node:url';
import { aCommit, aTransfer, anAttempt, anEvent } from '@subrail/core/testing';
import { emptyDatabase, type PostgresServer } from '@subrail/test-postgres';
import pg from 'pg';
import { openPostgresStore } from '../src/postgres/index.js';
import { startBenchServer } from './charge/bench-server.js';
import { fill, load } from './charge/filled-store.js';
import type { HostOptions, HostWork } from './charge/host.js';

// Measures how many charges a second one, two and four hosts make on one PostgreSQL database, each host in a process of its own, from
// the claim until every charge is settled, on a chain that answers at once. The ratio compares them with the bare write of a settled
// charge by one process, one after the other, in the same run. With more hosts than processors, the CPU time of the hosts for a charge
// and the part of the time that connections wait for locks say more than the rate. No ratio fails the run.
//
// `npm run bench charge-hosts [due] [hosts ...]` takes 10,000 due subscriptions, and 1, 2 and 4 hosts, by default. PostgreSQL is a server
// of the tests on this machine, with `fsync` on.

/** By then every transfer is looked up. */
const SETTLED_AFTER_MS = 10_000;
const SAMPLE_EVERY_MS = 50;
const LEASE_MS = 60_000;

const [due = 10_000, ...given] = process.argv.slice(2).map(Number);
const counts = given.length === 0 ? [1, 2, 4] : given;
if ([due, ...counts].some((count) => !Number.isInteger(count) || count < 1))
  throw new RangeError('The number of due subscriptions and of hosts must be whole numbers from 1 on.');
/** No more than are charged, so that a small run is short. */
const BARE_WRITES = Math.min(2_000, due);
console.log(`${due} due. Load average: ${load()}.`);
const server = await startBenchServer();
try {
  const bare = await bareWrites(server);
  print('bare writes, one process', bare.perSecond, bare.cpu);
  for (const count of counts) {
    const { perSecond, cpu, waiting } = await charged(server, count);
    const note = `ratio ${(perSecond / bare.perSecond).toFixed(2)}, ${waiting.toFixed(2)} connections wait for a lock`;
    print(`charges, ${count} ${count === 1 ? 'host' : 'hosts'}`, perSecond, cpu, note);
  }
} finally {
  await server.remove();
}
console.log(`Load average at the end: ${load()}.`);

/** Charges all that is due by some hosts at the same time, and settles every charge. */
async function charged(server: PostgresServer, count: number) {
  const database = await emptyDatabase(server.url);
  const { url } = database;
  const now = await prepare(url, due);
  const hosts = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      startHost({ url, now: now.getTime(), firstSignature: index * 2 * due }),
    ),
  );
  const locks = await sampleLocks(url);
  const started = performance.now();
  const sent = await Promise.all(hosts.map((host) => ask(host, 0)));
  const settled = await Promise.all(hosts.map((host) => ask(host, SETTLED_AFTER_MS)));
  const seconds = (performance.now() - started) / 1_000;
  const waiting = await locks.stop();
  const ended = hosts.map((host) => once(host, 'exit'));
  for (const host of hosts) host.disconnect();
  await Promise.all(ended);
  await database.drop();
  const [sentCount, settledCount] = [sum(sent, 'sent'), sum(settled, 'claimed')];
  if (sentCount !== due || settledCount !== due || sum(settled, 'sent') !== 0)
    throw new Error(`Of ${due} due charges ${sentCount} were sent and ${settledCount} looked up.`);
  return { perSecond: due / seconds, cpu: sum([...sent, ...settled], 'cpu') / due, waiting };
}

/** Fills a database with due subscriptions, and returns the instant at which they are due. */
async function prepare(url: string, count: number): Promise<Date> {
  const { store, close } = await openPostgresStore({ url });
  try {
    await fill(store, count);
    return (await store.nextWakeAt()) ?? new Date(0);
  } finally {
    await close();
  }
}

async function startHost(options: HostOptions): Promise<ChildProcess> {
  const host = fork(fileURLToPath(new URL('./charge/host.js', import.meta.url)), [JSON.stringify(options)], {
    execArgv: ['--import', import.meta.resolve('tsx')],
  });
  await messageOf(host);
  return host;
}

async function ask(host: ChildProcess, afterMs: number): Promise<HostWork> {
  const answer = messageOf(host);
  host.send(afterMs);
  return (await answer) as HostWork;
}

/** The next message of a host. Throws when the host ends before it sends one. */
async function messageOf(host: ChildProcess): Promise<unknown> {
  const asked = new AbortController();
  const { signal } = asked;
  const message = once(host, 'message', { signal }).then(([sent]) => sent as unknown);
  const ended = once(host, 'exit', { signal }).then(([code]) => {
    throw new Error(`A host exited with code ${code}; its error is printed above.`);
  });
  // The one that is not awaited ends with the abort.
  for (const either of [message, ended]) either.catch(() => undefined);
  try {
    return await Promise.race([message, ended]);
  } finally {
    asked.abort();
  }
}

/** Counts again and again how many connections wait for a lock. `stop` returns their average number. */
async function sampleLocks(url: string): Promise<{ stop(): Promise<number> }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const samples: number[] = [];
  let running = true;
  const sample = async () => {
    while (running) {
      const { rows } = await client.query<{ waiting: string }>(
        `select count(*) as waiting from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      );
      samples.push(Number(rows[0]?.waiting));
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_EVERY_MS));
    }
  };
  const sampled = sample();
  return {
    async stop() {
      running = false;
      await sampled;
      await client.end();
      return samples.reduce((total, count) => total + count, 0) / samples.length;
    },
  };
}

/** Writes what the settlement of a charge writes, one subscription after the other. */
async function bareWrites(server: PostgresServer) {
  const database = await emptyDatabase(server.url);
  const { url } = database;
  const now = await prepare(url, BARE_WRITES);
  const { store, close } = await openPostgresStore({ url });
  const { claimed } = await store.claimDue(now, BARE_WRITES, LEASE_MS);
  const [before, started] = [cpuUsage(), performance.now()];
  for (const { subscription } of claimed) {
    const of = { subscriptionId: subscription.id };
    const next = { version: subscription.version + 1, lastSequence: 1, paidCount: 2 };
    await store.commit([
      aCommit(
        { ...subscription, ...next, paidPeriodStart: subscription.paidPeriodEnd },
        {
          transfers: [aTransfer({ ...of, state: 'landed' })],
          attempts: [anAttempt({ ...of })],
          events: [anEvent({ ...of, projectId: subscription.projectId })],
        },
      ),
    ]);
  }
  const seconds = (performance.now() - started) / 1_000;
  const { user, system } = cpuUsage(before);
  await close();
  await database.drop();
  return { perSecond: claimed.length / seconds, cpu: (user + system) / claimed.length };
}

function sum<Key extends string>(rows: readonly Readonly<Record<Key, number>>[], key: Key): number {
  return rows.reduce((total, row) => total + row[key], 0);
}

function print(name: string, perSecond: number, cpu: number, note = ''): void {
  console.log(
    `  ${name.padEnd(28)} ${perSecond.toFixed(0).padStart(6)} a second, ${cpu.toFixed(0).padStart(5)} µs of CPU each  ${note}`,
  );
}
