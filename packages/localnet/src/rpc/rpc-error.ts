/** The error codes of JSON-RPC 2.0, -32700 to -32600, and those of Solana's nodes, -32016 to -32001. */
export const RPC_CODES = {
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

/** The error for parameters that a method cannot use. */
export function invalidParams(message: string): RpcError {
  return new RpcError('invalidParams', `Invalid params: ${message}`);
}
