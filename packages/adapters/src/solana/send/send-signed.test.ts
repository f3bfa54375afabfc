import {
  appendTransactionMessageInstructions,
  blockhash,
  compileTransaction,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
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
const transaction = pipe(
  createTransactionMessage({ version: 0 }),
  (message) => setTransactionMessageFeePayer(signer.address, message),
  (message) =>
    setTransactionMessageLifetimeUsingBlockhash(
      { blockhash: blockhash(signer.address), lastValidBlockHeight: 1n },
      message,
    ),
  (message) => appendTransactionMessageInstructions([], message),
  compileTransaction,
  getBase64EncodedWireTransaction,
);

type Status = { readonly err: unknown; readonly confirmationStatus: string } | null;

/** Sends over a server with these answers about the transaction, the last of them again and again. */
async function send(answers: readonly (Status | Error)[], sent: () => string = () => 'signature') {
  let asked = 0;
  const rpc = {
    sendTransaction: () => ({ send: async () => sent() }),
    getSignatureStatuses: () => ({
      async send() {
        const answer = answers[Math.min(asked++, answers.length - 1)];
        if (answer instanceof Error) throw answer;
        return { value: [answer] };
      },
    }),
  } as unknown as SendSignedOptions['rpc'];
  const over = new AbortController();
  const ended = sendSigned({ rpc, signer, transaction })
    .catch((error: unknown) => error)
    .finally(() => over.abort());
  while (!over.signal.aborted) {
    await vi.advanceTimersByTimeAsync(500);
    // Signing takes real time, which no timer shows.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return ended;
}

const confirmed = { err: null, confirmationStatus: 'confirmed' };

it.each([
  ['at once', [confirmed]],
  ['finalized', [{ err: null, confirmationStatus: 'finalized' }]],
  ['after it was only processed', [{ err: null, confirmationStatus: 'processed' }, confirmed]],
  ['after an answer that was lost', [new Error('no answer'), null, confirmed]],
])('returns the signature once the chain has confirmed it: %s', async (_, answers) => {
  expect(await send(answers)).toBe('signature');
});

it.each([
  [
    'refused by the chain',
    [{ ...confirmed, err: 'AccountInUse' }],
    /^The chain refused the transaction signature\.$/,
  ],
  [
    'not landed in time',
    [null],
    /^The transaction signature was sent and has not landed within 90 seconds\./,
  ],
])('says why it is %s', async (_, answers, sentence) => {
  const error = await send(answers);
  expect(error).toBeInstanceOf(NotLanded);
  expect((error as Error).message).toMatch(sentence);
});

it('says what kept it from being sent, and the cause of that', async () => {
  const error = await send([], () => {
    throw new Error('Simulation failed', { cause: new Error('insufficient funds') });
  });
  expect(error).toEqual(new NotLanded('The transaction was not sent: Simulation failed: insufficient funds'));
});
