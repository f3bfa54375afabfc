import type { Localnet } from '../localnet.js';
import type { Params } from './params.js';

/** A JSON-RPC method: reads its parameters and returns its `result`. @throws {RpcError} to respond with an error */
type Method = (chain: Localnet, params: Params) => unknown;

/** Methods by name. */
export type Methods = Readonly<Record<string, Method>>;
