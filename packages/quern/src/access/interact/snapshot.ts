import { z } from 'zod';

/** The name under which the driver finds an element by its number in the last snapshot of its frame. */
export const NUMBERED = 'quern-numbered';

/** The selector engine of that name; it runs in the isolated world, as the script that numbers elements does. */
export const NUMBERED_ENGINE = `({
  query(_root, number) {
    const element = globalThis.quernNumbered?.get(Number(number));
    return element?.isConnected === true ? element : null;
  },
  queryAll(root, number) {
    const element = this.query(root, number);
    return element === null ? [] : [element];
  },
})`;

/** One line of a frame: its number or 0, its words, and its distance from the window, px. */
const Line = z.tuple([z.int(), z.string().max(1_000), z.number()]);

/** Lines in the order of the page; a bare number counts lines in a row that are too far away to have words. */
export const Items = z.object({ items: z.array(z.union([Line, z.int().min(1)])).max(10_000), next: z.int() });

/** The lines of one frame. */
export type FrameItems = { readonly name: string | null; readonly items: z.output<typeof Items>['items'] };

/** Bytes of a snapshot: 6,000 tokens, since its words, marks and numbers come to 2.5 bytes a token at the worst. */
export const MAX_SNAPSHOT_BYTES = 15_000;
/** The bytes of a line in addition to its words: its number and its end. */
export const LINE_BYTES = 8;

/** The lines of all frames as one text in the order of the page: those in the window, then the nearest to it, within the bound. */
export function toSnapshot(frames: readonly FrameItems[]): string {
  const all = frames.flatMap(({ items }, frame) =>
    items.flatMap((item, at) => (typeof item === 'number' ? [] : [{ frame, at, line: item[1], far: item[2] }])),
  );
  const chosen = new Set<string>();
  let left = MAX_SNAPSHOT_BYTES;
  for (const { frame, at, line } of all.toSorted((one, other) => one.far - other.far)) {
    left -= Buffer.byteLength(line) + LINE_BYTES;
    if (left < 0) break;
    chosen.add(`${frame}:${at}`);
  }
  return frames.map((one, frame) => linesOf(one, (at) => chosen.has(`${frame}:${at}`))).join('\n');
}

function linesOf({ name, items }: FrameItems, isShown: (at: number) => boolean): string {
  const lines = name === null ? [] : [`frame ${JSON.stringify(name)}:`];
  let hidden = 0;
  const addHidden = (): void => {
    if (hidden > 0) lines.push(`… ${hidden} more lines: scroll there to see them`);
    hidden = 0;
  };
  items.forEach((item, at) => {
    if (typeof item === 'number' || !isShown(at)) {
      hidden += typeof item === 'number' ? item : 1;
      return;
    }
    const [number, line] = item;
    addHidden();
    lines.push(number === 0 ? line : `[${number}] ${line}`);
  });
  addHidden();
  return lines.join('\n');
}
