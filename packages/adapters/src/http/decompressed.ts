import { brotliDecompressSync, constants, inflateRawSync, unzipSync } from 'node:zlib';

/** The start of a body is kept in no more than this, however small it was when compressed. */
const LONGEST = 256 * 1_024;

const cut = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: LONGEST };
const cutBrotli = { finishFlush: constants.BROTLI_OPERATION_FLUSH, maxOutputLength: LONGEST };

const DECODERS: Readonly<Record<string, (start: Uint8Array) => Uint8Array>> = {
  identity: (start) => start,
  gzip: (start) => unzipSync(start, cut),
  'x-gzip': (start) => unzipSync(start, cut),
  // Some servers leave out the header of two bytes, of which the first ends in 8.
  deflate: (start) => (((start[0] ?? 0) & 0x0f) === 8 ? unzipSync(start, cut) : inflateRawSync(start, cut)),
  br: (start) => brotliDecompressSync(start, cutBrotli),
};

/**
 * Decompresses the start of a body, cut anywhere, as its `Content-Encoding` says. No answer is asked to be compressed, and some servers
 * compress each. A body that is not what the header says is returned as it is. Returns null when the encoding is unknown or what comes
 * out is longer than any excerpt needs.
 */
export function decompressed(start: Uint8Array, contentEncoding: string): Uint8Array | null {
  const encodings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((encoding) => encoding.trim());
  let body = start;
  for (const encoding of encodings.slice(0, 3).reverse()) {
    const decode = DECODERS[encoding];
    if (decode === undefined) return null;
    try {
      body = decode(body);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? null : body;
    }
  }
  return body;
}
