import { SOLANA_ERROR__TRANSACTION_ERROR__SANITIZE_FAILURE } from '@solana/kit';
import type { ChainResult, ChainRefusal } from '@subrail/core/ports';
import { refusalOf } from '../transaction/refusal.js';
import type { RpcNode } from '../rpc/rpc-node.js';
import { decodeWire, encodeWire } from '../transaction/wire.js';

/**
 * Runs a transaction on the present accounts without sending it. Returns its refusal, or null when it would succeed.
 */
export async function simulate(wire: string, node: RpcNode): Promise<ChainResult<ChainRefusal | null>> {
  const decoded = decodeWire(wire);
  if (decoded === null) {
    return { ok: true, value: { kind: 'chain', code: SOLANA_ERROR__TRANSACTION_ERROR__SANITIZE_FAILURE } };
  }
  const error = await node.simulate(encodeWire(decoded.transaction));
  if (!error.ok) return error;
  return { ok: true, value: error.value === null ? null : refusalOf(error.value, decoded.message) };
}
