import type { Address } from '@solana/kit';
import type {
  ChainResult,
  BuildRequest,
  UnsignedTransaction,
  Clock,
  TransactionCosts,
} from '@subrail/core/ports';
import {
  type CompiledTransaction,
  type ComputeBudget,
  compile,
  messageBase64,
  priorityFee,
} from '../transaction/message.js';
import type { ComputeFor } from '../transaction/compute-price.js';
import type { Addresses } from '../program/addresses.js';
import type { ReadAccounts } from '../rpc/accounts.js';
import { updatePlanParts } from './update-plan.js';
import { type TransactionParts, transactionParts } from './transaction-kinds.js';
import type { RpcNode } from '../rpc/rpc-node.js';
import type { BuiltLifetimes } from '../sign/built-lifetimes.js';
import { encodeWire } from '../transaction/wire.js';

/** The sizes in bytes of the accounts that a transaction may open, and of the wallet that pays for them. */
const SIZE = { subscription: 155, authority: 106, plan: 491, wallet: 0 } as const;

/** About how long a block takes. */
const BLOCK_MS = 400;
/** The time that sending and landing need, before the last block of a transaction. */
const SENDING_MS = 30_000;

/** Builds a transaction for a wallet to sign, with its exact costs (checkout#costs-of-a-checkout). */
export async function build(
  request: BuildRequest,
  {
    node,
    readAccounts,
    addresses,
    charger,
    computeFor,
    clock,
    lifetimes,
  }: {
    readonly node: RpcNode;
    readonly readAccounts: ReadAccounts;
    readonly addresses: Addresses;
    readonly charger: Address;
    readonly computeFor: ComputeFor;
    readonly clock: Clock;
    readonly lifetimes: BuiltLifetimes;
  },
): Promise<ChainResult<UnsignedTransaction>> {
  const read =
    request.kind === 'update_plan'
      ? await updatePlanParts(request, readAccounts)
      : { ok: true as const, value: await transactionParts(request, addresses, charger) };
  if (!read.ok) return read;
  const parts = read.value;
  const [lifetime, rent, reserve, compute] = await Promise.all([
    node.latestLifetime(),
    rentOf(parts, node),
    node.rent(SIZE.wallet),
    computeFor(parts.instructions),
  ]);
  if (!lifetime.ok) return lifetime;
  if (!rent.ok) return rent;
  if (!reserve.ok) return reserve;
  // checkout#estimated-expiry-of-a-transaction
  const submitWithin = Number(lifetime.value.blocksLeft) * BLOCK_MS - SENDING_MS;
  const expiresAt = new Date(clock.now().getTime() + submitWithin);
  lifetimes.note(parts.feePayer, lifetime.value.blockhash, lifetime.value.lastValidBlockHeight);
  const transaction = compile(parts.feePayer, parts.instructions, lifetime.value, compute);
  const fee = await feeOf(transaction, node, compute);
  if (!fee.ok) return fee;
  return {
    ok: true,
    value: {
      transaction: encodeWire(transaction),
      lastValidBlockHeight: lifetime.value.lastValidBlockHeight,
      expiresAt,
      costs: { rent: rent.value, fee: fee.value, total: rent.value.total + fee.value.total },
      approves: parts.approves,
      reserve: reserve.value,
    },
  };
}

async function rentOf(
  { opens }: TransactionParts,
  node: RpcNode,
): Promise<ChainResult<TransactionCosts['rent']>> {
  const rents = await Promise.all(
    opens.map(async (opened) => [opened, await node.rent(SIZE[opened])] as const),
  );
  let subscription = 0n;
  let authority: bigint | null = null;
  let total = 0n;
  for (const [opened, rent] of rents) {
    if (!rent.ok) return rent;
    if (opened === 'subscription') subscription = rent.value;
    if (opened === 'authority') authority = rent.value;
    total += rent.value;
  }
  return { ok: true, value: { subscription, authority, total } };
}

async function feeOf(
  transaction: CompiledTransaction,
  node: RpcNode,
  compute: ComputeBudget,
): Promise<ChainResult<TransactionCosts['fee']>> {
  const fee = await node.fee(messageBase64(transaction));
  if (!fee.ok) return fee;
  const signatures = Object.keys(transaction.signatures).length;
  const priority = priorityFee(compute);
  // A fee below the priority fee cannot be right.
  if (fee.value < priority) return { ok: false, unavailable: { kind: 'transport' } };
  const perSignature = (fee.value - priority) / BigInt(signatures);
  return { ok: true, value: { signatures, perSignature, priority, total: fee.value } };
}
