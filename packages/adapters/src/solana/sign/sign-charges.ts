import {
  type Address,
  type Instruction,
  SOLANA_ERROR__TRANSACTION_ERROR__ACCOUNT_NOT_FOUND,
  SOLANA_ERROR__TRANSACTION_ERROR__INSUFFICIENT_FUNDS_FOR_FEE,
  SOLANA_ERROR__TRANSACTION_ERROR__INSUFFICIENT_FUNDS_FOR_RENT,
  type TransactionPartialSigner,
  address,
} from '@solana/kit';
import { Semaphore, type ChainResult, type ChargeOrder, type SignedPayment } from '@subrail/core/ports';
import { chargeAccountsOf } from '../read/charge-accounts.js';
import type { ComputeFor } from '../transaction/compute-price.js';
import { type CompiledTransaction, compileIfSmall, messageBase64 } from '../transaction/message.js';
import { encodeWire } from '../transaction/wire.js';
import type { Addresses } from '../program/addresses.js';
import { paymentInstruction } from '../build/transaction-kinds.js';
import type { RpcNode } from '../rpc/rpc-node.js';
import { type PackableCharge, packCharges, splitUntilPassing } from './pack-charges.js';
import type { PackingRecord } from './packing-record.js';
import { signAll } from './sign.js';

/** The number of simulations at the same time. */
const MAX_CONCURRENT_SIMULATIONS = 16;

/** The dependencies of signing charges. */
export interface ChargeSigning {
  readonly node: RpcNode;
  readonly addresses: Addresses;
  readonly charger: TransactionPartialSigner;
  readonly computeFor: ComputeFor;
  /** Whether charges may share a transaction. */
  readonly packing: boolean;
  /** Notes how many charges share a transaction. */
  readonly packed: PackingRecord;
}

/**
 * Signs charges with one recent blockhash, and sends nothing. It signs none when the charger cannot pay a
 * fee: the chain drops such a transaction without an error. Charges whose simulation passes share a
 * transaction (attempts#shared-transaction).
 */
export async function signCharges(
  orders: readonly ChargeOrder[],
  { node, addresses, charger, computeFor, packing, packed }: ChargeSigning,
): Promise<ChainResult<SignedPayment[]>> {
  if (orders.length === 0) return { ok: true, value: [] };
  const charges = await Promise.all(orders.map((order) => packableCharge(order, addresses, charger.address)));
  const [lifetime, compute] = await Promise.all([
    node.latestLifetime(),
    computeFor(charges.map(({ instruction }) => instruction)),
  ]);
  if (!lifetime.ok) return lifetime;
  const compile = (instructions: readonly Instruction[]) =>
    compileIfSmall(charger.address, instructions, lifetime.value, compute);
  const packs = packing
    ? packCharges(charges, compile)
    : charges.flatMap((charge) => packCharges([charge], compile));
  const [first] = packs;
  if (first === undefined) return { ok: true, value: [] };
  const refused = await feeRefusal(first.transaction, charger.address, node);
  if (!refused.ok) return refused;
  if (refused.value !== null) return { ok: false, unavailable: { kind: 'rpc', ...refused.value } };

  const passes = simulation(node);
  const parts = await new Semaphore(MAX_CONCURRENT_SIMULATIONS).map(packs, (pack) =>
    splitUntilPassing(pack, compile, passes),
  );
  const checked = parts.flat();
  const signed = await signAll(
    checked.map(({ transaction }) => transaction),
    lifetime.value.lastValidBlockHeight,
    charger,
  );
  packed.add(charges.length, signed.length);
  const payments = new Map<PackableCharge, SignedPayment>();
  for (const [index, transaction] of signed.entries()) {
    for (const [paymentIndex, charge] of (checked[index]?.charges ?? []).entries())
      payments.set(charge, { ...transaction, paymentIndex });
  }
  const paymentOf = (charge: PackableCharge): SignedPayment => {
    const payment = payments.get(charge);
    if (payment === undefined)
      throw new Error('A charge is missing from every transaction: packCharges has a fault.');
    return payment;
  };
  return { ok: true, value: charges.map(paymentOf) };
}

async function packableCharge(
  order: ChargeOrder,
  addresses: Addresses,
  charger: Address,
): Promise<PackableCharge> {
  const accounts = await chargeAccountsOf(order, addresses);
  const { amount } = order;
  const receiver = address(order.receiverAccount);
  const { plan, subscription, source } = accounts;
  return {
    plan,
    subscription,
    source,
    receiver,
    tokenProgram: address(order.plan.tokenProgram),
    amount,
    instruction: paymentInstruction(order, accounts, { amount, receiver, charger }),
  };
}

/**
 * Says whether a transaction would succeed. After one unanswered simulation the answer is false, so that each
 * charge is sent by itself.
 */
function simulation(node: RpcNode): (transaction: CompiledTransaction) => Promise<boolean> {
  let available = true;
  return async (transaction) => {
    if (!available) return false;
    const error = await node.simulate(encodeWire(transaction));
    if (!error.ok) available = false;
    return error.ok && error.value === null;
  };
}

/** The runtime's error for this fee payer and its balance; null when the payer can pay. */
async function feeRefusal(
  transaction: CompiledTransaction,
  payer: Address,
  node: RpcNode,
): Promise<ChainResult<{ readonly code: number; readonly chargerBalance: bigint } | null>> {
  const [balance, fee, rent] = await Promise.all([
    node.balance(payer),
    node.fee(messageBase64(transaction)),
    node.rent(0),
  ]);
  if (!balance.ok) return balance;
  if (!fee.ok) return fee;
  if (!rent.ok) return rent;
  const code = codeOfRefusal(balance.value, fee.value, rent.value);
  return { ok: true, value: code === null ? null : { code, chargerBalance: balance.value } };
}

function codeOfRefusal(balance: bigint, fee: bigint, rent: bigint): number | null {
  const left = balance - fee;
  if (balance === 0n) return SOLANA_ERROR__TRANSACTION_ERROR__ACCOUNT_NOT_FOUND;
  if (left < 0n) return SOLANA_ERROR__TRANSACTION_ERROR__INSUFFICIENT_FUNDS_FOR_FEE;
  if (left > 0n && left < rent) return SOLANA_ERROR__TRANSACTION_ERROR__INSUFFICIENT_FUNDS_FOR_RENT;
  return null;
}
