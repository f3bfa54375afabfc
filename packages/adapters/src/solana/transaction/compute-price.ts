import { type Address, type Instruction, isWritableRole } from '@solana/kit';
import type { RpcNode } from '../rpc/rpc-node.js';
import type { ComputeBudget } from './message.js';

/**
 * The bid for each compute unit, in micro-lamports; `upTo` bids what recent transactions on the accounts
 * paid.
 */
export type ComputeUnitPrice = bigint | { readonly upTo: bigint };

export type ComputeFor = (instructions: readonly Instruction[]) => Promise<ComputeBudget>;

/** The most accounts whose recent fees one call may ask for. */
const MOST_ACCOUNTS = 128;

/**
 * Creates the choice of compute budgets. A price from recent fees is that of the upper quartile of slots.
 * Without an answer the last price stays, which begins at 0 (program#compute-unit-price).
 */
export function createComputeFor(unitLimit: number, price: ComputeUnitPrice, node: RpcNode): ComputeFor {
  if (typeof price === 'bigint') return async () => ({ unitLimit, unitPrice: price });
  let last = 0n;
  return async (instructions) => {
    const fees = await node.recentFees(writableAccounts(instructions).slice(0, MOST_ACCOUNTS));
    if (fees.ok) last = upperQuartile(fees.value);
    return { unitLimit, unitPrice: last < price.upTo ? last : price.upTo };
  };
}

/** The accounts that the instructions change, the most used ones first: others compete for those. */
function writableAccounts(instructions: readonly Instruction[]): readonly Address[] {
  const uses = new Map<Address, number>();
  for (const { accounts = [] } of instructions) {
    for (const { address, role } of accounts)
      if (isWritableRole(role)) uses.set(address, (uses.get(address) ?? 0) + 1);
  }
  return [...uses].toSorted(([, a], [, b]) => b - a).map(([account]) => account);
}

function upperQuartile(fees: readonly bigint[]): bigint {
  const sorted = fees.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return sorted[Math.floor((sorted.length * 3) / 4)] ?? 0n;
}
