import { toHex } from './hex.js';

/** Lengths in AES-256-GCM, in bytes. */
export const KEY_BYTES = 32;
export const NONCE_BYTES = 12;
export const TAG_BYTES = 16;

/** The id of the key, and what it sealed. */
const SEALED = /^v2\.(?<keyId>[0-9a-f]{16})\.(?<content>[\w-]*)$/;

/** The form of earlier releases, without the key. */
const SEALED_BEFORE = /^v1\.(?<content>[\w-]*)$/;

const KEY_ID_BYTES = 8;

/** The text whose HMAC names a key. */
const KEY_ID_LABEL = new TextEncoder().encode('subrail sealing key');

export interface SealedParts {
  readonly nonce: Uint8Array<ArrayBuffer>;
  readonly tag: Uint8Array<ArrayBuffer>;
  readonly ciphertext: Uint8Array<ArrayBuffer>;
}

export interface SealedText {
  /** The key that sealed it. Null: the text does not say. */
  readonly keyId: string | null;
  readonly parts: SealedParts;
}

/** The name of a sealing key in what it sealed: 16 hexadecimal digits that do not lead back to it. */
export async function keyIdOf(
  key: Uint8Array,
  mac: (key: Uint8Array, data: Uint8Array) => Promise<Uint8Array>,
): Promise<string> {
  return toHex((await mac(key, KEY_ID_LABEL)).subarray(0, KEY_ID_BYTES));
}

/** A sealed secret as text: `v2`, the id of the key, and nonce, tag and ciphertext in base64url. */
export function packSealed(keyId: string, { nonce, tag, ciphertext }: SealedParts): string {
  return `v2.${keyId}.${toBase64Url([...nonce, ...tag, ...ciphertext])}`;
}

/**
 * Reads a text of `packSealed` or of an earlier release. Throws for any other text, even one that decodes to
 * the same bytes.
 */
export function unpackSealed(sealed: string): SealedText {
  const { keyId = null, content } = (SEALED.exec(sealed) ?? SEALED_BEFORE.exec(sealed))?.groups ?? {};
  const bytes = content === undefined ? null : fromBase64Url(content);
  if (bytes === null || bytes.length < NONCE_BYTES + TAG_BYTES) {
    throw new Error(
      'A sealed secret cannot be opened: the stored text was changed, or was not written by this release.',
    );
  }
  const parts = {
    nonce: bytes.slice(0, NONCE_BYTES),
    tag: bytes.slice(NONCE_BYTES, NONCE_BYTES + TAG_BYTES),
    ciphertext: bytes.slice(NONCE_BYTES + TAG_BYTES),
  };
  return { keyId, parts };
}

function toBase64Url(bytes: Iterable<number>): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Decodes base64url. Null for a text that `toBase64Url` does not write: `atob` is lenient. */
function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | null {
  if (text.length % 4 === 1) return null;
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  return toBase64Url(bytes) === text ? bytes : null;
}
