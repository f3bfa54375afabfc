/** The error codes of JSON-RPC 2.0, -32700 to -32600, and those of Solana's nodes, -32016 to -32001. */
const RPC_CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  blockCleanedUp: -32001,
  preflightFailure: -32002,
  signatureVerificationFailure: -32003,
  blockNotAvailable: -32004,
  unsupportedTransactionVersion: -32015,
  minContextSlotNotReached: -32016,
} as const;

export type RpcErrorName = keyof typeof RPC_CODES;

/** A method throws it to respond with an error. */
export class RpcError extends Error {
  readonly code: number;

  constructor(
    name: RpcErrorName,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
    this.name = 'RpcError';
    this.code = RPC_CODES[name];
  }
}

/** The error for parameters of a wrong shape. */
export function invalidParams(message: string): RpcError {
  return new RpcError('invalidParams', `Invalid params: ${message}`);
}

/** The error for a useless value of the right shape. Clients compare these sentences of a node. */
export function invalidParam(message: string): RpcError {
  return new RpcError('invalidParams', `Invalid param: ${message}`);
}

/** Turns the chain's RangeError into an error response. */
export function rangeErrorAsInvalidParams<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof RangeError) throw invalidParams(error.message);
    throw error;
  }
}

/** The error for a limit that a method does not allow. */
export function invalidLimit(most: bigint): RpcError {
  return new RpcError('invalidParams', `Invalid limit; max ${most}`);
}
