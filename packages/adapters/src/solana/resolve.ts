import { signature } from '@solana/kit';
import type { Answer, Fate, FateAsk } from '@subrail/core';
import { refusalOf } from './refusal.js';
import type { Ask } from './rpc/ask.js';
import { inParallel } from './rpc/in-parallel.js';
import { type TokenBalance, readLanded } from './rpc/landed.js';
import type { Heights, Node } from './rpc/node.js';
import { SIGNATURES_PER_CALL, type Status, readStatuses } from './rpc/statuses.js';
import { instantOf } from './time.js';

const LOOKUPS_AT_ONCE = 4;
const DETAILS_AT_ONCE = 16;

/**
 * Tells what became of each transaction. The finalized height is read first and the signatures after it, from a node that
 * has come as far: the other way round, one could land in between and be called absent.
 */
export async function resolve(
  asks: readonly FateAsk[],
  on: { readonly ask: Ask; readonly node: Node },
): Promise<Fate[]> {
  const heights = await on.node.heights('finalized');
  const statuses = await statusesOf(asks, heights, on.ask);
  return inParallel([...asks.entries()], DETAILS_AT_ONCE, ([index, asked]) =>
    fateOf(asked, statuses[index] ?? UNASKED, heights, on.ask),
  );
}

const UNASKED: Answer<never> = { ok: false, silence: { kind: 'transport' } };

async function statusesOf(
  asks: readonly FateAsk[],
  heights: Answer<Heights>,
  ask: Ask,
): Promise<Answer<Status | null>[]> {
  const calls: FateAsk[][] = [];
  for (let from = 0; from < asks.length; from += SIGNATURES_PER_CALL) {
    calls.push(asks.slice(from, from + SIGNATURES_PER_CALL));
  }
  const slot = heights.ok ? heights.value.slot : 0n;
  const answers = await inParallel(calls, LOOKUPS_AT_ONCE, async (call): Promise<Answer<Status | null>[]> => {
    const signatures = call.map((asked) => signature(asked.signature));
    const found = await readStatuses(ask, signatures, slot);
    return call.map((_, index) => (found.ok ? { ok: true, value: found.value[index] ?? null } : found));
  });
  return answers.flat();
}

async function fateOf(
  asked: FateAsk,
  status: Answer<Status | null>,
  heights: Answer<Heights>,
  ask: Ask,
): Promise<Fate> {
  if (!status.ok) return { kind: 'untold' };
  if (status.value === null) {
    if (!heights.ok) return { kind: 'untold' };
    return { kind: heights.value.blockHeight > asked.lastValidBlockHeight ? 'absent' : 'waiting' };
  }
  if (!status.value.confirmed) return { kind: 'waiting' };
  const landed = await readLanded(ask, signature(asked.signature));
  if (!landed.ok) return { kind: 'untold' };
  const { slot, time, error, message, before, after } = landed.value;
  if (error !== null) return { kind: 'failed', slot, refusal: refusalOf(error, message) };
  return { kind: 'landed', slot, time: instantOf(time), received: received(asked, before, after) };
}

/** What the receiving wallet's accounts of the mint grew by; null when the transaction touched none of them. */
function received(
  { mint, receiver }: FateAsk,
  before: readonly TokenBalance[],
  after: readonly TokenBalance[],
): bigint | null {
  const its = (balances: readonly TokenBalance[]) =>
    balances.filter((balance) => balance.mint === mint && balance.owner === receiver);
  const sum = (balances: readonly TokenBalance[]) =>
    balances.reduce((total, balance) => total + balance.amount, 0n);
  return its(after).length === 0 ? null : sum(its(after)) - sum(its(before));
}
