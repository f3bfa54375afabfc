import type { KeyPairSigner, Rpc, Signature, SolanaRpcApi } from '@solana/kit';
import { createClock } from '@subrail/adapters/clock';
import { CommandFailed } from './command-failed.js';

const POLL_MS = 500;
/** A transaction that has not landed by then has expired. */
const POLLS = 180;

/** Signs a transaction that the service built, sends it, and waits until the chain has it. */
export async function sendSigned(
  rpc: Rpc<SolanaRpcApi>,
  signer: KeyPairSigner,
  transaction: string,
): Promise<Signature> {
  const { sendTransaction, signTransaction } = await import('@subrail/localnet');
  const signature = await sendTransaction(rpc, await signTransaction(signer, transaction));
  const clock = createClock();
  for (let poll = 0; poll < POLLS; poll++) {
    const { value } = await rpc.getSignatureStatuses([signature]).send();
    const [status] = value;
    if (status?.err != null) throw new CommandFailed(`The chain refused the transaction ${signature}.`);
    if (status?.confirmationStatus === 'confirmed' || status?.confirmationStatus === 'finalized') {
      return signature;
    }
    await clock.sleep(POLL_MS);
  }
  throw new CommandFailed(
    `The transaction ${signature} was sent and has not landed within 90 seconds. Run the command again: it finds out whether it did.`,
  );
}
