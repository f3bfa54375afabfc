import type { RpcTransport } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '@subrail/core/testing';
import type { Answer } from '@subrail/core/ports';
import { whole } from '../rpc/response-fields.js';
import { type Question, createFailover } from '../rpc/failover.js';
import { endpointsOf } from '../rpc/sources.js';
import { type FakeEndpoint, FakeRpcError, asTimePasses, fakeTransport, unavailable } from './fake-rpc.js';

const START = new Date('2026-01-01T00:00:00.000Z');
const TIMEOUTS = { answerMs: 1_000, totalMs: 5_000 };

const slot: Question<bigint> = {
  put: (rpc, signal) => rpc.getSlot().send({ abortSignal: signal }),
  read: (answer) => whole(answer, 'slot'),
};

/** Endpoints asked in order, the clock they live by, and how long each question took. */
function chainOf(...endpoints: FakeEndpoint[]) {
  const clock = new ManualClock(START);
  const fakes = endpoints.map(fakeTransport);
  const ask = createFailover(endpointsOf(fakes.map(({ transport }) => transport)), clock, TIMEOUTS);
  return {
    clock,
    calls: () => fakes.map(({ asked }) => asked.length),
    ask: async (): Promise<{ answer: Answer<bigint>; took: number }> => {
      const from = clock.now().getTime();
      const answer = await asTimePasses(clock, ask(slot));
      return { answer, took: clock.now().getTime() - from };
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
const SILENT = { ok: false, unavailable: { kind: 'transport' } };

describe('asking several endpoints', () => {
  it('asks only the first while it answers', async () => {
    const chain = chainOf(works, works);
    expect(await chain.ask()).toEqual({ answer: SEVEN, took: 0 });
    expect(chain.calls()).toEqual([1, 0]);
  });

  it.each([
    ['is unreachable', breaks],
    ['answers with garbage', () => 'seven'],
    ['answers with a negative slot', () => -1n],
    ['answers with a slot no JSON number holds', () => 2n ** 60n],
    ['has an internal error', refuses(-32603)],
    ['does not know the method', refuses(-32601)],
    ['is unhealthy', refuses(-32005)],
    ['is behind', refuses(-32016)],
    ['limits the rate inside its envelope', refuses(429)],
  ])('asks the next one at once when the first %s', async (_, endpoint) => {
    const chain = chainOf(endpoint, works);
    expect(await chain.ask()).toEqual({ answer: SEVEN, took: 0 });
    expect(chain.calls()).toEqual([1, 1]);
  });

  it('asks the next one when the first is slow, and tells the first that nobody waits', async () => {
    let aborted = false;
    const slow: FakeEndpoint = (request) => {
      request.signal?.addEventListener('abort', () => (aborted = true));
      return unavailable(request);
    };
    const chain = chainOf(slow, works);
    expect(await chain.ask()).toEqual({ answer: SEVEN, took: TIMEOUTS.answerMs });
    expect(aborted).toBe(true);
  });

  it('gives up when all are silent, within the time it was given', async () => {
    const chain = chainOf(
      unavailable,
      unavailable,
      unavailable,
      unavailable,
      unavailable,
      unavailable,
      unavailable,
    );
    const { answer, took } = await chain.ask();
    expect(answer).toEqual(SILENT);
    expect(took).toBe(TIMEOUTS.totalMs);
    expect(chain.calls()).toEqual([1, 1, 1, 1, 1, 0, 0]);
  });

  it('tells the number of an error rather than nothing', async () => {
    const { answer } = await chainOf(refuses(-32011), breaks).ask();
    expect(answer).toEqual({ ok: false, unavailable: { kind: 'rpc', code: -32011 } });
  });

  it('asks a single endpoint twice, with a pause, and no more', async () => {
    const chain = chainOf(breaks);
    expect(await chain.ask()).toEqual({ answer: SILENT, took: 250 });
    expect(chain.calls()).toEqual([2]);
  });

  it('takes a second chance', async () => {
    let calls = 0;
    const chain = chainOf((request) => (++calls === 1 ? breaks(request) : 7n));
    expect(await chain.ask()).toEqual({ answer: SEVEN, took: 250 });
  });
});

describe('an endpoint that fails again and again', () => {
  it('is left alone for longer and longer, and asked again after', async () => {
    let broken = true;
    const chain = chainOf((request) => (broken ? breaks(request) : 7n), works);
    await chain.ask();
    await chain.ask();
    expect(chain.calls()).toEqual([2, 2]);
    await chain.ask();
    expect(chain.calls()).toEqual([2, 3]);
    chain.clock.advance(1_000);
    await chain.ask();
    expect(chain.calls()).toEqual([3, 4]);
    chain.clock.advance(3_999);
    await chain.ask();
    expect(chain.calls()).toEqual([3, 5]);
    broken = false;
    chain.clock.advance(1);
    await chain.ask();
    await chain.ask();
    expect(chain.calls()).toEqual([5, 5]);
  });

  it('does not make every question wait: with all at rest the answer is silence at once', async () => {
    const chain = chainOf(breaks);
    for (let i = 0; i < 4; i++) await chain.ask();
    const before = chain.calls();
    expect(await chain.ask()).toEqual({ answer: SILENT, took: 0 });
    expect(chain.calls()).toEqual(before);
  });
});

describe('an answer that is not to the question', () => {
  const answering = (change: (envelope: Record<string, unknown>) => unknown) => {
    const fake = fakeTransport(works);
    const transport: RpcTransport = async <Response>(request: Parameters<RpcTransport>[0]) =>
      change(await fake.transport<Record<string, unknown>>(request)) as Response;
    const clock = new ManualClock(START);
    const ask = createFailover(endpointsOf([transport, fakeTransport(() => 8n).transport]), clock, TIMEOUTS);
    return ask(slot);
  };

  it.each([
    ['has another id', (envelope: object) => ({ ...envelope, id: 'x' })],
    ['has no id', (envelope: object) => ({ ...envelope, id: undefined })],
    ['is of another version', (envelope: object) => ({ ...envelope, jsonrpc: '1.0' })],
    ['has neither result nor error', ({ id }: { id?: unknown }) => ({ jsonrpc: '2.0', id })],
    ['has an error without a number', (envelope: object) => ({ ...envelope, error: { message: 'no' } })],
    ['has an error that is text', (envelope: object) => ({ ...envelope, error: 'no' })],
    [
      'has a failed trial without its result',
      (envelope: object) => ({ ...envelope, error: { code: -32002, message: 'no' } }),
    ],
    ['is a list', (envelope: object) => [envelope]],
    ['is nothing', () => undefined],
    ['is text', () => 'ok'],
  ])('is passed over when it %s', async (_, change) => {
    expect(await answering(change)).toEqual({ ok: true, value: 8n });
  });

  it('counts as an answer when only the form of its id differs', async () => {
    expect(await answering((envelope) => ({ ...envelope, id: Number(envelope['id']) }))).toEqual(SEVEN);
  });
});

it('a mistake of ours is never taken for an answer of theirs', async () => {
  const ask = createFailover(endpointsOf(fakeTransport(works).transport), new ManualClock(START), TIMEOUTS);
  const broken: Question<bigint> = {
    ...slot,
    read: () => {
      throw new RangeError('ours');
    },
  };
  await expect(ask(broken)).rejects.toThrow('ours');
});

it('there is no chain without an endpoint', () => {
  expect(() => endpointsOf([])).toThrow(TypeError);
});
