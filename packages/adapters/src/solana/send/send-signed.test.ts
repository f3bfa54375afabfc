import {
  appendTransactionMessageInstructions,
  blockhash,
  compileTransaction,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase58Decoder,
  getBase64EncodedWireTransaction,
  partiallySignTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  SolanaError,
} from '@solana/kit';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { NotLanded, sendSigned, type SendSignedOptions } from './send-signed.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const signer = await generateKeyPairSigner();
const built = pipe(
  createTransactionMessage({ version: 0 }),
  (message) => setTransactionMessageFeePayer(signer.address, message),
  (message) =>
    setTransactionMessageLifetimeUsingBlockhash(
      { blockhash: blockhash(signer.address), lastValidBlockHeight: 1n },
      message,
    ),
  (message) => appendTransactionMessageInstructions([], message),
  compileTransaction,
);
const transaction = getBase64EncodedWireTransaction(built);
const { signatures } = await partiallySignTransaction([signer.keyPair], built);
const signature = getBase58Decoder().decode(signatures[signer.address] ?? new Uint8Array());

type Status = { readonly err: unknown; readonly confirmationStatus: string } | null;

interface Server {
  /** The answers about the transaction, the last of them again and again. */
  readonly statuses: readonly (Status | Error)[];
  readonly sending?: Error;
  /** How long the blockhash is valid. */
  readonly validMs?: number;
}

/** Sends over a server. Returns the result, and how many milliseconds after the sending it came. */
async function send({ statuses, sending, validMs = Infinity }: Server) {
  let asked = 0;
  let elapsed = 0;
  const answering = (answer: () => unknown) => () => ({ send: async () => answer() });
  const rpc = {
    sendTransaction: answering(() => {
      elapsed = 0;
      if (sending !== undefined) throw sending;
      return signature;
    }),
    getSignatureStatuses: answering(() => {
      const answer = statuses[Math.min(asked++, statuses.length - 1)];
      if (answer instanceof Error) throw answer;
      return { value: [answer] };
    }),
    isBlockhashValid: answering(() => ({ value: elapsed < validMs })),
  } as unknown as SendSignedOptions['rpc'];
  const over = new AbortController();
  const ended = sendSigned({ rpc, signer, transaction })
    .catch((error: unknown) => error)
    .finally(() => over.abort());
  while (!over.signal.aborted) {
    await vi.advanceTimersByTimeAsync(500);
    elapsed += 500;
    // Signing takes real time, which no timer shows.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { result: await ended, elapsed };
}

const confirmed = { err: null, confirmationStatus: 'confirmed' };
const lost = new TypeError('fetch failed', { cause: new Error('socket hang up') });
const httpError = (statusCode: number) =>
  new SolanaError(SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, {
    statusCode,
    message: 'no',
    headers: new Headers(),
  });

it.each<[string, Server]>([
  ['at once', { statuses: [confirmed] }],
  ['finalized', { statuses: [{ err: null, confirmationStatus: 'finalized' }] }],
  ['after only processed', { statuses: [{ err: null, confirmationStatus: 'processed' }, confirmed] }],
  ['after an answer that was lost', { statuses: [new Error('no answer'), null, confirmed] }],
  ['although the answer to the sending was lost', { statuses: [null, confirmed], sending: lost }],
  ['although a proxy answered the sending', { statuses: [null, confirmed], sending: httpError(504) }],
])('returns the signature once the chain has confirmed it: %s', async (_, server) => {
  expect((await send(server)).result).toBe(signature);
});

const UNTIL_EXPIRED = 'has not landed, and can no longer land: its blockhash has expired. Do the same again.';
const STILL_UNKNOWN = 'has not landed within 90 seconds. Do the same again: it finds out whether it did.';
const LOST = `The sending of the transaction ${signature} got no answer (fetch failed: socket hang up). It`;

it.each<[string, Server, string, number]>([
  [
    'refused by the chain',
    { statuses: [{ ...confirmed, err: 'AccountInUse' }] },
    `The chain refused the transaction ${signature}.`,
    0,
  ],
  ['expired', { statuses: [null], validMs: 1 }, `The transaction ${signature} ${UNTIL_EXPIRED}`, 60_000],
  [
    'not landed in time',
    { statuses: [null] },
    `The transaction ${signature} was sent and ${STILL_UNKNOWN}`,
    90_000,
  ],
  ['lost and expired', { statuses: [null], sending: lost, validMs: 1 }, `${LOST} ${UNTIL_EXPIRED}`, 60_000],
  ['lost and not landed in time', { statuses: [null], sending: lost }, `${LOST} ${STILL_UNKNOWN}`, 90_000],
])('says what is known when it is %s', async (_, server, sentence, after) => {
  const { result, elapsed } = await send(server);
  expect(result).toBeInstanceOf(NotLanded);
  expect((result as Error).message).toBe(sentence);
  expect(elapsed).toBeGreaterThanOrEqual(after);
  expect(elapsed).toBeLessThan(after + 5_000);
});

it('finds a transaction that lands in the last block of its blockhash', async () => {
  const statuses = [...Array<null>(120).fill(null), confirmed];
  expect((await send({ statuses, validMs: 60_000 })).result).toBe(signature);
});

it.each([
  ['refuses', httpError(400), /^The transaction was not sent: HTTP error \(400\)/],
  [
    'is not there to take',
    new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) }),
    /^The transaction was not sent: fetch failed: refused$/,
  ],
])('says at once that it was not sent when the server %s it', async (_, sending, sentence) => {
  const { result, elapsed } = await send({ statuses: [confirmed], sending });
  expect(result).toBeInstanceOf(NotLanded);
  expect((result as Error).message).toMatch(sentence);
  expect(elapsed).toBeLessThan(5_000);
});
