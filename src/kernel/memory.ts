/** Bytes of its buffer that a view may leave out and still be the only one. */
const SLACK = 64;

/**
 * Gives the memory of bytes that nobody reads any more back at once; of a part of a larger buffer nothing happens. Left
 * to the collector, the buffers of pages would have it look through the whole heap every forty pages of a crawl.
 */
export function freeBuffer({ buffer, byteLength }: Uint8Array<ArrayBuffer>): void {
  if (buffer.byteLength - byteLength <= SLACK) buffer.transfer(0);
}

/** A well-formed text with memory of its own: V8 makes a part of a longer one a view, which keeps all of it. */
export function copyText(text: string): string {
  return Buffer.from(text).toString();
}

/**
 * Collects everything and gives the room of it back: once a program has started, since half of what it took to load it is
 * rubbish, and after a load. V8 would keep the room. Takes some 60 ms; without `--expose-gc` nothing happens.
 */
export function collectGarbage(): void {
  globalThis.gc?.({ type: 'major', flavor: 'last-resort', execution: 'sync' });
}
