/** The first bytes of every Zstandard frame. */
const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];

/** A frame of one segment, with the size of the content in four bytes, without checksum and dictionary. */
const DESCRIPTOR = 0xa0;

/** The most bytes that a block holds. */
const BLOCK_LIMIT = 128 * 1_024;

/** Writes bytes as an uncompressed Zstandard frame, the default encoding of Rust clients. */
export function zstdFrame(content: Uint8Array): Uint8Array {
  const blocks = Math.max(1, Math.ceil(content.length / BLOCK_LIMIT));
  const size = MAGIC.length + 1 + 4 + blocks * 3 + content.length;
  const frame = new Uint8Array(size);
  const view = new DataView(frame.buffer);
  frame.set([...MAGIC, DESCRIPTOR]);
  view.setUint32(MAGIC.length + 1, content.length, true);
  let at = MAGIC.length + 5;
  for (let block = 0; block < blocks; block++) {
    const bytes = content.subarray(block * BLOCK_LIMIT, (block + 1) * BLOCK_LIMIT);
    // Three bytes: whether it is the last block, the type 0 (as it is), and the length.
    const header = (block === blocks - 1 ? 1 : 0) | (bytes.length << 3);
    frame.set([header & 0xff, (header >> 8) & 0xff, header >> 16], at);
    frame.set(bytes, at + 3);
    at += 3 + bytes.length;
  }
  return frame;
}
