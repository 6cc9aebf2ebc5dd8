/** Seven bits of a number per byte, least significant first; the high bit marks that another byte follows. */
const MORE = 0x80;
/** Below this, bit operations are exact. */
const MAX_INT32 = 0x7f_ff_ff_ff;
const MIN_CAPACITY = 256;
/** Up to this many bytes a loop is faster than a view. */
const MAX_COPY_LOOP = 32;

/** Grows while numbers and bytes are appended. */
export class ByteWriter {
  #bytes = new Uint8Array(MIN_CAPACITY);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Appends a whole number from 0 to 2^53 - 1. */
  writeNumber(value: number): void {
    this.#reserve(8);
    let left = value;
    for (; left > MAX_INT32; left = Math.floor(left / MORE)) this.#bytes[this.#length++] = (left % MORE) | MORE;
    for (; left >= MORE; left >>>= 7) this.#bytes[this.#length++] = (left & 0x7f) | MORE;
    this.#bytes[this.#length++] = left;
  }

  /** Appends the bytes of `from` between two offsets. */
  writeBytes(from: Uint8Array, start = 0, end = from.length): void {
    this.#reserve(end - start);
    if (end - start > MAX_COPY_LOOP) {
      this.#bytes.set(from.subarray(start, end), this.#length);
      this.#length += end - start;
    } else {
      for (let at = start; at < end; at += 1) this.#bytes[this.#length++] = from[at] ?? 0;
    }
  }

  /** Appends what another writer has. */
  writeAll(other: ByteWriter): void {
    this.writeBytes(other.#bytes, 0, other.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  /** A copy of what was written. */
  toBytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(2 * this.#bytes.length, this.#length + count));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}

/** Reads what a `ByteWriter` wrote. Behind the end it reads zeros. */
export class ByteReader {
  readonly bytes: Uint8Array;
  /** Offset of the next byte. */
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  readNumber(): number {
    let byte = this.bytes[this.at++] ?? 0;
    if (byte < MORE) return byte;
    let value = byte & 0x7f;
    let factor = MORE;
    do {
      byte = this.bytes[this.at++] ?? 0;
      value += (byte & 0x7f) * factor;
      factor *= MORE;
    } while (byte >= MORE);
    return value;
  }

  skipNumbers(count: number): void {
    for (let left = count; left > 0 && this.at < this.bytes.length; this.at += 1) {
      if ((this.bytes[this.at] ?? 0) < MORE) left -= 1;
    }
  }
}
