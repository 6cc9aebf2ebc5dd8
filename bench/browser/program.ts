import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { footprintOf } from '../crawl/footprint.ts';
import type { Order } from './order.ts';

const MAX_MS = 60_000;
/** A quarter of the rate of the slowest. */
const MAX_MS_A_PAGE = 4_000;

const Done = z.object({
  /** Pages whose HTML held the text that their script writes. */
  right: z.int(),
  /** From the first page that was there to the last: starts of programs and browsers do not count. */
  seconds: z.number(),
});

export type Reading = z.output<typeof Done> & {
  readonly pages: number;
  /** Of the program and all that it started, over the same time; null where the system does not tell. */
  readonly cpuSeconds: number | null;
};

/**
 * Runs a program that renders pages: it prints a line when it is ready, begins when it reads one, prints one when the
 * first page is there, prints `{"right": 17, "seconds": 3.2}` when the last one is, and then stands until it reads one
 * more. Throws when it ends before or takes far too long.
 */
export async function runProgram(file: string, order: Order): Promise<Reading> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file, JSON.stringify(order)], {
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const late = setTimeout(() => child.kill('SIGKILL'), MAX_MS + order.addresses.length * MAX_MS_A_PAGE);
  const ended = once(child, 'close');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  try {
    await next(lines, file);
    child.stdin.write('go\n');
    await next(lines, file);
    const before = cpuOf(child);
    const done = Done.parse(JSON.parse(await next(lines, file)));
    const after = cpuOf(child);
    const cpuSeconds = before === null || after === null ? null : after - before;
    child.stdin.write('end\n');
    return { pages: order.addresses.length, cpuSeconds, ...done };
  } finally {
    clearTimeout(late);
    child.kill('SIGTERM');
    await ended;
  }
}

function cpuOf({ pid }: ChildProcess): number | null {
  return pid === undefined || !existsSync('/proc/self/stat') ? null : footprintOf(pid).cpuSeconds;
}

async function next(lines: AsyncIterator<string>, file: string): Promise<string> {
  const line = await lines.next();
  if (line.done === true) throw new Error(`${file} ended before it had finished`);
  return line.value;
}
