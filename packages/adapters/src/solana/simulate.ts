import { SOLANA_ERROR__TRANSACTION_ERROR__SANITIZE_FAILURE } from '@solana/kit';
import type { Answer, ChainRefusal } from '@subrail/core/ports';
import { refusalOf } from './refusal.js';
import type { Node } from './rpc/node.js';
import { decodeWire, wireOf } from './wire.js';

/** Runs a transaction against today's accounts without sending it; null when the chain would take it. */
export async function simulate(wire: string, node: Node): Promise<Answer<ChainRefusal | null>> {
  const decoded = decodeWire(wire);
  if (decoded === null) {
    return { ok: true, value: { kind: 'chain', code: SOLANA_ERROR__TRANSACTION_ERROR__SANITIZE_FAILURE } };
  }
  const answer = await node.simulate(wireOf(decoded.transaction));
  if (!answer.ok) return answer;
  return { ok: true, value: answer.value === null ? null : refusalOf(answer.value, decoded.message) };
}
