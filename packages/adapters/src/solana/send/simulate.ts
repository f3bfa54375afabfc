import { SOLANA_ERROR__TRANSACTION_ERROR__SANITIZE_FAILURE } from '@solana/kit';
import type { ChainResult, SimulatedRefusal } from '@subrail/core/ports';
import { causeOf } from '../transaction/refusal-cause.js';
import { refusalOf } from '../transaction/refusal.js';
import type { RpcNode } from '../rpc/rpc-node.js';
import { decodeWire, encodeWire } from '../transaction/wire.js';

/** Runs a transaction on the present accounts without sending it. Returns its refusal, or null. */
export async function simulate(wire: string, node: RpcNode): Promise<ChainResult<SimulatedRefusal | null>> {
  const decoded = decodeWire(wire);
  if (decoded === null) {
    const code = SOLANA_ERROR__TRANSACTION_ERROR__SANITIZE_FAILURE;
    return { ok: true, value: { kind: 'chain', code, cause: 'it does not decode' } };
  }
  const error = await node.simulate(encodeWire(decoded.transaction));
  if (!error.ok) return error;
  if (error.value === null) return { ok: true, value: null };
  const { message } = decoded;
  return { ok: true, value: { ...refusalOf(error.value, message), cause: causeOf(error.value, message) } };
}
