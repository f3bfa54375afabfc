import { describe, expect, it } from 'vitest';

import type { Network } from '../../contract/enums.js';
import type { AlertKind, ChainHead, ChainResult, ServerStates } from '../../ports/index.js';
import type { Endpoint } from '../../records/index.js';
import { ALERT_KINDS } from '../../service/alert-kinds.js';
import { anEndpoint } from '../../testing/records.js';
import { createHandler, type HandlerOptions } from '../handler.js';
import { openApiDocument } from '../openapi.js';
import { KEY, NOW, callerOf, serviceFixture } from './fixtures.js';

const SERVERS: ServerStates = {
  servers: [{ condition: 'ok', aheadSeconds: null, calls: 1, failures: 0 }],
  hostClockAheadSeconds: null,
};
const FUNDED = { balance: 1_000_000_000n, chargeFee: 5_000n, charges: 2_000n };
const SERVED = { servers: ['ok'], host_clock: 'ok' };

const COUNTED = { wakes: 3, charges: 2, deliveries: 1, oldestDeliveryAt: null, oldestHeldEventAt: null };
const BACKLOG = {
  ...{ wakes: 3, charges: 2, deliveries: 1, charges_overdue_seconds: 0, deliveries_overdue_seconds: 0 },
  ...{ oldest_delivery_seconds: 0, oldest_held_event_seconds: 0 },
};
const NO_TIME = { slot: null, time: null, lag_seconds: null };

const HEAD: ChainResult<ChainHead> = { ok: true, value: { slot: 7n, blockHeight: 6n, time: NOW } };

/** The behaviour of the store and the chain of a test. */
interface Behaviour {
  readonly store?: () => Promise<Date | null>;
  readonly head?: () => Promise<ChainResult<ChainHead>>;
  readonly endpoints?: readonly Endpoint[];
  readonly network?: Network;
  readonly servers?: () => ServerStates;
  readonly charges?: bigint;
}

function mounted(
  {
    store = async () => null,
    head = async () => HEAD,
    endpoints = [],
    network = 'devnet',
    servers = () => SERVERS,
    charges = 2_000n,
  }: Behaviour = {},
  options: HandlerOptions = {},
) {
  const { billing, clock } = serviceFixture({
    store: {
      claimPlanChecks: async () => ({ claimed: [], unreadable: [] }),
      nextWakeAt: store,
      nextDeliveryAt: async () => null,
      countBacklog: async () => COUNTED,
      listProjects: async () => [],
      listAccessEnds: async () => ({ ended: [], unreadable: [] }),
      claimDue: async () => ({ claimed: [], unreadable: [] }),
      claimEndpoints: async () => ({ claimed: [], unreadable: [] }),
      listEndpointsAfter: async () => ({ endpoints, unreadable: [], next: null }),
    },
    chain: {
      charger: 'charger',
      head,
      servers,
      readCharger: async () => ({ ok: true, value: { ...FUNDED, charges } }),
      readGenesis: async () => ({ ok: true, value: { hash: 'genesis', network } }),
    },
  });
  return { billing, clock, call: callerOf(createHandler(billing, options)) };
}

/** An alert as `/health` tells it, with what to do. */
const alert = (kind: AlertKind, severity: 'warning' | 'error', count: number) => ({
  ...{ kind, severity, since: NOW.toISOString(), count, what: ALERT_KINDS[kind].begins },
});

