/** Enough for the arrays of all but large pages. */
const SCRATCH_BYTES = 2 ** 21;

let buffer: ArrayBuffer | null = null;
let usedBytes = 0;
let depth = 0;

/**
 * Reads a page with arrays in memory that the next page reuses. Allocating and freeing a typed array costs more than
 * filling it, and a page needs eighty. Arrays created in `read` must not be used after it returns.
 */
export function runInScratch<T>(read: () => T): T {
  depth++;
  try {
    return read();
  } finally {
    if (--depth === 0) usedBytes = 0;
  }
}

/**
 * A zeroed array, such as one value per node. Outside {@link runInScratch}, or if the scratch memory is full, it has its
 * own memory.
 */
export function allocateUint8s(length: number): Uint8Array<ArrayBuffer> {
  const at = takeBytes(length);
  return at < 0 ? new Uint8Array(length) : new Uint8Array(getBuffer(), at, length).fill(0);
}

/** Like {@link allocateUint8s}, with 16-bit numbers. */
export function allocateUint16s(length: number): Uint16Array<ArrayBuffer> {
  const at = takeBytes(length * 2);
  return at < 0 ? new Uint16Array(length) : new Uint16Array(getBuffer(), at, length).fill(0);
}

/** Like {@link allocateUint8s}, with signed 32-bit numbers. */
export function allocateInt32s(length: number): Int32Array<ArrayBuffer> {
  const at = takeBytes(length * 4);
  return at < 0 ? new Int32Array(length) : new Int32Array(getBuffer(), at, length).fill(0);
}

/** Like {@link allocateUint8s}, with unsigned 32-bit numbers. */
export function allocateUint32s(length: number): Uint32Array<ArrayBuffer> {
  const at = takeBytes(length * 4);
  return at < 0 ? new Uint32Array(length) : new Uint32Array(getBuffer(), at, length).fill(0);
}

/** Like {@link allocateUint8s}, with single-precision numbers. */
export function allocateFloat32s(length: number): Float32Array<ArrayBuffer> {
  const at = takeBytes(length * 4);
  return at < 0 ? new Float32Array(length) : new Float32Array(getBuffer(), at, length).fill(0);
}

/** Like {@link allocateUint8s}, with double-precision numbers. */
export function allocateFloat64s(length: number): Float64Array<ArrayBuffer> {
  const at = takeBytes(length * 8);
  return at < 0 ? new Float64Array(length) : new Float64Array(getBuffer(), at, length).fill(0);
}

/** Reserves bytes, aligned for any number type, and returns their offset. -1 if there are not enough. */
function takeBytes(bytes: number): number {
  if (depth === 0 || usedBytes + bytes > SCRATCH_BYTES) return -1;
  const at = usedBytes;
  usedBytes = Math.ceil((at + bytes) / 8) * 8;
  return at;
}

function getBuffer(): ArrayBuffer {
  buffer ??= new ArrayBuffer(SCRATCH_BYTES);
  return buffer;
}
