import {
  type Address,
  SOLANA_ERROR__TRANSACTION_ERROR__ACCOUNT_NOT_FOUND,
  SOLANA_ERROR__TRANSACTION_ERROR__INSUFFICIENT_FUNDS_FOR_FEE,
  SOLANA_ERROR__TRANSACTION_ERROR__INSUFFICIENT_FUNDS_FOR_RENT,
  type TransactionPartialSigner,
  address,
} from '@solana/kit';
import type { ChainResult, ChargeOrder, SignedTransaction } from '@subrail/core/ports';
import { chargeAccountsOf } from '../read/charge-accounts.js';
import {
  type CompiledTransaction,
  type ComputeBudget,
  compile,
  messageBase64,
} from '../transaction/message.js';
import type { Addresses } from '../program/addresses.js';
import { paymentInstruction } from '../build/transaction-kinds.js';
import type { RpcNode } from '../rpc/rpc-node.js';
import { signAll } from './sign.js';

/**
 * Signs charges with one recent blockhash, and sends nothing. It signs none when the charger cannot pay the fee of one
 * charge: charges are sent without preflight, so the chain would drop them without an error.
 */
export async function signCharges(
  orders: readonly ChargeOrder[],
  {
    node,
    addresses,
    charger,
    compute,
  }: {
    readonly node: RpcNode;
    readonly addresses: Addresses;
    readonly charger: TransactionPartialSigner;
    readonly compute: ComputeBudget;
  },
): Promise<ChainResult<SignedTransaction[]>> {
  const lifetime = await node.latestLifetime();
  if (!lifetime.ok) return lifetime;
  const transactions = await Promise.all(
    orders.map(async (order) => {
      const receiver = address(order.receiverAccount);
      const accounts = await chargeAccountsOf(order, addresses);
      const instruction = paymentInstruction(order, accounts, {
        amount: order.amount,
        receiver,
        charger: charger.address,
      });
      return compile(charger.address, [instruction], lifetime.value, compute);
    }),
  );
  const [first] = transactions;
  if (first === undefined) return { ok: true, value: [] };
  const refused = await feeRefusal(first, charger.address, node);
  if (!refused.ok) return refused;
  if (refused.value !== null) return { ok: false, unavailable: { kind: 'rpc', code: refused.value } };
  return { ok: true, value: await signAll(transactions, lifetime.value.lastValidBlockHeight, charger) };
}

/** The number of the error with which the runtime would refuse this fee payer; null when it can pay. */
async function feeRefusal(
  transaction: CompiledTransaction,
  payer: Address,
  node: RpcNode,
): Promise<ChainResult<number | null>> {
  const [balance, fee, rent] = await Promise.all([
    node.balance(payer),
    node.fee(messageBase64(transaction)),
    node.rent(0),
  ]);
  if (!balance.ok) return balance;
  if (!fee.ok) return fee;
  if (!rent.ok) return rent;
  const left = balance.value - fee.value;
  if (balance.value === 0n) return { ok: true, value: SOLANA_ERROR__TRANSACTION_ERROR__ACCOUNT_NOT_FOUND };
  if (left < 0n) return { ok: true, value: SOLANA_ERROR__TRANSACTION_ERROR__INSUFFICIENT_FUNDS_FOR_FEE };
  if (left > 0n && left < rent.value) {
    return { ok: true, value: SOLANA_ERROR__TRANSACTION_ERROR__INSUFFICIENT_FUNDS_FOR_RENT };
  }
  return { ok: true, value: null };
}
