import { getU64Decoder } from '@solana/kit';
import { SUBSCRIPTIONS_PROGRAM } from '../program/addresses.js';
import { TRANSFER_SELECTOR } from '../program/transfer-instruction.js';
import type { Message } from './wire.js';

/** Where `transfer_subscription` names the token account that is paid (program#transfer-subscription). */
const RECEIVER_AT = 4;
/** Where its data names the amount, a u64. */
const AMOUNT_AT = 1;
const AMOUNT_ENDS = 9;

/** The instruction of a transaction that moves the money. */
export interface FoundPayment {
  /** Among the transaction's instructions: what an error's index counts (program#failure-classification). */
  readonly index: number;
  /** Index of the account that is paid, among the transaction's accounts. */
  readonly receiver: number;
  /** What it moves, in the token's smallest unit: the most the receiver can get of it. */
  readonly amount: bigint;
}

/** Finds the instruction that moves the money; null in a transaction that moves none. */
export function findPayment({ instructions, staticAccounts }: Message): FoundPayment | null {
  const index = instructions.findIndex(
    ({ programAddressIndex, data }) =>
      staticAccounts[programAddressIndex] === SUBSCRIPTIONS_PROGRAM && data?.[0] === TRANSFER_SELECTOR,
  );
  const { accountIndices, data } = instructions[index] ?? {};
  const receiver = accountIndices?.[RECEIVER_AT];
  if (receiver === undefined || data === undefined || data.length < AMOUNT_ENDS) return null;
  return { index, receiver, amount: getU64Decoder().read(data, AMOUNT_AT)[0] };
}
