import {
  SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED,
  SOLANA_ERROR__TRANSACTION_ERROR__SANITIZE_FAILURE,
  getSignatureFromTransaction,
  isSolanaError,
  unwrapSimulationError,
} from '@solana/kit';
import type { SendOutcome } from '@subrail/core/ports';
import { MalformedResponse } from './rpc/response-fields.js';
import type { Ask } from './rpc/failover.js';
import { inParallel } from './rpc/in-parallel.js';
import { decodeWire, wireOf } from './wire.js';

/** How many transactions are being handed over at once. */
const SENDS_AT_ONCE = 16;

/**
 * Hands transactions to the chain without a trial run by the node (`skipPreflight`).
 *
 * A trial run tells how this transaction would fare now, never that an earlier copy of it did not land or will not: the
 * node may lag, the state may change, and a copy may be on its way from before a crash. Taken for a refusal it would
 * make a payment that lands unknown to the records. So what became of a transaction is only ever looked up by its
 * signature, and one that fails costs the charger a fee of some lamports.
 */
export async function send(wires: readonly string[], ask: Ask): Promise<SendOutcome[]> {
  return inParallel(wires, SENDS_AT_ONCE, (wire) => sendOne(wire, ask));
}

async function sendOne(wire: string, ask: Ask): Promise<SendOutcome> {
  const decoded = decodeWire(wire);
  if (decoded === null) {
    const code = SOLANA_ERROR__TRANSACTION_ERROR__SANITIZE_FAILURE;
    return { kind: 'refused', refusal: { kind: 'chain', code } };
  }
  const signature = getSignatureFromTransaction(decoded.transaction);
  const answer = await ask<SendOutcome>({
    put: (rpc, signal) =>
      rpc
        .sendTransaction(wireOf(decoded.transaction), { encoding: 'base64', skipPreflight: true })
        .send({ abortSignal: signal }),
    read: (answered) => {
      if (answered !== signature) throw new MalformedResponse('signature');
      return { kind: 'sent' };
    },
    readError: (thrown) => (alreadyProcessed(thrown) ? { kind: 'sent' } : undefined),
  });
  return answer.ok ? answer.value : { kind: 'unknown' };
}

/** Some providers run a trial all the same; this one answer of it is proof. */
function alreadyProcessed(thrown: unknown): boolean {
  return isSolanaError(unwrapSimulationError(thrown), SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED);
}
