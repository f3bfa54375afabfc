import type { RpcTransport } from '@solana/kit';

/** One request to a node, and the node's own answer to it. */
interface NodeCall {
  readonly method: string;
  /** What tells equal requests from others. */
  readonly key: string;
  /** Has the node do it. */
  answer(): Promise<unknown>;
  /** An answer without the node. */
  result(value: unknown): unknown;
  /** An answer that never comes. */
  never(): Promise<never>;
}

/** What a node does with a call instead of answering it. */
export type NodeFault = (call: NodeCall) => Promise<unknown>;

/** A node whose behaviour a test changes. */
export interface FaultyNode {
  readonly transport: RpcTransport;
  /** Null for a node without a fault. */
  fault: NodeFault | null;
}

export function createFaultyNode(node: RpcTransport): FaultyNode {
  const faulty: FaultyNode = {
    fault: null,
    transport: async <Response>(request: Parameters<RpcTransport>[0]): Promise<Response> => {
      const { method, params, id } = request.payload as { method: string; params: unknown; id: unknown };
      const { signal } = request;
      const call: NodeCall = {
        method,
        key: JSON.stringify([method, params], (_, value: unknown) =>
          typeof value === 'bigint' ? `${value}` : value,
        ),
        answer: () => node(request),
        result: (result) => ({ jsonrpc: '2.0', id, result }),
        never: () =>
          new Promise((_, reject) => {
            signal?.addEventListener('abort', () => reject(new Error('The call was given up.')));
          }),
      };
      return (await (faulty.fault?.(call) ?? call.answer())) as Response;
    },
  };
  return faulty;
}

/** It answers nothing. */
export const silent: NodeFault = (call) => call.never();

/** It refuses every connection. */
export const refusing: NodeFault = () => Promise.reject(new TypeError('fetch failed'));

/** It takes what is sent, and its answer is lost. */
export const answersOfSendsLost: NodeFault = async (call) => {
  if (call.method !== 'sendTransaction') return call.answer();
  await call.answer();
  return call.never();
};

/** It goes silent once it took a transaction. */
export function silentAfterSend(): NodeFault {
  let isSilent = false;
  return async (call) => {
    if (isSilent) return call.never();
    isSilent = call.method === 'sendTransaction';
    return call.answer();
  };
}

/** It answers that it took a transaction, and keeps it to itself. What it kept lands with `release`. */
export function keepingSends(): { readonly fault: NodeFault; release(): Promise<void> } {
  const kept: NodeCall[] = [];
  return {
    async fault(call) {
      if (call.method !== 'sendTransaction') return call.answer();
      kept.push(call);
      return call.result('1'.repeat(64));
    },
    async release() {
      await Promise.all(kept.splice(0).map((call) => call.answer().catch(() => undefined)));
    },
  };
}

/** It does and answers every call twice; the second answer is the one that arrives. */
export const doingAllTwice: NodeFault = async (call) => {
  await call.answer();
  return call.answer();
};

/** It gives the answer to the call before, which has another id. */
export function answeringLate(): NodeFault {
  let before: unknown = null;
  return async (call) => {
    const given = before;
    before = await call.answer();
    return given ?? before;
  };
}

/** It lags: what it answered once it answers again, and it knows of no transaction that was sent since. */
export function lagging(): NodeFault {
  const seen = new Map<string, unknown>();
  return async (call) => {
    if (call.method === 'sendTransaction') return call.answer();
    const answer = seen.get(call.key) ?? (await call.answer());
    seen.set(call.key, answer);
    // The id of an answer is the id of its call.
    return call.result((answer as { result: unknown }).result);
  };
}

/** It knows the status of no transaction, and says that it has every block. */
export const denying: NodeFault = async (call) => {
  const answer = (await call.answer()) as { result: { context: unknown; value: readonly unknown[] } };
  if (call.method !== 'getSignatureStatuses') return answer;
  return call.result({ ...answer.result, value: answer.result.value.map(() => null) });
};

/** It has forgotten every transaction: it keeps no block that is older than the latest one. */
export const withoutHistory: NodeFault = async (call) =>
  call.method === 'getFirstAvailableBlock' ? call.result(1_000_000_000n) : denying(call);
