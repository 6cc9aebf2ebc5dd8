import type { ResultElement } from '#features/crawl/crawl-page.ts';

/** A page of a result as the pieces of one line of JSON Lines, UTF-8. */
export function toLine({ head, members, tail }: ResultElement): readonly Uint8Array[] {
  const before = `${JSON.stringify(head).slice(0, -1)},`;
  const after = `,${JSON.stringify(tail).slice(1)}\n`;
  return [Buffer.from(before), members, Buffer.from(after)];
}
