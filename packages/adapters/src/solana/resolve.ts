import { type Signature, signature } from '@solana/kit';
import type { Answer, TransactionOutcome, SignatureQuery } from '@subrail/core/ports';
import { paymentIn } from './payment-in.js';
import { refusalOf } from './refusal.js';
import type { Ask } from './rpc/failover.js';
import { inParallel } from './rpc/in-parallel.js';
import { type LandedTransaction, readLanded } from './rpc/landed.js';
import type { Heights, Node } from './rpc/node.js';
import { SIGNATURES_PER_CALL, type Status, readOldStatus, readStatuses } from './rpc/statuses.js';
import { instantOf } from './time.js';

const LOOKUPS_AT_ONCE = 4;
const DETAILS_AT_ONCE = 16;

/** Blocks a transaction can land in (program#transaction-admission). */
const LIFETIME = 150n;
/** Blocks of which every node remembers the transactions, short of the 300 they keep. */
const REMEMBERED = 280n;

/**
 * Tells what became of each transaction. The finalized height is read first and the signatures after it, from a node that
 * has come as far: the other way round, one could land in between and be called absent.
 */
export async function resolve(
  asks: readonly SignatureQuery[],
  on: { readonly ask: Ask; readonly node: Node },
): Promise<TransactionOutcome[]> {
  const heights = await on.node.heights('finalized');
  const looked = await lookUp(asks, heights, on.ask);
  return inParallel(looked, DETAILS_AT_ONCE, (one) => fateOf(one, heights, on.ask));
}

interface Looked {
  readonly asked: SignatureQuery;
  readonly found: Answer<{ readonly status: Status | null; readonly slot: bigint }>;
}

async function lookUp(
  asks: readonly SignatureQuery[],
  heights: Answer<Heights>,
  ask: Ask,
): Promise<Looked[]> {
  const calls: SignatureQuery[][] = [];
  for (let from = 0; from < asks.length; from += SIGNATURES_PER_CALL) {
    calls.push(asks.slice(from, from + SIGNATURES_PER_CALL));
  }
  const slot = heights.ok ? heights.value.slot : 0n;
  const looked = await inParallel(calls, LOOKUPS_AT_ONCE, async (call): Promise<Looked[]> => {
    const signatures = call.map((asked) => signature(asked.signature));
    const found = await readStatuses(ask, signatures, slot);
    return call.map((asked, index) => ({
      asked,
      found: found.ok
        ? { ok: true, value: { status: found.value.statuses[index] ?? null, slot: found.value.slot } }
        : found,
    }));
  });
  return looked.flat();
}

async function fateOf(
  { asked, found }: Looked,
  heights: Answer<Heights>,
  ask: Ask,
): Promise<TransactionOutcome> {
  if (!found.ok) return { kind: 'unknown' };
  const id = signature(asked.signature);
  const { status } = found.value;
  if (status !== null) return status.confirmed ? detailsOf(id, ask) : { kind: 'waiting' };

  if (!heights.ok) return { kind: 'unknown' };
  const { slot, blockHeight } = heights.value;
  if (blockHeight <= asked.lastValidBlockHeight) return { kind: 'waiting' };
  const sinceHeight = asked.lastValidBlockHeight - LIFETIME;
  // The node that found nothing may be far ahead of the one that told the height, by at most a block each slot.
  const lookedAt = blockHeight + found.value.slot - slot;
  if (lookedAt - sinceHeight <= REMEMBERED) return { kind: 'not_found' };
  const old = await readOldStatus(ask, id, { sinceHeight, slot });
  if (!old.ok) return { kind: 'unknown' };
  return old.value === null ? { kind: 'not_found' } : detailsOf(id, ask);
}

async function detailsOf(id: Signature, ask: Ask): Promise<TransactionOutcome> {
  const landed = await readLanded(ask, id);
  if (!landed.ok) return { kind: 'unknown' };
  const { slot, time, error, message } = landed.value;
  if (error !== null) return { kind: 'failed', slot, refusal: refusalOf(error, message) };
  return { kind: 'landed', slot, time: instantOf(time), received: received(landed.value) };
}

/**
 * What the account that was paid holds more than before; null when the chain does not say. It existed before, or the
 * payment would have failed, so a missing entry is no zero; and it cannot have got less than nothing or more than was sent.
 */
function received({ message, before, after }: LandedTransaction): bigint | null {
  const payment = paymentIn(message);
  const held = payment === null ? undefined : before.get(payment.receiver);
  const holds = payment === null ? undefined : after.get(payment.receiver);
  if (payment === null || held === undefined || holds === undefined) return null;
  const more = holds - held;
  return more >= 0n && more <= payment.amount ? more : null;
}
