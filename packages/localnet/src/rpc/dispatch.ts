import { parseJson, writeJson } from '../json.js';
import type { Localnet } from '../localnet.js';
import { accountMethods } from './methods/accounts.js';
import { blockMethods } from './methods/blocks.js';
import { clusterMethods } from './methods/cluster.js';
import { surfnetMethods } from './methods/surfnet.js';
import { tokenMethods } from './methods/tokens.js';
import { transactionMethods } from './methods/transactions.js';
import { type Methods, Params } from './params.js';
import { RpcError } from './rpc-error.js';

const METHODS: Methods = {
  ...accountMethods,
  ...blockMethods,
  ...clusterMethods,
  ...surfnetMethods,
  ...tokenMethods,
  ...transactionMethods,
};

type Id = string | number | bigint | null;

/** A JSON-RPC 2.0 response to one request. */
export type RpcResponse = { readonly jsonrpc: '2.0'; readonly id: Id } & (
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }
);

/** Calls a method and returns its result. @throws {RpcError} to respond with an error */
export type CallMethod = (method: string, params: Params) => unknown;

/**
 * Calls the chain's JSON-RPC methods for a request or a batch, already parsed from JSON. Errors are
 * responses.
 * @returns a response for each request but not for a notification; null when no response is due
 */
export function dispatch(chain: Localnet, body: unknown): RpcResponse | readonly RpcResponse[] | null {
  return dispatchTo((method, params) => callMethod(chain, method, params), body);
}

/** Does the same with methods other than the chain's own: a WebSocket also has those that subscribe. */
export function dispatchTo(call: CallMethod, body: unknown): RpcResponse | readonly RpcResponse[] | null {
  if (!Array.isArray(body)) return respond(call, body);
  if (body.length === 0)
    return failure(null, new RpcError('invalidRequest', 'Invalid request: an empty batch'));
  const responses = body
    .map((request: unknown) => respond(call, request))
    .filter((response) => response !== null);
  return responses.length === 0 ? null : responses;
}

/** Does the same for the text of a request or batch, and returns text. */
export function dispatchText(call: CallMethod, text: string): string | null {
  let body: unknown;
  try {
    body = parseJson(text);
  } catch {
    return writeJson(failure(null, new RpcError('parseError', 'Parse error')));
  }
  const responses = dispatchTo(call, body);
  return responses === null ? null : writeJson(responses);
}

/** Calls one of the chain's own methods. @throws {RpcError} for an unknown method */
export function callMethod(chain: Localnet, method: string, params: Params): unknown {
  const implementation = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined;
  if (implementation === undefined) throw new RpcError('methodNotFound', `Method not found: ${method}`);
  return implementation(chain, params);
}

function respond(call: CallMethod, request: unknown): RpcResponse | null {
  const { id, method, params } = readRequest(request);
  try {
    if (method === null) throw new RpcError('invalidRequest', 'Invalid request');
    const result = call(method, new Params(params));
    return id === undefined ? null : { jsonrpc: '2.0', id, result };
  } catch (error) {
    return id === undefined && method !== null ? null : failure(id ?? null, error);
  }
}

function readRequest(request: unknown): { id: Id | undefined; method: string | null; params: unknown } {
  if (typeof request !== 'object' || request === null) return { id: null, method: null, params: undefined };
  const { id, jsonrpc, method, params } = request as Readonly<Record<string, unknown>>;
  return {
    id: id === undefined || isId(id) ? id : null,
    method: jsonrpc === '2.0' && typeof method === 'string' && (id === undefined || isId(id)) ? method : null,
    params,
  };
}

function isId(id: unknown): id is Id {
  return id === null || ['string', 'number', 'bigint'].includes(typeof id);
}

function failure(id: Id, error: unknown): RpcResponse {
  if (!(error instanceof RpcError)) {
    const message = error instanceof Error ? error.message : String(error);
    return failure(id, new RpcError('internalError', `Internal error: ${message}`));
  }
  const { code, message, data } = error;
  return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } };
}
