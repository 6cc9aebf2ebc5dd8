/** A view that leaves out at most this many bytes of its buffer counts as its only view. */
const MAX_UNUSED_BYTES = 64;

/**
 * Frees the memory of a buffer immediately, unless the array is a view into a larger buffer. Leaving the buffers of pages
 * to the garbage collector would cause a full collection about every 40 pages of a crawl.
 */
export function freeBuffer({ buffer, byteLength }: Uint8Array<ArrayBuffer>): void {
  if (buffer.byteLength - byteLength <= MAX_UNUSED_BYTES) buffer.transfer(0);
}

/**
 * Runs a full garbage collection and returns the freed memory to the system, which V8 would otherwise keep. Used after start,
 * when half of the heap is garbage from loading modules, and after load peaks. Takes about 60 ms; does nothing without
 * `--expose-gc`.
 */
export function collectGarbage(): void {
  globalThis.gc?.({ type: 'major', flavor: 'last-resort', execution: 'sync' });
}
