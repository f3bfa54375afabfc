import type { CryptoProvider } from '../ports/crypto.js';
import { toBase64 } from './base64.js';

/** What a signature is made of: the delivery's id, the attempt's Unix time in seconds and the body as sent. */
export interface Signed {
  readonly id: string;
  readonly timestamp: string;
  readonly body: string | Uint8Array;
}

const encoder = new TextEncoder();

/** One signature in the form of the Standard Webhooks: `v1,` and base64 HMAC-SHA256 of `<id>.<timestamp>.<body>`. */
export async function signature(
  crypto: Pick<CryptoProvider, 'mac'>,
  key: Uint8Array,
  { id, timestamp, body }: Signed,
): Promise<string> {
  const head = encoder.encode(`${id}.${timestamp}.`);
  const tail = typeof body === 'string' ? encoder.encode(body) : body;
  const content = new Uint8Array(head.length + tail.length);
  content.set(head);
  content.set(tail, head.length);
  return `v1,${toBase64(await crypto.mac(key, content))}`;
}

/** The `webhook-signature` header: a signature by each key, in the order given. */
export async function signatures(
  crypto: Pick<CryptoProvider, 'mac'>,
  keys: readonly Uint8Array[],
  signed: Signed,
): Promise<string> {
  return (await Promise.all(keys.map((key) => signature(crypto, key, signed)))).join(' ');
}
