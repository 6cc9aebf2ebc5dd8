/** Bytes of its buffer that a view may leave out and still be the only one. */
const MAX_UNUSED_BYTES = 64;

/**
 * Frees the memory of a buffer that is no longer read, at once; a view into a larger buffer is left alone. If the buffers
 * of pages were left to the garbage collector, it would scan the whole heap every forty pages of a crawl.
 */
export function freeBuffer({ buffer, byteLength }: Uint8Array<ArrayBuffer>): void {
  if (buffer.byteLength - byteLength <= MAX_UNUSED_BYTES) buffer.transfer(0);
}

/**
 * Runs a full garbage collection and returns the freed memory to the system, which V8 would keep: after the start of a
 * program, since half of what loading it took is garbage, and after peaks of load. Takes about 60 ms; does nothing without
 * `--expose-gc`.
 */
export function collectGarbage(): void {
  globalThis.gc?.({ type: 'major', flavor: 'last-resort', execution: 'sync' });
}
