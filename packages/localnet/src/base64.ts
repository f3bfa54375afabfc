/** The base64 text of any bytes. */
export function encodeBase64(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.length).toString('base64');
}

/** The bytes of a base64 text, in a fresh array. */
export function decodeBase64(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, 'base64'));
}
