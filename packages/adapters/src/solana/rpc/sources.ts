import {
  type Rpc,
  type RpcTransport,
  type SolanaRpcApi,
  createDefaultRpcTransport,
  createSolanaRpcFromTransport,
} from '@solana/kit';
import { MalformedResponse } from './response-fields.js';

/** Where the chain is asked: a URL, or a kit transport. */
export type RpcSource = string | RpcTransport;

/** One node, or one provider's many. */
export interface Endpoint {
  readonly rpc: Rpc<SolanaRpcApi>;
  /** How many times in a row it failed. */
  failures: number;
  /** Until when it is left alone, in milliseconds of the clock: it asked for that, or it failed too often. */
  closedUntil: number;
}

/** Throws a TypeError when there is no source. */
export function endpointsOf(sources: RpcSource | readonly RpcSource[]): readonly Endpoint[] {
  const all = typeof sources === 'string' || typeof sources === 'function' ? [sources] : sources;
  if (all.length === 0) throw new TypeError('Give at least one RPC URL or transport.');
  return all.map((source) => ({
    rpc: createSolanaRpcFromTransport(checked(typeof source === 'string' ? overHttp(source) : source)),
    failures: 0,
    closedUntil: 0,
  }));
}

/**
 * Kit's transport lets equal requests of one instant share one response, whose id is that of the first alone. A transport
 * made for each request shares nothing; connections are kept by `fetch`, not by it.
 */
function overHttp(url: string): RpcTransport {
  return (request) => createDefaultRpcTransport({ url })(request);
}

/** Lets through only answers that are JSON-RPC 2.0 and meant for the question. */
function checked(transport: RpcTransport): RpcTransport {
  return async <Response>(request: Parameters<RpcTransport>[0]): Promise<Response> => {
    const response: unknown = await transport<unknown>(request);
    if (!answers(response, request.payload)) throw new MalformedResponse('JSON-RPC envelope');
    return response as Response;
  };
}

function answers(response: unknown, payload: unknown): boolean {
  if (!isObject(response) || response['jsonrpc'] !== '2.0') return false;
  if (!isObject(payload) || String(response['id']) !== String(payload['id'])) return false;
  if (!('error' in response)) return 'result' in response;
  const { error } = response;
  if (!isObject(error) || typeof error['message'] !== 'string') return false;
  if (typeof error['code'] !== 'number' && typeof error['code'] !== 'bigint') return false;
  // Kit reads the simulation's result from a preflight failure and takes its presence for granted.
  return Number(error['code']) !== PREFLIGHT_FAILURE || isObject(error['data']);
}

const PREFLIGHT_FAILURE = -32002;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
