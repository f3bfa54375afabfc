import {
  type Base64EncodedWireTransaction,
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  type Transaction,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  isTransactionWithinSizeLimit,
} from '@solana/kit';

/** The base64 length of 4,096 bytes, the largest transaction of any version. */
const MAX_WIRE_LENGTH = 5_464;

export type AnyMessage = CompiledTransactionMessage & CompiledTransactionMessageWithLifetime;

/** A compiled message of version 0, the only version used here. */
export type Message = Extract<AnyMessage, { version: 0 }>;

export interface DecodedWire {
  readonly transaction: Transaction;
  readonly message: Message;
}

/** Decodes base64; null when the text is not exactly the encoding of a transaction of version 0. */
export function decodeWire(wire: string): DecodedWire | null {
  const decoded = decodeAnyVersion(wire);
  return decoded?.message.version === 0 ? { ...decoded, message: decoded.message } : null;
}

/** Decodes a base64 transaction of any version; null when the text is not its exact encoding. */
export function decodeAnyVersion(
  wire: string,
): { readonly transaction: Transaction; readonly message: AnyMessage } | null {
  if (wire.length > MAX_WIRE_LENGTH) return null;
  try {
    const transaction = getTransactionDecoder().decode(getBase64Encoder().encode(wire));
    const message = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes);
    const isWhole = isTransactionWithinSizeLimit(transaction) && encodeWire(transaction) === wire;
    return isWhole ? { transaction, message } : null;
  } catch {
    return null;
  }
}

export function encodeWire(transaction: Transaction): Base64EncodedWireTransaction {
  return getBase64EncodedWireTransaction(transaction);
}
