import type { KeyPairSigner, Rpc, Signature, SolanaRpcApi } from '@solana/kit';
import { createClock } from '@subrail/adapters/clock';
import { CommandFailed } from './command-failed.js';

const POLL_MS = 500;
/** A transaction that has not landed by then has expired. */
const POLLS = 180;

/**
 * Signs a transaction that the service built, sends it, and waits until the chain has it.
 * @throws CommandFailed when it cannot be signed or sent, or the chain refuses it
 */
export async function sendSigned(
  rpc: Rpc<SolanaRpcApi>,
  signer: KeyPairSigner,
  transaction: string,
): Promise<Signature> {
  const signature = await send(rpc, signer, transaction);
  const clock = createClock();
  for (let poll = 0; poll < POLLS; poll++) {
    // An answer that does not come says nothing about the transaction: the next one may.
    const [status] = await rpc
      .getSignatureStatuses([signature])
      .send()
      .then(
        ({ value }) => value,
        () => [null],
      );
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

async function send(rpc: Rpc<SolanaRpcApi>, signer: KeyPairSigner, transaction: string): Promise<Signature> {
  const { sendTransaction, signTransaction } = await import('@subrail/localnet');
  try {
    return await sendTransaction(rpc, await signTransaction(signer, transaction));
  } catch (cause) {
    const causes = cause instanceof Error ? [cause, cause.cause] : [];
    const reasons = causes.flatMap((one) => (one instanceof Error ? one.message : []));
    throw new CommandFailed(`The transaction was not sent: ${reasons.join(': ')}`, { cause });
  }
}
