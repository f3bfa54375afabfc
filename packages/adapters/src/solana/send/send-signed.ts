import {
  type Blockhash,
  type GetSignatureStatusesApi,
  type IsBlockhashValidApi,
  type KeyPairSigner,
  type Rpc,
  type SendTransactionApi,
  type Signature,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getSignatureFromTransaction,
  getTransactionDecoder,
  isSolanaError,
  partiallySignTransaction,
  unwrapSimulationError,
} from '@solana/kit';
import { pause } from '../../pause.js';
import { encodeWire } from '../transaction/wire.js';

const POLL_MS = 500;
const POLLS = 180;
/** Polls before an expiry is believed: a server that is behind does not know a new blockhash yet. */
const POLLS_BEFORE_EXPIRY = 120;
/** Errors of Node's sockets by which a request never reached the server. */
const NEVER_REACHED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];

/** Says in a sentence for a person why a transaction has not landed, or that it failed on chain. */
export class NotLanded extends Error {
  override readonly name = 'NotLanded';
}

/** The options of `sendSigned`. */
export interface SendSignedOptions {
  readonly rpc: Rpc<SendTransactionApi & GetSignatureStatusesApi & IsBlockhashValidApi>;
  /** The key that signs, such as that of a plan's owner. */
  readonly signer: KeyPairSigner;
  /** The transaction in base64, as the service built it. Signatures that it has already stay. */
  readonly transaction: string;
}

/**
 * Signs a transaction that the service built, sends it, and waits until the chain has confirmed it, for about
 * 90 seconds, also when the sending got no answer: it may have arrived. Returns the signature of the
 * transaction, in base58.
 *
 * @throws NotLanded when it is not sent, is refused, expires, or is not confirmed in time and may still land
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
  const { wire, signature, blockhash } = await sign(signer, transaction);
  const unanswered = await send(rpc, wire);
  const subject =
    unanswered === null
      ? `The transaction ${signature}`
      : `The sending of the transaction ${signature} got no answer (${unanswered}). It`;
  for (let poll = 0; poll < POLLS; poll++) {
    // Read before the status: the transaction may land in the last block of its blockhash.
    const expired = poll >= POLLS_BEFORE_EXPIRY && (await isExpired(rpc, blockhash));
    const status = await readStatus(rpc, signature);
    if (status?.err != null) throw new NotLanded(`The chain refused the transaction ${signature}.`);
    if (status?.confirmationStatus === 'confirmed' || status?.confirmationStatus === 'finalized')
      return signature;
    if (expired && status === null)
      throw new NotLanded(
        `${subject} has not landed, and can no longer land: its blockhash has expired. Do the same again.`,
      );
    await pause(POLL_MS);
  }
  const sent = unanswered === null ? `${subject} was sent and` : subject;
  throw new NotLanded(
    `${sent} has not landed within 90 seconds. Do the same again: it finds out whether it did.`,
  );
}

async function sign(signer: KeyPairSigner, built: string) {
  try {
    const transaction = getTransactionDecoder().decode(getBase64Encoder().encode(built));
    const signed = await partiallySignTransaction([signer.keyPair], transaction);
    const message = getCompiledTransactionMessageDecoder().decode(signed.messageBytes);
    return {
      wire: encodeWire(signed),
      signature: getSignatureFromTransaction(signed),
      blockhash: message.lifetimeToken as Blockhash,
    };
  } catch (cause) {
    throw notSent(cause);
  }
}

/**
 * Sends a transaction. Returns null, or why no answer came.
 *
 * @throws NotLanded when the server refused the transaction or was never reached
 */
async function send(
  rpc: SendSignedOptions['rpc'],
  wire: ReturnType<typeof encodeWire>,
): Promise<string | null> {
  try {
    await rpc.sendTransaction(wire, { encoding: 'base64', preflightCommitment: 'confirmed' }).send();
    return null;
  } catch (error) {
    if (isSolanaError(unwrapSimulationError(error), SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED))
      return null;
    if (isUnanswered(error)) return reasonsOf(error);
    throw notSent(error);
  }
}

function isUnanswered(error: unknown): boolean {
  // An error of a proxy, behind which a node may have taken the transaction.
  if (isSolanaError(error, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)) return error.context.statusCode >= 500;
  const cause = error instanceof Error ? error.cause : null;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return !isSolanaError(error) && !NEVER_REACHED.includes(code);
}

function notSent(cause: unknown): NotLanded {
  return new NotLanded(`The transaction was not sent: ${reasonsOf(cause)}`, { cause });
}

function reasonsOf(error: unknown): string {
  const errors = error instanceof Error ? [error, error.cause] : [];
  return errors.flatMap((each) => (each instanceof Error ? each.message : [])).join(': ');
}

/** Reads the status of a transaction; null when there is none yet, undefined when no answer comes. */
async function readStatus(rpc: SendSignedOptions['rpc'], signature: Signature) {
  try {
    const { value } = await rpc.getSignatureStatuses([signature]).send();
    return value[0] ?? null;
  } catch {
    return undefined;
  }
}

async function isExpired(rpc: SendSignedOptions['rpc'], blockhash: Blockhash): Promise<boolean> {
  try {
    const { value } = await rpc.isBlockhashValid(blockhash, { commitment: 'confirmed' }).send();
    return !value;
  } catch {
    return false;
  }
}
