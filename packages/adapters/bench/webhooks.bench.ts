import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { cpuUsage, memoryUsage } from 'node:process';
import { createInterface } from 'node:readline';
import { createBilling, type Billing } from '@subrail/core';
import type { Chain, HttpSender, Project, FullStore } from '@subrail/core/ports';
import {
  aCommit,
  aDelivery,
  anEvent,
  aPlan,
  aProject,
  aSubscription,
  OK,
  partialPort,
} from '@subrail/core/testing';
import { createClock } from '../src/web/index.js';
import { createHttpSender } from '../src/node/index.js';
import { createMemoryStore } from '../src/memory/index.js';
import { createCrypto } from '../src/node/index.js';
import { createWebRandom } from '../src/web/index.js';
import { load, openSqlite, startPostgresServer, type OpenStore } from './charge/filled-store.js';

// Measures the webhooks a second of the worker to a receiver on this machine, from the claim to the stored
// result, as a ratio to a bare loop of signed posts over open connections. Then, how long a live endpoint
// waits beside endpoints that hang, and how much memory a backlog takes. No figure fails the run.
//
// `npm run bench webhooks [deliveries]`: by default 10,000 deliveries, backlogs of as many and of ten times
// as many, and a tenth as many endpoints that hang.

const AIM = 0.25;
const DELAY_AIM_MS = 1_000;
const ENDPOINTS = 8;
const IN_FLIGHT = 8 * ENDPOINTS;
const BODY = JSON.stringify({ text: 'x'.repeat(1_200) });

const count = Number(process.argv[2] ?? 10_000);
if (!Number.isInteger(count) || count < 10 * ENDPOINTS)
  throw new RangeError(`The number of deliveries must be ${10 * ENDPOINTS} or more.`);
const BACKLOGS = [count, 10 * count];
const HANGING = Math.floor(count / 10);
const WARM_UP = Math.min(2_000, count);
const LIVE_DELIVERIES = Math.min(60, HANGING);
console.log(`${count} deliveries to ${ENDPOINTS} endpoints. Load average: ${load()}.`);

// First, because the memory of what runs before would count.
for (const pending of BACKLOGS) await backlog(pending);
const memory = async (): Promise<OpenStore> => ({ store: createMemoryStore(), close: async () => undefined });
const receiver = await startReceiver();
await barePosts(WARM_UP);
const server = await startPostgresServer();
try {
  const bare = await timed(count, () => barePosts(count));
  print('bare signed posts', bare);
  for (const [name, open] of [
    ['memory', memory],
    ['SQLite', openSqlite],
    ['PostgreSQL', server.open],
  ] as const) {
    await delivered(open, WARM_UP);
    const rate = await delivered(open, count);
    print(`deliveries, ${name}`, rate, `ratio ${(rate.perSecond / bare.perSecond).toFixed(2)}, aim ${AIM}`);
  }
} finally {
  receiver.stop();
  await server.remove();
}

const delays = await delaysBesideHanging();
console.log(
  `a live endpoint beside ${HANGING} that hang: ${delays.length} deliveries, median ${median(delays).toFixed(0)} ms, longest ${Math.max(...delays).toFixed(0)} ms, aim under ${DELAY_AIM_MS}`,
);
console.log(`Load average at the end: ${load()}.`);

interface Rate {
  readonly perSecond: number;
  /** Microseconds of CPU time of this process for each. */
  readonly cpu: number;
}

async function timed(done: number, work: () => Promise<unknown>): Promise<Rate> {
  const before = cpuUsage();
  const started = performance.now();
  await work();
  const seconds = (performance.now() - started) / 1_000;
  const { user, system } = cpuUsage(before);
  return { perSecond: done / seconds, cpu: (user + system) / done };
}

/** Starts another process that accepts every webhook. */
async function startReceiver() {
  const source = `require('node:http').createServer((request, response) => {
    request.resume();
    request.on('end', () => response.end());
  }).listen(0, '127.0.0.1', function () { console.log(this.address().port); });`;
  const child = spawn(process.execPath, ['-e', source], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { url: `http://127.0.0.1:${port}/`, stop: () => child.kill() };
}

/** Signs and posts in a loop, as many at once as the worker may. */
async function barePosts(posts: number): Promise<void> {
  const crypto = createCrypto(new Uint8Array(32));
  const key = new Uint8Array(24).fill(7);
  const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT });
  let left = posts;
  const loop = async () => {
    while (left-- > 0) {
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const mac = await crypto.mac(key, new TextEncoder().encode(`dlv_${left}.${timestamp}.${BODY}`));
      const sent = request(receiver.url, {
        agent,
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'webhook-id': `dlv_${left}`,
          'webhook-timestamp': timestamp,
          'webhook-signature': `v1,${Buffer.from(mac).toString('base64')}`,
        },
      });
      sent.end(BODY);
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      response.resume();
      await once(response, 'end');
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, loop));
  agent.destroy();
}

interface World {
  readonly store: FullStore;
  readonly billing: Billing;
  readonly project: Project;
  readonly planId: ReturnType<typeof aPlan>['id'];
}

async function openWorld(store: FullStore, sender: HttpSender): Promise<World> {
  const billing = createBilling({
    store,
    clock: createClock(),
    // Deliveries do not use the chain.
    chain: partialPort<Chain>({ network: 'devnet' }),
    random: createWebRandom(),
    crypto: createCrypto(new Uint8Array(32)),
    sender,
    settings: { privateTargets: true },
  });
  const project = aProject();
  const plan = aPlan({ projectId: project.id });
  await store.insertProject(project);
  await store.insertPlan(plan);
  return { store, billing, project, planId: plan.id };
}

