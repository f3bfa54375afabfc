/** The length of an AES key, a nonce and an authentication tag of AES-256-GCM, in bytes. */
export const KEY_BYTES = 32;
export const NONCE_BYTES = 12;
export const TAG_BYTES = 16;

/** The version that begins a sealed text, so that a later form can be added while stored secrets stay readable. */
const VERSION_PREFIX = 'v1.';

/** The parts of a sealed secret. */
export interface SealedParts {
  readonly nonce: Uint8Array<ArrayBuffer>;
  readonly tag: Uint8Array<ArrayBuffer>;
  readonly ciphertext: Uint8Array<ArrayBuffer>;
}

/** Throws a TypeError for a sealing key of another length than AES-256 takes. The message has nothing of the key. */
export function requireKeyLength({ length }: Uint8Array): void {
  if (length !== KEY_BYTES) {
    throw new TypeError(`The sealing key must have ${KEY_BYTES} bytes, but has ${length}.`);
  }
}

/** Writes a sealed secret as text: the version, then nonce, tag and ciphertext in base64url. */
export function packSealed({ nonce, tag, ciphertext }: SealedParts): string {
  return VERSION_PREFIX + toBase64Url([...nonce, ...tag, ...ciphertext]);
}

/** Reads a text of `packSealed`. Throws for any other text, also for one that merely decodes to the same bytes. */
export function unpackSealed(sealed: string): SealedParts {
  const bytes = sealed.startsWith(VERSION_PREFIX) ? fromBase64Url(sealed.slice(VERSION_PREFIX.length)) : null;
  if (bytes === null || bytes.length < NONCE_BYTES + TAG_BYTES) {
    throw new Error(
      'A sealed secret cannot be opened: the stored text was changed, or was not written by this release.',
    );
  }
  return {
    nonce: bytes.slice(0, NONCE_BYTES),
    tag: bytes.slice(NONCE_BYTES, NONCE_BYTES + TAG_BYTES),
    ciphertext: bytes.slice(NONCE_BYTES + TAG_BYTES),
  };
}

function toBase64Url(bytes: Iterable<number>): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Null for a text that `toBase64Url` does not write: decoding alone is lenient. */
function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return null;
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  return toBase64Url(bytes) === text ? bytes : null;
}
