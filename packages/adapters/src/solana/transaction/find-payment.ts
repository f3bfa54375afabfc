import { type Address, getU64Decoder } from '@solana/kit';
import { SUBSCRIPTIONS_PROGRAM } from '../program/addresses.js';
import { TRANSFER_SELECTOR } from '../program/transfer-instruction.js';
import type { Message } from './wire.js';

/** The indices of the subscription, the receiving token account and the charger among the accounts of `transfer_subscription`. */
const SUBSCRIPTION_INDEX = 0;
const RECEIVER_INDEX = 4;
const CHARGER_INDEX = 5;
/** The offset of the amount, a u64, in its data. */
const AMOUNT_OFFSET = 1;
const AMOUNT_END = 9;

/** The transfer instruction of a transaction. */
export interface FoundPayment {
  /** Its index among the instructions of the transaction, as runtime errors count them. */
  readonly index: number;
  /** The index of the receiving token account among the transaction's accounts. */
  readonly receiver: number;
  /** The amount it moves, in the token's smallest unit. The receiver may get less, never more. */
  readonly amount: bigint;
}

/** What a transfer instruction charges, and who signed it. */
interface PaymentParties {
  readonly subscription: Address;
  readonly charger: Address;
}

/**
 * Finds the transfer instruction of a transaction; null when it has none.
 * @param of finds only that of this subscription and charger
 */
export function findPayment(
  { instructions, staticAccounts }: Message,
  of: PaymentParties | null = null,
): FoundPayment | null {
  const index = instructions.findIndex(({ programAddressIndex, accountIndices, data }) => {
    const isTransfer =
      staticAccounts[programAddressIndex] === SUBSCRIPTIONS_PROGRAM && data?.[0] === TRANSFER_SELECTOR;
    const accountAt = (place: number) => staticAccounts[accountIndices?.[place] ?? -1];
    return (
      isTransfer &&
      (of === null ||
        (accountAt(SUBSCRIPTION_INDEX) === of.subscription && accountAt(CHARGER_INDEX) === of.charger))
    );
  });
  const { accountIndices, data } = instructions[index] ?? {};
  const receiver = accountIndices?.[RECEIVER_INDEX];
  if (receiver === undefined || data === undefined || data.length < AMOUNT_END) return null;
  return { index, receiver, amount: getU64Decoder().read(data, AMOUNT_OFFSET)[0] };
}
