import { decodeBase58 } from '../../runtime/base58.js';
import { decodeTransaction, type Transaction } from '../../runtime/transaction.js';
import { MalformedTransaction } from '../../runtime/wire-reader.js';
import type { Param } from '../params.js';
import { RpcError, invalidParams } from '../rpc-error.js';

const WIRE_ENCODINGS = ['base58', 'base64'] as const;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Reads a transaction in the encoding its configuration names; Solana's default is base58. */
export function readTransaction(param: Param, config: Param): Transaction {
  const asked = config.member('encoding');
  const encoding = asked.given ? asked.oneOf(WIRE_ENCODINGS) : 'base58';
  const text = param.string();
  const wire =
    encoding === 'base58' ? decodeBase58(text) : BASE64.test(text) ? Buffer.from(text, 'base64') : null;
  if (wire === null) throw param.wrong(`a transaction in ${encoding}`);
  return orInvalid(() => decodeTransaction(wire));
}

/** Runs a decoder and makes its complaint an answer to the caller. */
export function orInvalid(decode: () => Transaction): Transaction {
  try {
    return decode();
  } catch (error) {
    if (error instanceof MalformedTransaction) throw invalidParams(error.message);
    throw error;
  }
}

/**
 * Reads `maxSupportedTransactionVersion`, and gives what shows a transaction's version to a client: nothing to one that
 * never said which it knows, and an error when it does not know the transaction's.
 */
export function readMaxVersion(config: Param): (transaction: Transaction) => object {
  const asked = config.member('maxSupportedTransactionVersion');
  const known = asked.given ? asked.u64() : null;
  return ({ version }) => {
    if (known !== null) return { version };
    if (version === 'legacy') return {};
    throw new RpcError(
      'unsupportedTransactionVersion',
      `Transaction version (${version}) is not supported by the requesting client. ` +
        `Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
    );
  };
}
