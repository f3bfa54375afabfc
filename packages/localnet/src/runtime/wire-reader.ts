/** Thrown for bytes that are not a transaction of a supported form. The message says why. */
export class MalformedTransaction extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MalformedTransaction';
  }
}

/** Reads the parts of a transaction in the order of its bytes. */
export class WireReader {
  offset = 0;

  constructor(readonly wire: Uint8Array) {}

  byte(): number {
    const byte = this.wire[this.offset++];
    if (byte === undefined) throw new MalformedTransaction('the transaction ends too early');
    return byte;
  }

  bytes(length: number): Uint8Array {
    if (this.offset + length > this.wire.length) {
      throw new MalformedTransaction('the transaction ends too early');
    }
    const bytes = this.wire.subarray(this.offset, this.offset + length);
    this.offset += length;
    return bytes;
  }

  /** Reads a compact-u16: seven bits in each byte, at most three bytes, in its shortest form. */
  length(): number {
    let value = 0;
    for (let position = 0; position < 3; position++) {
      const byte = this.byte();
      value |= (byte & 0x7f) << (7 * position);
      if (byte < 0x80) {
        if ((byte === 0 && position > 0) || value > 0xffff) break;
        return value;
      }
    }
    throw new MalformedTransaction('a length of the transaction is not a compact-u16');
  }

  list<T>(item: () => T): T[] {
    const items: T[] = [];
    for (let left = this.length(); left > 0; left--) items.push(item());
    return items;
  }

  /** @throws {MalformedTransaction} when bytes are left */
  end(): void {
    if (this.offset !== this.wire.length) {
      throw new MalformedTransaction(`${this.wire.length - this.offset} bytes follow the transaction`);
    }
  }
}
