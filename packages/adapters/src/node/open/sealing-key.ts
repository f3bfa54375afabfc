import { describe } from './describe.js';

const KEY_BYTES = 32;
const HEX = /^[0-9a-f]{64}$/i;
const EXPECTED = '32 bytes, or a text of them: 64 hexadecimal digits, or base64';

/**
 * Reads a sealing key from text: 64 hexadecimal digits, or the base64 of 32 bytes. Space around it is ignored, so that
 * the content of a file may end with a line break.
 *
 * @throws TypeError when the text is neither; the message never contains any of it
 * @example
 * const sealingKey = sealingKeyFromText(process.env.SEALING_KEY ?? '');
 */
export function sealingKeyFromText(text: string): Uint8Array {
  const key = parse(text);
  if (key === null) throw new TypeError(`The sealing key must be ${EXPECTED}; it is ${describe(text)}.`);
  return key;
}

/** The bytes of the option `sealingKey`. Throws a TypeError, whose message never has any of the key. */
export function sealingKeyBytes(option: unknown): Uint8Array {
  return keyBytes('"sealingKey"', option);
}

/** The bytes of each key of the option `olderSealingKeys`. Throws a TypeError, whose message never has any of a key. */
export function olderSealingKeyBytes(option: unknown): readonly Uint8Array[] {
  if (!Array.isArray(option)) {
    throw new TypeError(`"olderSealingKeys" must be a list of sealing keys; it is ${describeKey(option)}.`);
  }
  return option.map((key, index) => keyBytes(`Item ${index + 1} of "olderSealingKeys"`, key));
}

function keyBytes(which: string, option: unknown): Uint8Array {
  const key = typeof option === 'string' ? parse(option) : option;
  if (key instanceof Uint8Array && key.length === KEY_BYTES) return key;
  throw new TypeError(`${which} must be ${EXPECTED}; it is ${describeKey(option)}.`);
}

function parse(text: string): Uint8Array | null {
  const trimmed = text.trim();
  const isHex = HEX.test(trimmed);
  const bytes = Buffer.from(trimmed, isHex ? 'hex' : 'base64');
  // Node's decoder ignores characters that are not base64, so a text is valid only if encoding its bytes gives it back.
  if (!isHex && bytes.toString('base64') !== trimmed) return null;
  return bytes.length === KEY_BYTES ? Uint8Array.from(bytes) : null;
}

function describeKey(key: unknown): string {
  return key instanceof Uint8Array ? `${key.length} bytes` : describe(key);
}
