import {
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getTransactionDecoder,
  partiallySignTransaction,
  type GetSignatureStatusesApi,
  type KeyPairSigner,
  type Rpc,
  type SendTransactionApi,
  type Signature,
} from '@solana/kit';
import { pause } from '../../pause.js';

const POLL_MS = 500;
/** A transaction that has not landed by then has expired. */
const POLLS = 180;

/** Why a transaction that was to be signed and sent has not landed, as far as is known, in a sentence for a person. */
export class NotLanded extends Error {
  override readonly name = 'NotLanded';
}

/** The options of `sendSigned`. */
export interface SendSignedOptions {
  readonly rpc: Rpc<SendTransactionApi & GetSignatureStatusesApi>;
  /** The key that signs, such as that of a plan's owner. */
  readonly signer: KeyPairSigner;
  /** The transaction in base64, as the service built it. Signatures that it has already stay. */
  readonly transaction: string;
}

/**
 * Signs a transaction that the service built, sends it, and waits up to 90 seconds until the chain has confirmed it. Returns the
 * signature by which the chain knows it, in base58.
 *
 * @throws NotLanded when it cannot be sent, the chain refuses it, or it is not confirmed in time and may still land
 * @example
 * import { createSolanaRpc, generateKeyPairSigner } from '@solana/kit';
 *
 * const rpc = createSolanaRpc('https://api.devnet.solana.com');
 * const signer = await generateKeyPairSigner();
 * const { transaction } = await shop.plans.publish('pro');
 * await sendSigned({ rpc, signer, transaction });
 * await shop.plans.confirmPublish('pro');
 */
export async function sendSigned({ rpc, signer, transaction }: SendSignedOptions): Promise<Signature> {
  const signature = await signAndSend(rpc, signer, transaction);
  for (let poll = 0; poll < POLLS; poll++) {
    // An answer that does not come says nothing about the transaction: the next one may.
    const [status] = await rpc
      .getSignatureStatuses([signature])
      .send()
      .then(
        ({ value }) => value,
        () => [null],
      );
    if (status?.err != null) throw new NotLanded(`The chain refused the transaction ${signature}.`);
    if (status?.confirmationStatus === 'confirmed' || status?.confirmationStatus === 'finalized')
      return signature;
    await pause(POLL_MS);
  }
  throw new NotLanded(
    `The transaction ${signature} was sent and has not landed within 90 seconds. Do the same again: it finds out whether it did.`,
  );
}

async function signAndSend(
  rpc: SendSignedOptions['rpc'],
  signer: KeyPairSigner,
  built: string,
): Promise<Signature> {
  try {
    const transaction = getTransactionDecoder().decode(getBase64Encoder().encode(built));
    const signed = await partiallySignTransaction([signer.keyPair], transaction);
    const wire = getBase64EncodedWireTransaction(signed);
    return await rpc.sendTransaction(wire, { encoding: 'base64', preflightCommitment: 'confirmed' }).send();
  } catch (cause) {
    const causes = cause instanceof Error ? [cause, cause.cause] : [];
    const reasons = causes.flatMap((one) => (one instanceof Error ? one.message : []));
    throw new NotLanded(`The transaction was not sent: ${reasons.join(': ')}`, { cause });
  }
}
