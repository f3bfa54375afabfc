import type { Address } from '@solana/kit';
import type { Answer, BuildRequest, UnsignedTransaction, Clock, Costs } from '@subrail/core/ports';
import { type Compiled, type Compute, compile, messageText, priorityFee } from './message.js';
import type { Addresses } from './program/addresses.js';
import { type Recipe, recipeOf } from './transaction-kinds.js';
import type { Node } from './rpc/node.js';
import { wireOf } from './wire.js';

/** Bytes of the accounts a transaction may open (program#rent). */
const SIZE = { subscription: 155, authority: 106, plan: 491 } as const;

/** A blockhash lives 150 blocks, and a block takes about 400 ms. */
const ABOUT_ONE_LIFETIME_MS = 150 * 400;

/** Builds a transaction for a wallet to sign, with what it will cost (checkout#costs-of-a-checkout). */
export async function build(
  ask: BuildRequest,
  on: {
    readonly node: Node;
    readonly addresses: Addresses;
    readonly charger: Address;
    readonly compute: Compute;
    readonly clock: Clock;
  },
): Promise<Answer<UnsignedTransaction>> {
  const kind = await recipeOf(ask, on.addresses, on.charger);
  const [lifetime, rent] = await Promise.all([on.node.latestLifetime(), rentOf(kind, on.node)]);
  if (!lifetime.ok) return lifetime;
  if (!rent.ok) return rent;
  const expiresAt = new Date(on.clock.now().getTime() + ABOUT_ONE_LIFETIME_MS);
  const transaction = compile(kind.feePayer, kind.instructions, lifetime.value, on.compute);
  const fee = await feeOf(transaction, on.node, on.compute);
  if (!fee.ok) return fee;
  return {
    ok: true,
    value: {
      transaction: wireOf(transaction),
      lastValidBlockHeight: lifetime.value.lastValidBlockHeight,
      expiresAt,
      costs: { rent: rent.value, fee: fee.value, total: rent.value.total + fee.value.total },
    },
  };
}

async function rentOf({ opens }: Recipe, node: Node): Promise<Answer<Costs['rent']>> {
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

async function feeOf(transaction: Compiled, node: Node, compute: Compute): Promise<Answer<Costs['fee']>> {
  const asked = await node.fee(messageText(transaction));
  if (!asked.ok) return asked;
  const signatures = Object.keys(transaction.signatures).length;
  const priority = priorityFee(compute);
  // Less than the bid alone cannot be the fee of this message.
  if (asked.value < priority) return { ok: false, unavailable: { kind: 'transport' } };
  const perSignature = (asked.value - priority) / BigInt(signatures);
  return { ok: true, value: { signatures, perSignature, priority, total: asked.value } };
}
