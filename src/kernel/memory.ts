/** Bytes of its buffer that a view may leave out and still be the only one. */
const SLACK = 64;

/**
 * Gives the memory of bytes that nobody reads any more back at once; of a part of a larger buffer nothing happens. Left
 * to the collector, the buffers of pages would have it look through the whole heap every forty pages of a crawl.
 */
export function release({ buffer, byteLength }: Uint8Array<ArrayBuffer>): void {
  if (buffer.byteLength - byteLength <= SLACK) buffer.transfer(0);
}
