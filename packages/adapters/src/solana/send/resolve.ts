import { type Signature, signature } from '@solana/kit';
import type { ChainResult, TransactionOutcome, SignatureQuery } from '@subrail/core/ports';
import { findPayment } from '../transaction/find-payment.js';
import { refusalOf } from '../transaction/refusal.js';
import type { CallRpc } from '../rpc/failover.js';
import { BLOCKHASH_LIFETIME_BLOCKS } from '../rpc/blockhash-lifetime.js';
import { mapConcurrently } from '../rpc/map-concurrently.js';
import { type LandedTransaction, readLanded } from '../rpc/landed.js';
import type { Heights, RpcNode } from '../rpc/rpc-node.js';
import { SIGNATURES_PER_CALL, type Status, readOldStatus, readStatuses } from '../rpc/statuses.js';
import { fromUnixSeconds } from '../program/unix-time.js';

const MAX_CONCURRENT_QUERIES = 4;
const MAX_CONCURRENT_READS = 16;

/** The number of blocks that every node still has in memory: a few less than the 300 that nodes keep. */
const REMEMBERED = 280n;

/**
 * Finds the outcome of each transaction (attempts#results-of-a-sent-transaction). It reads the finalized height first,
 * and then the signatures from a node that has reached it. In the other order, a transaction could land in between and
 * be taken for not found.
 */
export async function resolve(
  queries: readonly SignatureQuery[],
  { call, node }: { readonly call: CallRpc; readonly node: RpcNode },
): Promise<TransactionOutcome[]> {
  const heights = await node.heights('finalized');
  const lookups = await findStatuses(queries, heights, call);
  return mapConcurrently(lookups, MAX_CONCURRENT_READS, (lookup) => outcomeOf(lookup, heights, call));
}

/** What a node reported about one signature. */
interface Lookup {
  readonly query: SignatureQuery;
  readonly found: ChainResult<{ readonly status: Status | null; readonly slot: bigint }>;
}

async function findStatuses(
  queries: readonly SignatureQuery[],
  heights: ChainResult<Heights>,
  call: CallRpc,
): Promise<Lookup[]> {
  const batches: SignatureQuery[][] = [];
  for (let from = 0; from < queries.length; from += SIGNATURES_PER_CALL) {
    batches.push(queries.slice(from, from + SIGNATURES_PER_CALL));
  }
  const slot = heights.ok ? heights.value.slot : 0n;
  const lookups = await mapConcurrently(batches, MAX_CONCURRENT_QUERIES, async (batch): Promise<Lookup[]> => {
    const signatures = batch.map((query) => signature(query.signature));
    const found = await readStatuses(call, signatures, slot);
    return batch.map((query, index) => ({
      query,
      found: found.ok
        ? { ok: true, value: { status: found.value.statuses[index] ?? null, slot: found.value.slot } }
        : found,
    }));
  });
  return lookups.flat();
}

async function outcomeOf(
  { query, found }: Lookup,
  heights: ChainResult<Heights>,
  call: CallRpc,
): Promise<TransactionOutcome> {
  if (!found.ok) return { kind: 'unknown' };
  const id = signature(query.signature);
  const { status } = found.value;
  if (status !== null) return status.confirmed ? landedOutcome(id, call) : { kind: 'waiting' };

  if (!heights.ok) return { kind: 'unknown' };
  const { slot, blockHeight } = heights.value;
  if (blockHeight <= query.lastValidBlockHeight) return { kind: 'waiting' };
  const sinceHeight = query.lastValidBlockHeight - BLOCKHASH_LIFETIME_BLOCKS;
  // The node that found nothing may be far ahead of the node that gave the height, by at most one block for each slot.
  const searchedHeight = blockHeight + found.value.slot - slot;
  if (searchedHeight - sinceHeight <= REMEMBERED) return { kind: 'not_found' };
  const old = await readOldStatus(call, id, { sinceHeight, minContextSlot: slot });
  if (!old.ok) return { kind: 'unknown' };
  return old.value === null ? { kind: 'not_found' } : landedOutcome(id, call);
}

async function landedOutcome(id: Signature, call: CallRpc): Promise<TransactionOutcome> {
  const landed = await readLanded(call, id);
  if (!landed.ok) return { kind: 'unknown' };
  const { slot, time, error, message } = landed.value;
  if (error !== null) return { kind: 'failed', slot, refusal: refusalOf(error, message) };
  return { kind: 'landed', slot, time: fromUnixSeconds(time), received: amountReceived(landed.value) };
}

/**
 * The growth of the receiving token account; null when the response does not show it (attempts#amount-received). The
 * account existed before the payment, so a missing entry does not mean zero. A growth below zero or above the amount
 * sent cannot be right, so it gives null too.
 */
function amountReceived({ message, before, after }: LandedTransaction): bigint | null {
  const payment = findPayment(message);
  const balanceBefore = payment === null ? undefined : before.get(payment.receiver);
  const balanceAfter = payment === null ? undefined : after.get(payment.receiver);
  if (payment === null || balanceBefore === undefined || balanceAfter === undefined) return null;
  const growth = balanceAfter - balanceBefore;
  return growth >= 0n && growth <= payment.amount ? growth : null;
}
