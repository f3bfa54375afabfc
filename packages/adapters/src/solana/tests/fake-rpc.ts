import type { RpcTransport } from '@solana/kit';

/** One JSON-RPC request as an endpoint sees it. */
export interface FakeRequest {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly signal: AbortSignal | undefined;
}

/** Answers a request with its `result`, or with an error by throwing `rpcError(...)` or anything else. */
export type FakeEndpoint = (request: FakeRequest) => unknown;

/** An error inside the JSON-RPC envelope. */
export class FakeRpcError extends Error {
  constructor(
    readonly code: number,
    readonly data?: unknown,
  ) {
    super(`JSON-RPC error ${code}`);
  }
}

/** A kit transport that never leaves the process. It notes every method asked of it. */
export function fakeTransport(endpoint: FakeEndpoint): { transport: RpcTransport; asked: string[] } {
  const asked: string[] = [];
  const transport: RpcTransport = async <Response>({ payload, signal }: Parameters<RpcTransport>[0]) => {
    const { id, method, params } = payload as { id: string; method: string; params: unknown[] };
    asked.push(method);
    const envelope = { jsonrpc: '2.0', id };
    try {
      return { ...envelope, result: await endpoint({ method, params, signal }) } as Response;
    } catch (thrown) {
      if (!(thrown instanceof FakeRpcError)) throw thrown;
      const { code, data } = thrown;
      return { ...envelope, error: { code, message: 'no', data } } as Response;
    }
  };
  return { transport, asked };
}

/** Never answers, until it is told that nobody waits any more. */
export function unavailable({ signal }: FakeRequest): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(new Error('aborted')));
  });
}

/** A promise's value, time passing whenever everything waits for it. */
export async function asTimePasses<T>(
  clock: { readonly sleeping: boolean; advance(ms: number): void },
  promise: Promise<T>,
): Promise<T> {
  const state = { settled: false };
  const settle = () => {
    state.settled = true;
  };
  promise.then(settle, settle);
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve));
    if (state.settled) return promise;
    if (clock.sleeping) clock.advance(10);
  }
}
