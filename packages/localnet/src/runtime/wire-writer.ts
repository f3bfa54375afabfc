/** Writes the parts of a transaction in the order of its bytes. */
export class WireWriter {
  #wire = new Uint8Array(1024);
  #end = 0;

  byte(byte: number): void {
    this.#reserve(1);
    this.#wire[this.#end++] = byte;
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#wire.set(bytes, this.#end);
    this.#end += bytes.length;
  }

  zeros(count: number): void {
    this.#reserve(count);
    this.#end += count;
  }

  /** Writes a compact-u16: seven bits in each byte, the high bit on all but the last. */
  length(length: number): void {
    let left = length;
    while (left >= 0x80) {
      this.byte((left & 0x7f) | 0x80);
      left >>= 7;
    }
    this.byte(left);
  }

  written(): Uint8Array {
    return this.#wire.subarray(0, this.#end);
  }

  #reserve(more: number): void {
    if (this.#end + more <= this.#wire.length) return;
    const larger = new Uint8Array(Math.max(2 * this.#wire.length, this.#end + more));
    larger.set(this.#wire.subarray(0, this.#end));
    this.#wire = larger;
  }
}