describe('/health', () => {
  it('reports the state of store, chain and worker without a key', async () => {
    const { billing, call } = mounted({}, { health: { version: '1.2.3' } });
    await billing.worker.charge();
    const { status, body } = await call('/health', { key: null });
    expect([status, body]).toEqual([
      200,
      {
        status: 'ok',
        version: '1.2.3',
        store: 'ok',
        chain: { state: 'ok', slot: '7', time: NOW.toISOString(), lag_seconds: 0, ...SERVED },
        charger: 'unknown',
        charger_account: { address: 'charger', balance_lamports: null, charges: null, read_at: null },
        sealing_key: 'unused',
        worker: {
          access: { state: 'ok', last_ok_at: NOW.toISOString() },
          plans: { state: 'ok', last_ok_at: NOW.toISOString() },
          charges: { state: 'ok', last_ok_at: NOW.toISOString() },
          deliveries: { state: 'starting', last_ok_at: null },
          watch: { state: 'starting', last_ok_at: null },
          snapshots: { state: 'starting', last_ok_at: null },
          retention: { state: 'starting', last_ok_at: null },
        },
        backlog: BACKLOG,
        alerts: [],
      },
    ]);
  });

  it('reports a pass as late when its last success was more than a minute ago', async () => {
    const { billing, clock, call } = mounted();
    await billing.worker.charge();
    clock.advance(60_000);
    expect((await call('/health')).body['worker']).toMatchObject({ charges: { state: 'ok' } });
    clock.advance(1);
    expect((await call('/health')).body['worker']).toMatchObject({ charges: { state: 'late' } });
  });

  it.each<[string, () => Promise<ChainResult<ChainHead>>]>([
    ['does not answer', async () => ({ ok: false, unavailable: { kind: 'transport' } })],
    ['has an adapter that rejects', () => Promise.reject(new Error('a bug of the adapter'))],
    [
      'has an adapter that throws',
      () => {
        throw new Error('a bug of the adapter');
      },
    ],
  ])('answers 200 and reports the chain as unavailable when it %s', async (_, head) => {
    const { call } = mounted({ head });
    const { status, body } = await call('/health');
    expect([status, body['chain']]).toEqual([200, { state: 'unavailable', ...NO_TIME, ...SERVED }]);
  });

  it('does not wait for a chain that was unavailable, and reports it once it answers', async () => {
    let answer = (): void => undefined;
    const heads: Promise<ChainResult<ChainHead>>[] = [
      Promise.resolve({ ok: false, unavailable: { kind: 'transport' } }),
      new Promise((resolve) => (answer = () => resolve(HEAD))),
    ];
    const { call, clock } = mounted({ head: () => heads.shift() ?? Promise.resolve(HEAD) });
    const state = async () => ((await call('/health')).body['chain'] as { state: string }).state;
    expect(await state()).toBe('unavailable');
    clock.advance(1_000);
    // The second read is still on its way.
    expect(await state()).toBe('unavailable');
    answer();
    await new Promise((resolve) => setImmediate(resolve));
    expect(await state()).toBe('ok');
  });

  it('waits less than a second for a chain that hangs, and has its state of the last minute', async () => {
    const heads = [Promise.resolve(HEAD)];
    const { call, clock } = mounted({ head: () => heads.shift() ?? new Promise(() => {}) });
    const state = async (waitedMs: number) => {
      const answer = call('/health');
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(waitedMs);
      return ((await answer).body['chain'] as { state: string }).state;
    };
    expect(await state(0)).toBe('ok');
    clock.advance(1_000);
    expect(await state(999)).toBe('ok');
    clock.advance(60_000);
    expect(await state(999)).toBe('unavailable');
  });

  it('answers 200 and reports a chain of another network than the settings name', async () => {
    const { call } = mounted({ network: 'mainnet-beta' });
    const { status, body } = await call('/health');
    expect([status, body['chain']]).toEqual([200, { state: 'wrong', ...NO_TIME, ...SERVED }]);
  });

  it('answers 200 and reports a sealing key that opens no stored secret', async () => {
    const sealed = { sealed: 'sealed with another key', createdAt: NOW, expiresAt: null };
    const { call } = mounted({ endpoints: [anEndpoint({ secrets: [sealed] })] });
    const { status, body } = await call('/health');
    expect([status, body['status'], body['sealing_key']]).toEqual([200, 'ok', 'wrong']);
  });

  // billing-periods#node-with-a-wrong-clock, alerts#health
  it('answers 200 and reports servers that are late or fail, and the clock of this machine', async () => {
    const [server] = SERVERS.servers;
    if (server === undefined) throw new Error('There is no server.');
    const { call } = mounted({
      servers: () => ({
        servers: [
          { ...server, condition: 'wrong_clock', aheadSeconds: 300 },
          { ...server, condition: 'failing' },
        ],
        hostClockAheadSeconds: 300,
      }),
    });
    const { status, body } = await call('/health');
    expect([status, body['chain']]).toMatchObject([
      200,
      { servers: ['wrong_clock', 'failing'], host_clock: 'suspect' },
    ]);
  });

  // alerts#health
  it.each([
    [0n, 'empty', [alert('charger_empty', 'error', 1)]],
    [5n, 'low', [alert('charger_low', 'warning', 1)]],
    [2_000n, 'ok', []],
  ])('answers 200 and reports a charger that pays for %s charges', async (charges, charger, alerts) => {
    const { billing, call } = mounted({ charges });
    await billing.worker.watch();
    const { status, body } = await call('/health');
    expect([status, body['charger'], body['alerts']]).toEqual([200, charger, alerts]);
    expect(body['charger_account']).toEqual({
      ...{ address: 'charger', balance_lamports: '1000000000', charges: charges.toString() },
      read_at: NOW.toISOString(),
    });
  });

  // alerts#health
  it('counts the alerts of a kind, and names no plan', async () => {
    const { billing, clock, call } = mounted();
    const { alerts } = billing.service;
    alerts.seen({ kind: 'plan_without_charger', subject: 'pln_1', facts: { plan: 'pln_1' } });
    clock.advance(1_000);
    alerts.seen({ kind: 'plan_without_charger', subject: 'pln_2', facts: { plan: 'pln_2' } });
    const { text } = await call('/health');
    expect((JSON.parse(text) as Record<string, unknown>)['alerts']).toEqual([
      alert('plan_without_charger', 'warning', 2),
    ]);
    expect(text).not.toContain('pln_');
  });

  // alerts#health
  it('reports how far the time of the chain is behind', async () => {
    const { call, clock } = mounted();
    clock.advance(4_500);
    expect((await call('/health')).body['chain']).toMatchObject({ lag_seconds: 4.5 });
  });

  // alerts#health
  it('counts what waits every ten seconds, and shows none while the store fails', async () => {
    let counts = 0;
    let fails = false;
    const { billing, clock } = serviceFixture({
      store: {
        claimPlanChecks: async () => ({ claimed: [], unreadable: [] }),
        nextWakeAt: async () => new Date(NOW.getTime() - 60_000),
        nextDeliveryAt: async () => new Date(NOW.getTime() - 30_000),
        countBacklog: async () => {
          counts += 1;
          if (fails) throw new Error('disk');
          return { ...COUNTED, oldestDeliveryAt: new Date(NOW.getTime() - 90_000) };
        },
        listEndpointsAfter: async () => ({ endpoints: [], unreadable: [], next: null }),
      },
      chain: { head: async () => HEAD, servers: () => SERVERS },
    });
    const call = callerOf(createHandler(billing));
    const backlog = async () => (await call('/health')).body['backlog'];
    expect(await backlog()).toEqual({
      ...BACKLOG,
      ...{ charges_overdue_seconds: 60, deliveries_overdue_seconds: 30, oldest_delivery_seconds: 90 },
    });
    clock.advance(9_999);
    await backlog();
    expect(counts).toBe(1);
    fails = true;
    clock.advance(1);
    expect([await backlog(), counts]).toEqual([null, 2]);
  });

  it('answers 503 when the store is unavailable', async () => {
    const { call } = mounted({ store: () => Promise.reject(new Error('disk')) });
    const { status, body } = await call('/health');
    expect([status, body['status'], body['store']]).toEqual([503, 'unavailable', 'unavailable']);
  });

  it('answers 503 when the server is stopping, so that no new request is sent to it', async () => {
    const { call } = mounted({}, { health: { stopping: () => true } });
    const { status, body } = await call('/health');
    expect([status, body['status']]).toEqual([503, 'stopping']);
  });

  it('asks the chain at most once a second', async () => {
    let calls = 0;
    const { billing, clock } = serviceFixture({
      store: {
        claimPlanChecks: async () => ({ claimed: [], unreadable: [] }),
        nextWakeAt: async () => null,
        listEndpointsAfter: async () => ({ endpoints: [], unreadable: [], next: null }),
      },
      chain: {
        head: async () => {
          calls += 1;
          return HEAD;
        },
      },
    });
    const call = callerOf(createHandler(billing));
    await Promise.all([call('/health'), call('/health')]);
    clock.advance(999);
    await call('/health');
    expect(calls).toBe(1);
    clock.advance(1);
    await call('/health');
    expect(calls).toBe(2);
  });
});

