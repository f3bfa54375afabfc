import { signature } from '@solana/kit';
import {
  Semaphore,
  type ChainResult,
  type TransactionOutcome,
  type SignatureQuery,
} from '@subrail/core/ports';
import { refusalOfPayment } from '../transaction/refusal.js';
import type { CallRpc } from '../rpc/failover.js';
import { type LandedTransaction, amountReceived, feeShare, readLanded } from '../rpc/landed.js';
import type { Heights, RpcNode } from '../rpc/rpc-node.js';
import { SIGNATURES_PER_CALL, type Status, readFinalStatuses, readStatuses } from '../rpc/statuses.js';
import { fromUnixSeconds } from '../program/unix-time.js';

const MAX_CONCURRENT_QUERIES = 4;
const MAX_CONCURRENT_READS = 16;

/**
 * Finds the outcome of each transaction (attempts#results-of-a-sent-transaction): first the finalized height,
 * then the signatures on a node that has reached it, or a transaction could land in between unseen. One node
 * then proves that a transaction never landed (attempts#proof-of-never-landed). Payments of one transaction
 * share a look-up.
 */
export async function resolve(
  queries: readonly SignatureQuery[],
  { call, node }: { readonly call: CallRpc; readonly node: RpcNode },
): Promise<TransactionOutcome[]> {
  const byTransaction = new Map(queries.map((query) => [keyOf(query), query]));
  const transactions = [...byTransaction.values()];
  const heights = await node.heights('finalized');
  const found = await inBatches(transactions, (batch) => findStatuses(batch, heights, call));
  const passed = transactions.filter(
    ({ lastValidBlockHeight }, index) =>
      found[index] === 'not_found' && heights.ok && heights.value.blockHeight > lastValidBlockHeight,
  );
  const proofs = await inBatches(passed, (batch) => findFinalStatuses(batch, call));
  const proved = new Map(passed.map((query, index) => [query, proofs[index] ?? 'unknown']));
  const results = await new Semaphore(MAX_CONCURRENT_READS).map(
    [...transactions.entries()],
    async ([index, query]) => {
      const first = found[index] ?? 'unknown';
      const waitsOrUnknown = heights.ok ? 'waiting' : 'unknown';
      const finding = proved.get(query) ?? (first === 'not_found' ? waitsOrUnknown : first);
      return [keyOf(query), await readResult(query, finding, call)] as const;
    },
  );
  const resultOf = new Map(results);
  return queries.map((query) => outcomeOf(resultOf.get(keyOf(query)) ?? 'unknown', query.paymentIndex ?? 0));
}

/** Queries of one signature with different heights may have different outcomes while it is not found. */
function keyOf({ signature, lastValidBlockHeight }: SignatureQuery): string {
  return `${signature} ${lastValidBlockHeight}`;
}

/** A signature's status, or that it was not found, may still land, or cannot be told. */
type Finding = Status | 'not_found' | 'waiting' | 'unknown';

async function inBatches(
  queries: readonly SignatureQuery[],
  find: (batch: readonly SignatureQuery[]) => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  const batches: SignatureQuery[][] = [];
  for (let from = 0; from < queries.length; from += SIGNATURES_PER_CALL) {
    batches.push(queries.slice(from, from + SIGNATURES_PER_CALL));
  }
  return (await new Semaphore(MAX_CONCURRENT_QUERIES).map(batches, find)).flat();
}

async function findStatuses(
  batch: readonly SignatureQuery[],
  heights: ChainResult<Heights>,
  call: CallRpc,
): Promise<readonly Finding[]> {
  const signatures = batch.map((query) => signature(query.signature));
  const found = await readStatuses(call, signatures, heights.ok ? heights.value.slot : 0n);
  return batch.map((_, index) => (found.ok ? (found.value[index] ?? 'not_found') : 'unknown'));
}

/** Looks once more for signatures whose height has passed. `not_found` is proved: such a one never landed. */
async function findFinalStatuses(
  batch: readonly SignatureQuery[],
  call: CallRpc,
): Promise<readonly Finding[]> {
  const found = await readFinalStatuses(call, batch);
  if (!found.ok) return batch.map(() => 'unknown');
  const findings = found.value.map((status) => (status === 'never_landed' ? 'not_found' : status));
  // The node cannot tell of the oldest, so a further call asks another node for them alone.
  const left = batch.filter((_, index) => findings[index] === 'unknown');
  if (left.length === 0) return findings;
  const again = (await findFinalStatuses(left, call)).values();
  return findings.map((finding) => (finding === 'unknown' ? (again.next().value ?? 'unknown') : finding));
}

/** A transaction in a block, or what else is known of it. */
type Result = LandedTransaction | 'not_found' | 'waiting' | 'unknown';

async function readResult(query: SignatureQuery, finding: Finding, call: CallRpc): Promise<Result> {
  if (typeof finding === 'string') return finding;
  if (!finding.confirmed) return 'waiting';
  const landed = await readLanded(call, signature(query.signature));
  return landed.ok ? landed.value : 'unknown';
}

function outcomeOf(result: Result, paymentIndex: number): TransactionOutcome {
  if (typeof result === 'string') return { kind: result };
  const { slot, time, error, message } = result;
  const fee = feeShare(result, paymentIndex);
  if (error === null) {
    const received = amountReceived(result, paymentIndex);
    return { kind: 'landed', slot, time: fromUnixSeconds(time), received, ...fee };
  }
  const refusal = refusalOfPayment(error, message, paymentIndex);
  return refusal === 'undone' ? { kind: 'undone', slot, ...fee } : { kind: 'failed', slot, refusal, ...fee };
}
