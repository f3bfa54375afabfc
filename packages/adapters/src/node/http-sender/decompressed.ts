import type { Transform } from 'node:stream';
import { constants, createBrotliDecompress, createInflateRaw, createUnzip } from 'node:zlib';
import { EXCERPT_BYTES } from '../../excerpt.js';

/** A cut body is no error, and chunks are as small as an excerpt. */
const cut = { finishFlush: constants.Z_SYNC_FLUSH, chunkSize: EXCERPT_BYTES };
const cutBrotli = { finishFlush: constants.BROTLI_OPERATION_FLUSH, chunkSize: EXCERPT_BYTES };

const DECODERS: Readonly<Record<string, (start: Uint8Array) => Transform | null>> = {
  identity: () => null,
  gzip: () => createUnzip(cut),
  'x-gzip': () => createUnzip(cut),
  // Some servers leave out the two bytes of the header, of which the first ends in 8.
  deflate: ([first = 0]) => ((first & 0x0f) === 8 ? createUnzip(cut) : createInflateRaw(cut)),
  br: () => createBrotliDecompress(cutBrotli),
};

/**
 * Decompresses the start of a body by its `Content-Encoding`, as far as an excerpt needs it: some servers
 * compress unasked. A body that does not match its encoding is returned as it is; null means an unknown
 * encoding.
 */
export async function decompressed(start: Uint8Array, contentEncoding: string): Promise<Uint8Array | null> {
  const encodings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((encoding) => encoding.trim());
  let body = start;
  for (const encoding of encodings.slice(0, 3).reverse()) {
    const decoder = DECODERS[encoding]?.(body);
    if (decoder === undefined) return null;
    if (decoder !== null) body = await startOf(decoder.end(body), body);
  }
  return body;
}

/** The first bytes of a decoder; the body when there are none. */
async function startOf(decoder: Transform, body: Uint8Array): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of decoder as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= EXCERPT_BYTES) break;
    }
  } catch {
    if (length === 0) return body;
  }
  return Buffer.concat(chunks);
}
