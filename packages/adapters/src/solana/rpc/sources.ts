import {
  type Rpc,
  type RpcTransport,
  type SolanaRpcApi,
  createDefaultRpcTransport,
  createSolanaRpcFromTransport,
} from '@solana/kit';
import type { Telemetry } from '@subrail/core/ports';
import { MalformedResponse } from './response-fields.js';

/** A JSON-RPC endpoint of Solana: a URL, or a transport of @solana/kit. */
export type RpcSource = string | RpcTransport;

/** A node, or a provider with several nodes behind it. */
export interface Endpoint {
  readonly rpc: Rpc<SolanaRpcApi>;
  /** The number of calls in a row that failed on it. */
  failures: number;
  /** The numbers of requests to it, and of those without a result. */
  readonly counted: { calls: number; failures: number };
  /** The end of its `Retry-After` or backoff, in milliseconds of a clock that is never set. */
  closedUntil: number;
}

/** The measured endpoints of the sources, in their order. Throws a TypeError for none. */
export function endpointsOf(
  sources: RpcSource | readonly RpcSource[],
  telemetry?: Telemetry,
): readonly Endpoint[] {
  const all = typeof sources === 'string' || typeof sources === 'function' ? [sources] : sources;
  if (all.length === 0)
    throw new TypeError('No RPC endpoint was given. Give at least one URL or transport in `rpc`.');
  return all.map((source, index) => ({
    rpc: createSolanaRpcFromTransport(transportOf(source, index, telemetry)),
    failures: 0,
    counted: { calls: 0, failures: 0 },
    closedUntil: -Infinity,
  }));
}

function transportOf(source: RpcSource, index: number, telemetry: Telemetry | undefined): RpcTransport {
  const transport = checked(typeof source === 'string' ? overHttp(source) : source);
  if (telemetry === undefined) return transport;
  const labels = {
    server: String(index + 1),
    url: typeof source === 'string' ? new URL(source).origin : 'in_process',
  };
  return measured(transport, labels, telemetry);
}

/** Makes each request a span, without the path and query of the address, where providers put keys. */
function measured(
  transport: RpcTransport,
  labels: Readonly<Record<string, string>>,
  telemetry: Telemetry,
): RpcTransport {
  return <Response>(request: Parameters<RpcTransport>[0]): Promise<Response> =>
    telemetry.span({ kind: 'rpc', name: methodOf(request.payload), labels }, async (end) => {
      try {
        const response = await transport<Response>(request);
        // A refused transaction is an answer with an error too, so that an error is no failure of the server.
        if (isObject(response) && 'error' in response) end({ outcome: 'error', failed: false });
        return response;
      } catch (error) {
        end({ outcome: 'unanswered', failed: true });
        throw error;
      }
    });
}

function methodOf(payload: unknown): string {
  const method = isObject(payload) ? payload['method'] : undefined;
  return typeof method === 'string' ? method : 'other';
}

/**
 * Makes a kit transport for each request: one would join equal requests of an instant, with the id of the
 * first. Connections are shared by `fetch`.
 */
function overHttp(url: string): RpcTransport {
  return (request) => createDefaultRpcTransport({ url })(request);
}

/** Lets through only JSON-RPC 2.0 responses with the id of the request. */
function checked(transport: RpcTransport): RpcTransport {
  return async <Response>(request: Parameters<RpcTransport>[0]): Promise<Response> => {
    const response: unknown = await transport<unknown>(request);
    if (!isResponseTo(response, request.payload)) throw new MalformedResponse('JSON-RPC envelope');
    return response as Response;
  };
}

function isResponseTo(response: unknown, payload: unknown): boolean {
  if (!isObject(response) || response['jsonrpc'] !== '2.0') return false;
  if (!isObject(payload) || String(response['id']) !== String(payload['id'])) return false;
  if (!('error' in response)) return 'result' in response;
  const { error } = response;
  if (!isObject(error) || typeof error['message'] !== 'string') return false;
  if (typeof error['code'] !== 'number' && typeof error['code'] !== 'bigint') return false;
  // Kit reads the result of the simulation from a preflight failure without checking that it is there.
  return Number(error['code']) !== PREFLIGHT_FAILURE || isObject(error['data']);
}

/** The JSON-RPC error code of a failed preflight. */
const PREFLIGHT_FAILURE = -32002;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
