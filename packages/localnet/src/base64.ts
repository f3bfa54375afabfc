/** The base64 text of any bytes. */
export function encodeBase64(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.length).toString('base64');
}
