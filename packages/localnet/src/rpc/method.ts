import type { Localnet } from '../localnet.js';
import type { Params } from './params.js';

/** One JSON-RPC method: reads its parameters, asks the chain, gives what goes into `result`. @throws {RpcError} */
export type Method = (chain: Localnet, params: Params) => unknown;

export type Methods = Readonly<Record<string, Method>>;
