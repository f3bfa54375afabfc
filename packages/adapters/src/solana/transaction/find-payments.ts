import { type Address, getU64Decoder } from '@solana/kit';
import { SUBSCRIPTIONS_PROGRAM } from '../program/addresses.js';
import { TRANSFER_SELECTOR } from '../program/transfer-instruction.js';
import type { Message } from './wire.js';

/** The places among the accounts of `transfer_subscription`. */
const SUBSCRIPTION_INDEX = 0;
const RECEIVER_INDEX = 4;
const CHARGER_INDEX = 5;
const AMOUNT_OFFSET = 1;
const AMOUNT_END = 9;

/** A transfer instruction of a transaction. */
export interface FoundPayment {
  /** Its index among the instructions of the transaction, as runtime errors count them. */
  readonly index: number;
  /** The index of the receiving token account among the transaction's accounts. */
  readonly receiver: number;
  /** The amount it moves, in the token's smallest unit. The receiver may get less, never more. */
  readonly amount: bigint;
  /** The charged subscription and the signer; undefined for an address of a lookup table. */
  readonly subscription: Address | undefined;
  readonly charger: Address | undefined;
}

/** Finds the transfer instructions of a transaction, in their order, without those that are cut short. */
export function findPayments({ instructions, staticAccounts }: Message): readonly FoundPayment[] {
  return instructions.flatMap(({ programAddressIndex, accountIndices, data }, index) => {
    const isTransfer =
      staticAccounts[programAddressIndex] === SUBSCRIPTIONS_PROGRAM && data?.[0] === TRANSFER_SELECTOR;
    const receiver = accountIndices?.[RECEIVER_INDEX];
    if (!isTransfer || receiver === undefined || data.length < AMOUNT_END) return [];
    const accountAt = (place: number) => staticAccounts[accountIndices?.[place] ?? -1];
    return [
      {
        index,
        receiver,
        amount: getU64Decoder().read(data, AMOUNT_OFFSET)[0],
        subscription: accountAt(SUBSCRIPTION_INDEX),
        charger: accountAt(CHARGER_INDEX),
      },
    ];
  });
}
