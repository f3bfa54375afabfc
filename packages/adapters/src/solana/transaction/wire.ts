import {
  type Base64EncodedWireTransaction,
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  type Transaction,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
} from '@solana/kit';

/** Base64 letters of the largest transaction the network carries, 1,232 bytes. */
const LONGEST_WIRE = 1644;

/** A compiled message of version 0, the only one built here. */
export type Message = Extract<
  CompiledTransactionMessage & CompiledTransactionMessageWithLifetime,
  { version: 0 }
>;

/** A transaction as it travels, taken apart. */
export interface DecodedWire {
  readonly transaction: Transaction;
  readonly message: Message;
}

/** Takes a base64 transaction apart; null when the text is not exactly one of version 0. */
export function decodeWire(wire: string): DecodedWire | null {
  if (wire.length > LONGEST_WIRE) return null;
  try {
    const transaction = getTransactionDecoder().decode(getBase64Encoder().encode(wire));
    const message = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes);
    return message.version === 0 && encodeWire(transaction) === wire ? { transaction, message } : null;
  } catch {
    return null;
  }
}

export function encodeWire(transaction: Transaction): Base64EncodedWireTransaction {
  return getBase64EncodedWireTransaction(transaction);
}
