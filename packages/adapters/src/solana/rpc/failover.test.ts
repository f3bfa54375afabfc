import type { RpcTransport } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '@subrail/core/testing';
import type { ChainResult } from '@subrail/core/ports';
import { whole } from './response-fields.js';
import type { RpcCall } from './failover.js';
import { endpointsOf } from './sources.js';
import { callsOver } from '../tests/calls-over.js';
import { chainOn, nodeWith, untimed } from '../tests/chain-on.js';
import { key } from '../tests/charge-view.js';
import {
  type FakeEndpoint,
  FakeRpcError,
  asTimePasses,
  fakeTransport,
  neverResponds,
} from '../tests/fake-rpc.js';

const START = new Date('2026-01-01T00:00:00.000Z');
const TIMEOUTS = { answerMs: 1_000, totalMs: 5_000 };

const slot: RpcCall<bigint> = {
  send: (rpc, signal) => rpc.getSlot().send({ abortSignal: signal }),
  read: (answer) => whole(answer, 'slot'),
};

/** Failover over fake endpoints, with its clock; each call reports how long it took. */
function chainOf(...endpoints: FakeEndpoint[]) {
  const clock = new ManualClock(START);
  const fakes = endpoints.map(fakeTransport);
  const call = callsOver(
    fakes.map(({ transport }) => transport),
    clock,
    TIMEOUTS,
  );
  return {
    clock,
    calls: () => fakes.map(({ methods }) => methods.length),
    call: async (): Promise<{ result: ChainResult<bigint>; took: number }> => {
      const from = clock.now().getTime();
      const result = await asTimePasses(clock, call(slot));
      return { result, took: clock.now().getTime() - from };
    },
  };
}

const works: FakeEndpoint = () => 7n;
const breaks: FakeEndpoint = () => {
  throw new Error('connection reset');
};
const refuses =
  (code: number): FakeEndpoint =>
  () => {
    throw new FakeRpcError(code);
  };
const SEVEN = { ok: true, value: 7n };
const UNAVAILABLE = { ok: false, unavailable: { kind: 'transport' } };

describe('failover between endpoints', () => {
  it('calls only the first endpoint while it responds', async () => {
    const chain = chainOf(works, works);
    expect(await chain.call()).toEqual({ result: SEVEN, took: 0 });
    expect(chain.calls()).toEqual([1, 0]);
  });

  it.each([
    ['is unreachable', breaks],
    ['responds with garbage', () => 'seven'],
    ['responds with a negative slot', () => -1n],
    ['responds with a slot beyond JSON numbers', () => 2n ** 60n],
    ['has an internal error', refuses(-32603)],
    ['does not know the method', refuses(-32601)],
    ['is unhealthy', refuses(-32005)],
    ['is behind', refuses(-32016)],
    ['reports its rate limit as a JSON-RPC error', refuses(429)],
  ])('calls the next endpoint at once when the first %s', async (_, endpoint) => {
    const chain = chainOf(endpoint, works);
    expect(await chain.call()).toEqual({ result: SEVEN, took: 0 });
    expect(chain.calls()).toEqual([1, 1]);
  });

  it('calls the next endpoint when the first misses its deadline, and aborts the first call', async () => {
    let aborted = false;
    const slow: FakeEndpoint = (request) => {
      request.signal?.addEventListener('abort', () => (aborted = true));
      return neverResponds(request);
    };
    const chain = chainOf(slow, works);
    expect(await chain.call()).toEqual({ result: SEVEN, took: TIMEOUTS.answerMs });
    expect(aborted).toBe(true);
  });

  it('gives up within the total time when no endpoint responds', async () => {
    const chain = chainOf(
      neverResponds,
      neverResponds,
      neverResponds,
      neverResponds,
      neverResponds,
      neverResponds,
      neverResponds,
    );
    const { result, took } = await chain.call();
    expect(result).toEqual(UNAVAILABLE);
    expect(took).toBe(TIMEOUTS.totalMs);
    expect(chain.calls()).toEqual([1, 1, 1, 1, 1, 0, 0]);
  });

  it('prefers an error with a number to no response', async () => {
    const { result } = await chainOf(refuses(-32011), breaks).call();
    expect(result).toEqual({ ok: false, unavailable: { kind: 'rpc', code: -32011 } });
  });

  // attempts#retrying-a-silent-node
  it('calls a single endpoint that does not respond until the time of the call is over, with pauses', async () => {
    const chain = chainOf(breaks);
    const { result, took } = await chain.call();
    expect(result).toEqual(UNAVAILABLE);
    expect(took).toBeGreaterThanOrEqual(TIMEOUTS.totalMs - 1_000);
    // After 250, 500 and then every 1,000 milliseconds.
    expect(chain.calls()).toEqual([7]);
  });

  // attempts#retrying-a-silent-node
  it.each([1, 2])(
    'returns the result of the last try that fits in the time of the call (URLs: %s)',
    async (urls) => {
      let tries = 0;
      const silent: FakeEndpoint = (request) => (++tries < 4 ? neverResponds(request) : 7n);
      const chain = chainOf(...Array.from({ length: urls }, () => silent));
      const { result, took } = await chain.call();
      expect(result).toEqual(SEVEN);
      expect(tries).toBe(4);
      expect(took).toBeGreaterThanOrEqual(3 * TIMEOUTS.answerMs);
    },
  );

  // attempts#retrying-a-silent-node
  it('calls endpoints by turns while none responds', async () => {
    const chain = chainOf(breaks, breaks);
    expect((await chain.call()).result).toEqual(UNAVAILABLE);
    expect(chain.calls()).toEqual([7, 7]);
  });

  it('calls a single endpoint that responds with garbage twice, with a pause', async () => {
    const chain = chainOf(() => 'seven');
    expect(await chain.call()).toEqual({ result: UNAVAILABLE, took: 250 });
    expect(chain.calls()).toEqual([2]);
  });

  // attempts#retrying-a-silent-node
  it.each([1, 2])(
    'waits for a node that is behind until the time of the call is over (URLs: %s)',
    async (urls) => {
      let behind = true;
      const lagging: FakeEndpoint = (request) => (behind ? refuses(-32016)(request) : 7n);
      const chain = chainOf(...Array.from({ length: urls }, () => lagging));
      const { result, took } = await chain.call();
      expect(result).toEqual(UNAVAILABLE);
      expect(took).toBeGreaterThanOrEqual(TIMEOUTS.totalMs - 1_000);
      const recovering = chain.call();
      await new Promise((resolve) => setImmediate(resolve));
      chain.clock.advance(TIMEOUTS.totalMs - 1_000);
      behind = false;
      expect(await recovering).toMatchObject({ result: SEVEN });
    },
  );

  it('repeats a call that a single endpoint refuses only once', async () => {
    const chain = chainOf(refuses(-32601));
    const unavailable = { kind: 'rpc', code: -32601 };
    expect(await chain.call()).toEqual({ result: { ok: false, unavailable }, took: 250 });
    expect(chain.calls()).toEqual([2]);
  });

  it('returns the result of the second call to a single endpoint', async () => {
    let calls = 0;
    const chain = chainOf((request) => (++calls === 1 ? breaks(request) : 7n));
    expect(await chain.call()).toEqual({ result: SEVEN, took: 250 });
  });
});

