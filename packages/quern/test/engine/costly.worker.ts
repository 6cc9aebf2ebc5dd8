import { setTimeout as wait } from 'node:timers/promises';
import type { ParserReply } from '#engine/reading/parser-thread.ts';

/** A task of this thread, with its reported cost. */
export type CostlyTask = { readonly costMs: number };
/** The number of tasks that were in the thread at the same time. */
export type Peak = { readonly peak: number };

let running = 0;
let peak = 0;

/** Waits, as documents do, so that the tasks in the thread can be counted. */
export async function runTask({ costMs }: CostlyTask): Promise<ParserReply<Peak>> {
  running += 1;
  peak = Math.max(peak, running);
  await wait(50);
  const reply = { peak };
  running -= 1;
  if (running === 0) peak = 0;
  return { reply, costMs };
}
