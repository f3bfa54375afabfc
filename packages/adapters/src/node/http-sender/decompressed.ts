import type { Transform } from 'node:stream';
import { constants, createBrotliDecompress, createInflateRaw, createUnzip } from 'node:zlib';
import { EXCERPT_BYTES } from '../../excerpt.js';

/** A cut body is no error, and a decoder makes no more than is read of it. */
const cut = { finishFlush: constants.Z_SYNC_FLUSH, chunkSize: EXCERPT_BYTES };
const cutBrotli = { finishFlush: constants.BROTLI_OPERATION_FLUSH, chunkSize: EXCERPT_BYTES };

const DECODERS: Readonly<Record<string, (start: Uint8Array) => Transform | null>> = {
  identity: () => null,
  gzip: () => createUnzip(cut),
  'x-gzip': () => createUnzip(cut),
  // Some servers leave out the header of two bytes, of which the first ends in 8.
  deflate: ([first = 0]) => ((first & 0x0f) === 8 ? createUnzip(cut) : createInflateRaw(cut)),
  br: () => createBrotliDecompress(cutBrotli),
};

/**
 * Decompresses the start of a body, cut anywhere, as its `Content-Encoding` says, as far as an excerpt needs it. No answer is asked to be
 * compressed, and some servers compress each. A body that is not what the header says is returned as it is. Returns null when the
 * encoding is unknown.
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

/** The first bytes that a decoder makes of a body; the body when it makes none of it. */
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