describe('the backoff of an endpoint', () => {
  it('grows with each failure, and ends with a success', async () => {
    let broken = true;
    const chain = chainOf((request) => (broken ? breaks(request) : 7n), works);
    await chain.call();
    await chain.call();
    expect(chain.calls()).toEqual([2, 2]);
    await chain.call();
    expect(chain.calls()).toEqual([2, 3]);
    chain.clock.advance(1_000);
    await chain.call();
    expect(chain.calls()).toEqual([3, 4]);
    chain.clock.advance(3_999);
    await chain.call();
    expect(chain.calls()).toEqual([3, 5]);
    broken = false;
    chain.clock.advance(1);
    await chain.call();
    await chain.call();
    expect(chain.calls()).toEqual([5, 5]);
  });

  it('makes calls fail at once while every endpoint is in backoff', async () => {
    const chain = chainOf(breaks);
    for (let i = 0; i < 4; i++) await chain.call();
    const before = chain.calls();
    expect(await chain.call()).toEqual({ result: UNAVAILABLE, took: 0 });
    expect(chain.calls()).toEqual(before);
  });
});

describe('the time of a backoff and of a delay', () => {
  it('passes although the host’s clock is set back', async () => {
    let elapsed = 0;
    let now = START;
    let broken = true;
    const node = nodeWith({
      getMultipleAccounts: () => {
        if (broken) throw new Error('reset');
        return { context: { slot: 9n }, value: [null] };
      },
    });
    const { clock } = untimed(() => now);
    const { chain } = chainOn(
      {},
      { rpc: node.transport, timeouts: { answerMs: 100, totalMs: 200 }, clock, elapsed: () => elapsed },
    );
    for (let call = 0; call < 4; call++) {
      expect(await chain.readPlan(key(8))).toEqual(UNAVAILABLE);
      elapsed += 10_000;
    }
    broken = false;
    elapsed += 30_000;
    now = new Date(START.getTime() - 3_600_000);
    expect(await chain.readPlan(key(8))).toEqual({ ok: true, value: null });
  });
});

describe('a response that does not belong to the request', () => {
  const respondingWith = (change: (envelope: Record<string, unknown>) => unknown) => {
    const fake = fakeTransport(works);
    const transport: RpcTransport = async <Response>(request: Parameters<RpcTransport>[0]) =>
      change(await fake.transport<Record<string, unknown>>(request)) as Response;
    const clock = new ManualClock(START);
    const call = callsOver([transport, fakeTransport(() => 8n).transport], clock, TIMEOUTS);
    return call(slot);
  };

  it.each([
    ['has another id', (envelope: object) => ({ ...envelope, id: 'x' })],
    ['has no id', (envelope: object) => ({ ...envelope, id: undefined })],
    ['is of another version', (envelope: object) => ({ ...envelope, jsonrpc: '1.0' })],
    ['has neither result nor error', ({ id }: { id?: unknown }) => ({ jsonrpc: '2.0', id })],
    ['has an error without a number', (envelope: object) => ({ ...envelope, error: { message: 'no' } })],
    ['has an error that is text', (envelope: object) => ({ ...envelope, error: 'no' })],
    [
      'has a preflight failure without its result',
      (envelope: object) => ({ ...envelope, error: { code: -32002, message: 'no' } }),
    ],
    ['is a list', (envelope: object) => [envelope]],
    ['is nothing', () => undefined],
    ['is text', () => 'ok'],
  ])('is rejected when it %s', async (_, change) => {
    expect(await respondingWith(change)).toEqual({ ok: true, value: 8n });
  });

  it('is accepted when its id differs only in type', async () => {
    expect(await respondingWith((envelope) => ({ ...envelope, id: Number(envelope['id']) }))).toEqual(SEVEN);
  });
});

it('throws a fault of the caller instead of calling the next endpoint', async () => {
  const call = callsOver(fakeTransport(works).transport, new ManualClock(START), TIMEOUTS);
  const broken: RpcCall<bigint> = {
    ...slot,
    read: () => {
      throw new RangeError('ours');
    },
  };
  await expect(call(broken)).rejects.toThrow('ours');
});

it('throws a TypeError without endpoints', () => {
  expect(() => endpointsOf([])).toThrow(TypeError);
});
