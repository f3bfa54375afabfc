import type { Address } from '@solana/kit';
import type { ChainResult, ChargerView } from '@subrail/core/ports';
import type { RpcNode } from '../rpc/rpc-node.js';
import type { PackingRecord } from '../sign/packing-record.js';
import { type ComputeBudget, compile, messageBase64 } from '../transaction/message.js';

/**
 * Reads how many charges the charger can pay for. A message without the payment costs the same, and charges
 * share a transaction as lately signed ones did.
 */
export async function readCharger(
  charger: Address,
  {
    node,
    compute,
    packed,
  }: { readonly node: RpcNode; readonly compute: ComputeBudget; readonly packed: PackingRecord },
): Promise<ChainResult<ChargerView>> {
  const lifetime = await node.latestLifetime();
  if (!lifetime.ok) return lifetime;
  const message = messageBase64(compile(charger, [], lifetime.value, compute));
  const [balance, fee, rent] = await Promise.all([node.balance(charger), node.fee(message), node.rent(0)]);
  if (!balance.ok) return balance;
  if (!fee.ok) return fee;
  if (!rent.ok) return rent;
  const transactions = transactionsPaidBy(balance.value, fee.value, rent.value);
  const chargeFee = packed.feeOfOne(fee.value);
  const charges = chargeFee === 0n ? transactions : (transactions * fee.value) / chargeFee;
  return { ok: true, value: { balance: balance.value, chargeFee, charges } };
}

/**
 * Counts the fees that a balance pays. The runtime refuses to leave less than an account's rent, except
 * nothing.
 */
export function transactionsPaidBy(balance: bigint, fee: bigint, rent: bigint): bigint {
  // A chain without fees charges for ever, as long as its charger exists.
  if (fee === 0n) return balance === 0n ? 0n : 2n ** 64n - 1n;
  const aboveRent = balance > rent ? (balance - rent) / fee : 0n;
  return balance - aboveRent * fee === fee ? aboveRent + 1n : aboveRent;
}
