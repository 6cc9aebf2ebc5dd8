import type { Frame, Page } from 'patchright-core';
import type { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import { itemsScript } from './items-script.ts';
import { type FrameItems, Items } from './snapshot.ts';

/** Frames that are looked into in addition to the main one. */
const MAX_FRAMES = 8;
/** The limit for one frame to answer, ms. */
const FRAME_MS = 2_000;

/** Numbers the elements of a page and its frames that can be acted on, from 1 on. */
export async function lookAtFrames(
  page: Page,
  clock: Clock,
): Promise<{
  readonly frames: readonly FrameItems[];
  readonly numbered: ReadonlyMap<number, Frame>;
}> {
  const numbered = new Map<number, Frame>();
  const frames: FrameItems[] = [];
  let first = 1;
  const main = page.mainFrame();
  const inner = page.frames().filter((frame) => frame !== main && /^(?:https?|about|data|blob):/.test(frame.url()));
  for (const frame of [main, ...inner.slice(0, MAX_FRAMES)]) {
    const looking = frame.evaluate(itemsScript(first));
    const found = readItems(await (frame === main ? looking : unlessLate(looking, clock)));
    if (found === null || (found.items.length === 0 && frame !== main)) continue;
    for (let number = first; number < found.next; number += 1) numbered.set(number, frame);
    first = found.next;
    frames.push({ name: frame === main ? null : frame.name() || new URL(frame.url()).hostname, items: found.items });
  }
  return { frames, numbered };
}

function readItems(text: unknown): z.output<typeof Items> | null {
  return typeof text === 'string' ? (Items.safeParse(JSON.parse(text)).data ?? null) : null;
}

async function unlessLate(looking: Promise<unknown>, clock: Clock): Promise<unknown> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = clock.after(FRAME_MS, () => resolve(null));
  try {
    return await Promise.race([looking.catch(() => null), late]);
  } finally {
    timer.close();
  }
}
