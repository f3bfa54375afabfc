import type { RpcTransport } from '@solana/kit';

/** One JSON-RPC request as an endpoint sees it. */
export interface FakeRequest {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly signal: AbortSignal | undefined;
}

/**
 * Returns the `result` of a request. A thrown FakeRpcError becomes a JSON-RPC error; any other error cuts the
 * connection.
 */
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

/** A kit transport within the process, and the methods that were called on it. */
export function fakeTransport(endpoint: FakeEndpoint): { transport: RpcTransport; methods: string[] } {
  const methods: string[] = [];
  const transport: RpcTransport = async <Response>({ payload, signal }: Parameters<RpcTransport>[0]) => {
    const { id, method, params } = payload as { id: string; method: string; params: unknown[] };
    methods.push(method);
    const envelope = { jsonrpc: '2.0', id };
    try {
      return { ...envelope, result: await endpoint({ method, params: asSent(params), signal }) } as Response;
    } catch (thrown) {
      if (!(thrown instanceof FakeRpcError)) throw thrown;
      const { code, data } = thrown;
      return { ...envelope, error: { code, message: 'no', data } } as Response;
    }
  };
  return { transport, methods };
}

/** Params as they are in JSON: from version 8 on kit leaves it to the transport to write a bigint. */
function asSent(params: readonly unknown[]): readonly unknown[] {
  const written = JSON.stringify(params, (_, value: unknown) =>
    typeof value === 'bigint' ? Number(value) : value,
  );
  return JSON.parse(written) as readonly unknown[];
}

/** Never responds; rejects when the request is aborted. */
export function neverResponds({ signal }: FakeRequest): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(new Error('aborted')));
  });
}

/** Awaits a promise, and advances the clock whenever everything sleeps. */
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
