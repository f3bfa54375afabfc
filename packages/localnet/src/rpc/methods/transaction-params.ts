import { decodeBase58 } from '../../runtime/base58.js';
import { decodeTransaction, type Transaction } from '../../runtime/transaction.js';
import { MalformedTransaction } from '../../runtime/wire-reader.js';
import type { Param } from '../params.js';
import { RpcError, invalidParams } from '../rpc-error.js';

const WIRE_ENCODINGS = ['base58', 'base64'] as const;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Reads a transaction in the encoding that the configuration names; Solana's default is base58. */
export function readTransaction(param: Param, config: Param): Transaction {
  const encoding = config.member('encoding').or('base58', (each) => each.oneOf(WIRE_ENCODINGS));
  const text = param.string();
  const wire =
    encoding === 'base58' ? decodeBase58(text) : BASE64.test(text) ? Buffer.from(text, 'base64') : null;
  if (wire === null) throw param.wrong(`a transaction in ${encoding}`);
  return decodeOrInvalidParams(() => decodeTransaction(wire));
}

/** Runs a decoder, and turns its MalformedTransaction into an error response. */
export function decodeOrInvalidParams(decode: () => Transaction): Transaction {
  try {
    return decode();
  } catch (error) {
    if (error instanceof MalformedTransaction) throw invalidParams(error.message);
    throw error;
  }
}

/**
 * Reads `maxSupportedTransactionVersion`, and returns an encoder of a transaction's version. Without the
 * parameter the version is left out, and a version that is not legacy is an RpcError.
 */
export function readMaxVersion(config: Param): (transaction: Transaction) => object {
  const supported = config.member('maxSupportedTransactionVersion').or(null, (param) => param.u64());
  return ({ version }) => {
    if (supported !== null) return { version };
    if (version === 'legacy') return {};
    throw new RpcError(
      'unsupportedTransactionVersion',
      `Transaction version (${version}) is not supported by the requesting client. ` +
        `Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
    );
  };
}
