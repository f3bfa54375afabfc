import type { CryptoProvider } from '../ports/crypto.js';
import type { Random } from '../ports/random.js';
import type { SigningSecret } from '../records/index.js';

const PREFIX = 'whsec_';

/** Draws a new signing secret as its owner sees it: `whsec_` and the base64 of 24 random bytes. */
export function newSecret(random: Random): string {
  return PREFIX + toBase64(random.bytes(24));
}

/** Returns the HMAC key of a secret: the base64 after `whsec_`, decoded. Null for any other text. */
export function secretKey(secret: string): Uint8Array | null {
  const key = secret.startsWith(PREFIX) ? fromBase64(secret.slice(PREFIX.length)) : null;
  return key === null || key.length === 0 ? null : key;
}

/** Encrypts a secret for storage, without an expiry. */
export async function sealSecret(
  crypto: CryptoProvider,
  secret: string,
  createdAt: Date,
): Promise<SigningSecret> {
  return { sealed: await crypto.seal(new TextEncoder().encode(secret)), createdAt, expiresAt: null };
}

/** Decrypts the HMAC key of a stored secret. Throws when it was changed, or sealed with another key. */
export async function openSecret(
  crypto: Pick<CryptoProvider, 'open'>,
  { sealed }: SigningSecret,
): Promise<Uint8Array> {
  const key = secretKey(new TextDecoder().decode(await crypto.open(sealed)));
  if (key === null) {
    throw new Error(
      'A stored signing secret did not decrypt to whsec_<base64>: it is damaged, or another kind of secret was stored.',
    );
  }
  return key;
}

/** The signed content: the delivery's id, the attempt's Unix time in seconds, and the body as sent. */
export interface SignedContent {
  readonly id: string;
  readonly timestamp: string;
  readonly body: string | Uint8Array;
}

const encoder = new TextEncoder();

/** Signs as Standard Webhooks prescribes: `v1,` and the base64 HMAC-SHA256 of `<id>.<timestamp>.<body>`. */
export async function signature(
  crypto: Pick<CryptoProvider, 'mac'>,
  key: Uint8Array,
  { id, timestamp, body }: SignedContent,
): Promise<string> {
  const head = encoder.encode(`${id}.${timestamp}.`);
  const tail = typeof body === 'string' ? encoder.encode(body) : body;
  const content = new Uint8Array(head.length + tail.length);
  content.set(head);
  content.set(tail, head.length);
  return `v1,${toBase64(await crypto.mac(key, content))}`;
}

/** Returns the `webhook-signature` header: one signature per key, in their order, separated by spaces. */
export async function signatures(
  crypto: Pick<CryptoProvider, 'mac'>,
  keys: readonly Uint8Array[],
  content: SignedContent,
): Promise<string> {
  return (await Promise.all(keys.map((key) => signature(crypto, key, content)))).join(' ');
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/** Decodes base64; null when the text is not base64. */
function fromBase64(text: string): Uint8Array | null {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}
