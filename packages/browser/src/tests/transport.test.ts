import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ProblemError } from '../problem.js';
import { servicePlace, transportOf } from '../transport.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

type Scripted = 'silent' | 'lost' | Response;

/** A transport over a script of answers, with the times at which it called. */
function scripted(...script: Scripted[]) {
  const calledAt: number[] = [];
  const stopping = new AbortController();
  const began = Date.now();
  const fetch = (_: unknown, init?: RequestInit) => {
    calledAt.push(Date.now() - began);
    const next = script.shift() ?? 'silent';
    if (next === 'lost') return Promise.reject(new TypeError('fetch failed'));
    if (next !== 'silent') return Promise.resolve(next);
    return new Promise<Response>((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(new DOMException('ended', 'AbortError')));
    });
  };
  const transport = transportOf(servicePlace('https://pay.test', 'chs_1', fetch), stopping.signal);
  return { transport, calledAt, stopping };
}

const refused = (code: string, retryable: boolean, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify({ code, retryable, message: ['One.', 'Two.'] }), { status: 409, headers });
const busy = () => refused('unavailable', true, { 'Retry-After': '1' });
const fine = () => new Response('{"id":"chk_1"}');

/** Moves time until a call is over, and returns its answer or what it threw. */
async function settled(call: Promise<unknown>): Promise<unknown> {
  const outcome = call.catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(1_000_000);
  return outcome;
}

describe('a call', () => {
  it('is made again, at longer and longer pauses, when no answer came', async () => {
    const { transport, calledAt } = scripted('lost', 'lost', 'lost', fine());
    expect(await settled(transport.session())).toEqual({ id: 'chk_1' });
    expect(calledAt).toEqual([0, 500, 1_500, 3_500]);
  });

  it('is given up after four tries', async () => {
    const { transport, calledAt } = scripted('lost', 'lost', 'lost', 'lost', fine());
    expect(await settled(transport.session())).toMatchObject({ code: 'no_answer' });
    expect(calledAt).toHaveLength(4);
  });

  it('waits 30 seconds, and 100 for what waits for the chain', async () => {
    const short = scripted('silent', fine());
    await settled(short.transport.create('pro', 'wallet', null, null));
    expect(short.calledAt).toEqual([0, 30_500]);
    const long = scripted('silent', fine());
    const input = { transaction: 'a', terms_signature: 'b', terms_signed_message: 'c' };
    await settled(long.transport.submit('sub_1', input));
    expect(long.calledAt).toEqual([0, 100_500]);
    const confirm = scripted('silent', fine());
    await settled(confirm.transport.confirm('sub_1', 'cancel', 'signature'));
    expect(confirm.calledAt).toEqual([0, 100_500]);
  });

  it('waits at least as long as Retry-After says, longer where it fails again, and leaves a long wait to the person', async () => {
    const { transport, calledAt } = scripted(refused('pull_running', true, { 'Retry-After': '10' }), fine());
    await settled(transport.retry('sub_1'));
    expect(calledAt).toEqual([0, 10_000]);
    const often = scripted(...Array.from({ length: 3 }, busy), fine());
    await settled(often.transport.session());
    expect(often.calledAt).toEqual([0, 1_000, 2_000, 4_000]);
    const long = scripted(refused('rate_limited', true, { 'Retry-After': '60' }), fine());
    expect(await settled(long.transport.session())).toMatchObject({
      code: 'rate_limited',
      facts: { retryAfter: 60 },
    });
    expect(long.calledAt).toEqual([0]);
  });

  it('is not repeated when it would be refused again, and tells a code that is newer than the page', async () => {
    const { transport, calledAt } = scripted(refused('code_of_next_year', false));
    const error = await settled(transport.session());
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({ code: 'unknown_code', facts: { detail: 'One. Two.' } });
    expect(calledAt).toEqual([0]);
  });

  it('fails at the service, and not at the connection, whatever the body of a 5xx is', async () => {
    const empty = () => new Response(null, { status: 500 });
    const { transport, calledAt } = scripted(empty(), empty(), empty(), empty());
    expect(await settled(transport.session())).toMatchObject({ code: 'internal_error' });
    expect(calledAt).toHaveLength(4);
  });

  it('has no answer in the page of a proxy', async () => {
    const { transport } = scripted(new Response('<html>', { status: 502 }), new Response('null'), fine());
    expect(await settled(transport.session())).toEqual({ id: 'chk_1' });
  });

  it('ends at once when the machine is destroyed', async () => {
    const { transport, calledAt, stopping } = scripted('silent', fine());
    const call = transport.session().catch((error: unknown) => error);
    stopping.abort();
    expect(await call).toMatchObject({ code: 'no_answer' });
    expect(calledAt).toEqual([0]);
  });
});
