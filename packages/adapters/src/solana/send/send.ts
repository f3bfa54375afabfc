import {
  SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED,
  SOLANA_ERROR__TRANSACTION_ERROR__SANITIZE_FAILURE,
  getSignatureFromTransaction,
  isSolanaError,
  unwrapSimulationError,
} from '@solana/kit';
import { Semaphore, type SendOutcome } from '@subrail/core/ports';
import { MalformedResponse } from '../rpc/response-fields.js';
import type { CallRpc } from '../rpc/failover.js';
import type { SentTransactions } from './sent-transactions.js';
import { decodeWire, encodeWire } from '../transaction/wire.js';

/** The number of transactions to send at the same time. */
const MAX_CONCURRENT_SENDS = 16;

/**
 * Sends transactions to every endpoint (attempts#every-url-gets-the-bytes), without preflight, so that a
 * failing one costs the fee.
 *
 * A failed preflight does not prove that no copy landed or will land: the node may be behind, and a copy may
 * have been sent before a crash. As a refusal it could hide a landed payment, so only a read by signature
 * decides the outcome (attempts#send-timeout-proves-nothing).
 */
export async function send(wires: readonly string[], to: Destination): Promise<SendOutcome[]> {
  return new Semaphore(MAX_CONCURRENT_SENDS).map(wires, (wire) => sendOne(wire, to));
}

/** The receivers of transactions, and the memory of sent ones. */
interface Destination {
  /** Calls every endpoint, because one may accept a transaction and drop it. */
  readonly callEvery: CallRpc;
  readonly sent: SentTransactions;
}

async function sendOne(wire: string, { callEvery, sent }: Destination): Promise<SendOutcome> {
  const decoded = decodeWire(wire);
  if (decoded === null) {
    const code = SOLANA_ERROR__TRANSACTION_ERROR__SANITIZE_FAILURE;
    return { kind: 'refused', refusal: { kind: 'chain', code } };
  }
  const signature = getSignatureFromTransaction(decoded.transaction);
  sent.add(signature);
  const result = await callEvery<SendOutcome>({
    send: (rpc, signal) =>
      rpc
        .sendTransaction(encodeWire(decoded.transaction), { encoding: 'base64', skipPreflight: true })
        .send({ abortSignal: signal }),
    read: (response) => {
      if (response !== signature) throw new MalformedResponse('signature');
      return { kind: 'sent' };
    },
    readError: (thrown) => (alreadyProcessed(thrown) ? { kind: 'sent' } : undefined),
  });
  return result.ok ? result.value : { kind: 'unknown' };
}

/** Some providers run preflight nevertheless. Only this error of it proves that the transaction was sent. */
function alreadyProcessed(thrown: unknown): boolean {
  return isSolanaError(unwrapSimulationError(thrown), SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED);
}