/** Stores events of new subscriptions, each with a delivery to one of the endpoints in turn. */
async function happens(
  { store, project, planId }: World,
  endpoints: readonly string[],
  events: number,
): Promise<void> {
  const now = new Date();
  for (let made = 0; made < events; made += 500) {
    const commits = Array.from({ length: Math.min(500, events - made) }, (_, place) => {
      const subscription = aSubscription({ projectId: project.id, planId, lastSequence: 1 });
      const event = anEvent({
        projectId: project.id,
        subscriptionId: subscription.id,
        createdAt: now,
        data: { id: subscription.id, text: BODY },
      });
      const delivery = aDelivery({
        projectId: project.id,
        eventId: event.id,
        endpointId: (endpoints[(made + place) % endpoints.length] ?? '') as never,
        createdAt: now,
        nextAttemptAt: now,
      });
      return aCommit(subscription, { events: [event], deliveries: [delivery] });
    });
    await store.commit(commits);
  }
}

async function endpointsOf({ billing, project }: World, urls: readonly string[]): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const url of urls)
    ids.push(
      (await billing.project(project.id).endpoints.create({ url, types: ['subscription.created'] })).id,
    );
  return ids;
}

async function delivered(open: () => Promise<OpenStore>, deliveries: number): Promise<Rate> {
  const { store, close } = await open();
  const world = await openWorld(store, createHttpSender({ allowPrivate: true }));
  const urls = Array.from({ length: ENDPOINTS }, (_, place) => `${receiver.url}${place}`);
  await happens(world, await endpointsOf(world, urls), deliveries);
  const rate = await timed(deliveries, async () => {
    const pass = await world.billing.worker.deliver();
    if (pass.delivered !== deliveries) throw new Error(`Of ${deliveries} only ${pass.delivered} arrived.`);
  });
  await close();
  return rate;
}

/** How many milliseconds each delivery to a live endpoint took, from its commit until it was posted. */
async function delaysBesideHanging(): Promise<readonly number[]> {
  const postedAt = new Map<string, number>();
  const sender: HttpSender = {
    async post({ url, body, timeoutMs }) {
      if (url.includes('live')) {
        postedAt.set((JSON.parse(body) as { id: string }).id, performance.now());
        return OK;
      }
      await new Promise((resolve) => setTimeout(resolve, timeoutMs));
      return { kind: 'timed_out' };
    },
  };
  const world = await openWorld(createMemoryStore(), sender);
  // A project may have 16 endpoints at most, so each of these gets another project.
  const hanging: string[] = [];
  for (let made = 0; made < HANGING; made += 1) {
    const other = { ...world, project: aProject() };
    await world.store.insertProject(other.project);
    hanging.push(...(await endpointsOf(other, ['http://hang.example.com/'])));
  }
  const [live = ''] = await endpointsOf(world, ['http://live.example.com/']);
  await happens(world, hanging, 10 * HANGING);
  const stop = new AbortController();
  const delivering = passesEverySecond(world.billing, stop.signal);
  const delays: number[] = [];
  for (let sent = 0; sent < LIVE_DELIVERIES; sent += 1) {
    const startedAt = performance.now();
    await happens(world, [live], 1);
    while (postedAt.size <= sent) await new Promise((resolve) => setTimeout(resolve, 5));
    delays.push(Math.max(...postedAt.values()) - startedAt);
    await new Promise((resolve) => setTimeout(resolve, 137));
  }
  stop.abort();
  await delivering;
  return delays;
}

/** Runs the delivery pass as a host does: each second, unless the last one still runs. */
async function passesEverySecond({ worker }: Billing, signal: AbortSignal): Promise<void> {
  const pass = worker.passes().find(({ name }) => name === 'deliveries');
  while (!signal.aborted) {
    await pass?.run(signal);
    await new Promise((resolve) => setTimeout(resolve, 1_000 - (Date.now() % 1_000)));
  }
}

/** Prints how much memory a pass over a large backlog takes, on SQLite with a sender that answers at once. */
async function backlog(pending: number): Promise<void> {
  const { store, close } = await openSqlite();
  const world = await openWorld(store, { post: async () => OK });
  const urls = Array.from({ length: ENDPOINTS }, (_, place) => `http://endpoint-${place}.example.com/`);
  await happens(world, await endpointsOf(world, urls), pending);
  const before = memoryUsage.rss();
  let peak = before;
  const watching = setInterval(() => (peak = Math.max(peak, memoryUsage.rss())), 20);
  let sent = 0;
  // A pass ends after a while; what is left is sent by the next one.
  while (sent < pending) sent += (await world.billing.worker.deliver()).delivered;
  clearInterval(watching);
  const mib = (bytes: number) => (bytes / 2 ** 20).toFixed(0);
  console.log(
    `${pending} pending: the process holds ${mib(before)} MiB before, and ${mib(peak)} MiB at its peak`,
  );
  await close();
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

function print(name: string, { perSecond, cpu }: Rate, note = ''): void {
  console.log(
    `${name.padEnd(24)} ${perSecond.toFixed(0).padStart(6)} a second, ${cpu.toFixed(0).padStart(5)} µs of CPU each  ${note}`,
  );
}
