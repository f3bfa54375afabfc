import { describe, expect, it } from 'vitest';

import { serviceFixture } from '../../http/tests/fixtures.js';
import type { ChainResult, ChargerView, ServerState, ServerStates } from '../../ports/index.js';
import type { Endpoint } from '../../records/index.js';
import { anEndpoint } from '../../testing/records.js';
import { MINUTE } from '../../testing/units-of-time.js';

const SILENT = { ok: false, unavailable: { kind: 'transport' } } as const;

const having = (charges: bigint): ChainResult<ChargerView> => ({
  ok: true,
  value: { balance: charges * 5_000n, chargeFee: 5_000n, charges },
});
const server = (more: Partial<ServerState> = {}): ServerState => ({
  ...{ condition: 'ok', aheadSeconds: null, calls: 9, failures: 0 },
  ...more,
});

function fixture() {
  const state = {
    charger: having(5_000n),
    reads: 0,
    servers: { servers: [server(), server()], hostClockAheadSeconds: null } as ServerStates,
    endpoints: [] as readonly Endpoint[],
  };
  const { billing, clock } = serviceFixture({
    store: {
      listEndpointsAfter: async () => ({ endpoints: state.endpoints, unreadable: [], next: null }),
    },
    chain: {
      async readCharger() {
        state.reads += 1;
        return state.charger;
      },
      servers: () => state.servers,
    },
  });
  const open = () => billing.service.alerts.open().map(({ key }) => key);
  return { state, clock, open, watch: () => billing.worker.watch(), metrics: () => billing.metrics() };
}

// alerts#charger, alerts#watch
describe('the charger', () => {
  it('is read every five minutes, and half a minute after it could not be', async () => {
    const { state, clock, watch } = fixture();
    for (let second = 0; second < 300; second += 1) {
      await watch();
      clock.advance(1_000);
    }
    expect(state.reads).toBe(1);
    state.charger = SILENT;
    await watch();
    clock.advance(29_999);
    await watch();
    expect(state.reads).toBe(2);
    clock.advance(1);
    await watch();
    expect(state.reads).toBe(3);
  });

  // clocks#step-of-the-machines-clock
  it('is read again when the clock is set back, and then every five minutes', async () => {
    const { state, watch, clock } = fixture();
    await watch();
    const shown = clock.now.bind(clock);
    clock.now = () => new Date(shown().getTime() - 60 * MINUTE);
    await watch();
    expect(state.reads).toBe(2);
    clock.advance(5 * MINUTE - 1);
    await watch();
    expect(state.reads).toBe(2);
  });

  it('is read at the first pass, and while it is empty every half minute, so that funding it ends the alert', async () => {
    const { state, clock, open, watch } = fixture();
    state.charger = having(0n);
    await watch();
    expect(open()).toEqual(['charger_empty']);
    state.charger = having(5_000n);
    clock.advance(29_999);
    await watch();
    expect(open()).toEqual(['charger_empty']);
    clock.advance(1);
    await watch();
    expect(open()).toEqual([]);
  });

  it.each<[bigint, readonly string[]]>([
    [1_000n, []],
    [999n, ['charger_low']],
    [1n, ['charger_low']],
    [0n, ['charger_empty']],
  ])('that pays for %s charges is reported so', async (charges, alerts) => {
    const { state, watch, open } = fixture();
    state.charger = having(charges);
    await watch();
    expect(open()).toEqual(alerts);
  });

  it('that runs low and then empty is both, and neither once it is filled', async () => {
    const { state, clock, watch, open } = fixture();
    for (const [charges, alerts] of [
      [10n, ['charger_low']],
      [0n, ['charger_low', 'charger_empty']],
      [10n, ['charger_low']],
      [2_000n, []],
    ] as const) {
      state.charger = having(charges);
      await watch();
      expect(open()).toEqual(alerts);
      clock.advance(5 * MINUTE);
    }
  });

  it('stands in the metrics as it was read last', async () => {
    const { state, clock, watch, metrics } = fixture();
    expect((await metrics()).charger).toBe(null);
    const readAt = clock.now();
    await watch();
    state.charger = SILENT;
    clock.advance(5 * MINUTE);
    await watch();
    expect((await metrics()).charger).toEqual({
      ...{ balance: 25_000_000n, chargeFee: 5_000n, charges: 5_000n },
      readAt,
    });
  });
});

// alerts#watch
describe('the sealing key', () => {
  it('is checked at the first pass and then every hour, so that one is noticed that became wrong', async () => {
    const { state, clock, watch, open } = fixture();
    await watch();
    // Another host sealed it, with a key that this one does not have.
    const secret = { sealed: 'sealed elsewhere', createdAt: clock.now(), expiresAt: null };
    const endpoint = anEndpoint({ secrets: [secret] });
    state.endpoints = [endpoint];
    clock.advance(60 * MINUTE - 1);
    await watch();
    expect(open()).toEqual([`endpoint_cannot_sign:${endpoint.id}`]);
    clock.advance(1);
    await watch();
    expect(open()).toEqual([`endpoint_cannot_sign:${endpoint.id}`, 'sealing_key_wrong']);
  });
});

// alerts#rpc-servers
describe('the servers of the chain', () => {
  it('are an alert when none answers for half a minute, and no more when one does', async () => {
    const { state, clock, watch, open } = fixture();
    state.charger = SILENT;
    await watch();
    expect(open()).toEqual([]);
    clock.advance(30_000);
    await watch();
    expect(open()).toEqual(['chain_unavailable']);
    state.charger = having(1_000n);
    clock.advance(30_000);
    await watch();
    expect(open()).toEqual([]);
  });

  it('are an alert when one fails for a minute, or has a wrong clock', async () => {
    const { state, clock, watch, open } = fixture();
    state.servers = {
      servers: [server({ condition: 'failing' }), server({ condition: 'wrong_clock', aheadSeconds: 300 })],
      hostClockAheadSeconds: null,
    };
    await watch();
    expect(open()).toEqual(['server_clock:2']);
    clock.advance(MINUTE);
    await watch();
    expect([...open()].sort()).toEqual(['server_clock:2', 'server_failing:1']);
    state.servers = { servers: [server(), server()], hostClockAheadSeconds: null };
    await watch();
    expect(open()).toEqual([]);
  });

  // billing-periods#node-with-a-wrong-clock
  it('name the clock of this machine when all of them differ from it by the same for a minute', async () => {
    const { state, clock, watch, open } = fixture();
    state.servers = { servers: [server()], hostClockAheadSeconds: -600 };
    await watch();
    clock.advance(MINUTE - 1);
    await watch();
    expect(open()).toEqual([]);
    clock.advance(1);
    await watch();
    expect(open()).toEqual(['host_clock']);
  });
});