// alerts#live-and-ready
describe('/health/live and /health/ready', () => {
  const ready = async (behaviour: Behaviour = {}, options: HandlerOptions = {}) => {
    const { status, body } = await mounted(behaviour, options).call('/health/ready', { key: null });
    return [status, body];
  };
  const OK = { status: 'ok', store: 'ok', chain: 'ok', sealing_key: 'unused' };
  const UNREADY = { ...OK, status: 'unavailable' };

  it('answer 200 without a key when everything works', async () => {
    expect(await ready()).toEqual([200, OK]);
    const live = await mounted({}, { health: { version: '1.2.3' } }).call('/health/live', { key: null });
    expect([live.status, live.body]).toEqual([200, { status: 'ok', version: '1.2.3' }]);
  });

  it('says that a server is not ready whose store, chain or sealing key cannot be used, or that stops', async () => {
    const fails = () => Promise.reject(new Error('disk'));
    expect(await ready({ store: fails })).toEqual([503, { ...UNREADY, store: 'unavailable' }]);
    expect(await ready({ network: 'mainnet-beta' })).toEqual([503, { ...UNREADY, chain: 'wrong' }]);
    const head = async () => ({ ok: false, unavailable: { kind: 'transport' } }) as const;
    expect(await ready({ head })).toEqual([503, { ...UNREADY, chain: 'unavailable' }]);
    const sealed = { sealed: 'sealed with another key', createdAt: NOW, expiresAt: null };
    const endpoints = [anEndpoint({ secrets: [sealed] })];
    expect(await ready({ endpoints })).toEqual([503, { ...UNREADY, sealing_key: 'wrong' }]);
    const health = { stopping: () => true };
    expect(await ready({}, { health })).toEqual([503, { ...OK, status: 'stopping' }]);
  });

  it('says that a server lives whatever fails, and asks nothing for it', async () => {
    const fails = () => Promise.reject(new Error('asked'));
    const { call } = mounted({ store: fails, head: fails }, { health: { stopping: () => true } });
    expect((await call('/health/live', { key: null })).status).toBe(200);
  });
});

describe('/openapi.json', () => {
  it('is the document, without a key', async () => {
    const { status, text } = await mounted().call('/openapi.json', { key: null });
    expect([status, JSON.parse(text)]).toEqual([200, openApiDocument()]);
  });
});

describe('the paths besides /v1', () => {
  it.each(['/health', '/health/live', '/health/ready', '/openapi.json'])(
    '%s is served under the base path, by GET and HEAD only',
    async (path) => {
      const { call } = mounted({}, { basePath: '/billing' });
      expect((await call(`/billing${path}`)).status).toBe(200);
      const head = await call(`/billing${path}`, { method: 'HEAD' });
      expect([head.status, head.text]).toEqual([200, '']);
      expect((await call(`/billing${path}`, { method: 'POST', key: KEY })).status).toBe(404);
      expect((await call(path, { key: KEY })).status).toBe(404);
      expect((await call(`/billing${path}/`, { key: KEY })).status).toBe(404);
    },
  );
});
