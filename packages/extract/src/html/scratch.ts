/** Bytes for the columns of one page; all of them but those of large pages. */
const ROOM = 2 ** 21;

let room: ArrayBuffer | null = null;
let used = 0;
let depth = 0;

/**
 * Reads a page in room that the next page uses again: a typed array with memory of its own costs more to make and to free
 * than to fill, and a page has eighty. Nothing that was made here while it read may be looked at afterwards.
 */
export function inScratch<T>(read: () => T): T {
  depth++;
  try {
    return read();
  } finally {
    if (--depth === 0) used = 0;
  }
}

/** Zeros of a page, one for each node, say. Outside of {@link inScratch}, and without room, they have their own memory. */
export function uint8s(length: number): Uint8Array<ArrayBuffer> {
  const at = take(length);
  return at < 0 ? new Uint8Array(length) : new Uint8Array(scratch(), at, length).fill(0);
}

export function uint16s(length: number): Uint16Array<ArrayBuffer> {
  const at = take(length * 2);
  return at < 0 ? new Uint16Array(length) : new Uint16Array(scratch(), at, length).fill(0);
}

export function int32s(length: number): Int32Array<ArrayBuffer> {
  const at = take(length * 4);
  return at < 0 ? new Int32Array(length) : new Int32Array(scratch(), at, length).fill(0);
}

export function uint32s(length: number): Uint32Array<ArrayBuffer> {
  const at = take(length * 4);
  return at < 0 ? new Uint32Array(length) : new Uint32Array(scratch(), at, length).fill(0);
}

export function float32s(length: number): Float32Array<ArrayBuffer> {
  const at = take(length * 4);
  return at < 0 ? new Float32Array(length) : new Float32Array(scratch(), at, length).fill(0);
}

export function float64s(length: number): Float64Array<ArrayBuffer> {
  const at = take(length * 8);
  return at < 0 ? new Float64Array(length) : new Float64Array(scratch(), at, length).fill(0);
}

/** The place of so many bytes, where any numbers may begin; -1 where there is none. */
function take(bytes: number): number {
  if (depth === 0 || used + bytes > ROOM) return -1;
  const at = used;
  used = Math.ceil((at + bytes) / 8) * 8;
  return at;
}

function scratch(): ArrayBuffer {
  room ??= new ArrayBuffer(ROOM);
  return room;
}
