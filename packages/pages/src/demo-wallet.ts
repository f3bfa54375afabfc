import type { HandlerRequest, HandlerResponse } from '@subrail/core';
import { readBody } from './read-body.js';

/** A wallet of a local chain, whose keys the server has: no browser's wallet knows that chain. */
export interface DemoWallet {
  /** Returns the visitor's account, which has SOL and tokens: its address, and the same as 32 bytes. */
  open(visitor: string): Promise<{ readonly address: string; readonly publicKey: Uint8Array }>;
  /** Signs with that account: a text to a signature, a transaction to the signed one. */
  sign(visitor: string, what: 'message' | 'transaction', bytes: Uint8Array): Promise<Uint8Array>;
}

const PATH = '/demo-wallet/v1/';

/** Larger than any transaction and any terms in base64. */
const MOST_BYTES = 8_000;

/** The name that a page gives itself: nobody guesses that of another. */
const VISITOR = /^[0-9a-f-]{36}$/;

/**
 * Answers the calls of the demo wallet of a page; null for any other. As for customers, a call without the
 * header `Service-Version` is refused, so that no page of another origin signs anything.
 */
export async function answerDemoWallet(
  wallet: DemoWallet,
  request: HandlerRequest,
  path: string,
): Promise<HandlerResponse | null> {
  if (request.method !== 'POST' || !path.startsWith(PATH)) return null;
  const body = request.header('service-version') === null ? null : await readBody(request, MOST_BYTES);
  if (body === null) return answer(400, {});
  const { visitor, what, bytes } = body;
  if (typeof visitor !== 'string' || !VISITOR.test(visitor)) return answer(400, {});
  switch (path.slice(PATH.length)) {
    case 'open': {
      const { address, publicKey } = await wallet.open(visitor);
      return answer(200, { address, bytes: toBase64(publicKey) });
    }
    case 'sign': {
      if ((what !== 'message' && what !== 'transaction') || typeof bytes !== 'string') return answer(400, {});
      const signed = await signOrNull(() => wallet.sign(visitor, what, fromBase64(bytes)));
      return signed === null ? answer(400, {}) : answer(200, { bytes: toBase64(signed) });
    }
    default:
      return null;
  }
}

/** The signature or the signed transaction; null when the bytes are neither text nor transaction. */
async function signOrNull(sign: () => Promise<Uint8Array>): Promise<Uint8Array | null> {
  try {
    return await sign();
  } catch {
    return null;
  }
}

function answer(status: number, body: object): HandlerResponse {
  return {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
    body: JSON.stringify(body),
  };
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
