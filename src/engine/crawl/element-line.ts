import type { Element } from './frontier.ts';

/** A page of a result as one line of JSON Lines, UTF-8. */
export function toLine({ head, members, tail }: Element): Uint8Array {
  const parts = [JSON.stringify(head).slice(0, -1), ',', members, ',', JSON.stringify(tail).slice(1), '\n'];
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}
