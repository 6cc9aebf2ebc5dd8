import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { Order } from './order.ts';

const MOST_MS = 60_000;
/** A quarter of the rate of the slowest. */
const MOST_MS_A_PAGE = 4_000;

const Done = z.object({
  /** Pages whose HTML held the text that their script writes. */
  right: z.int(),
  /** From the first page that was there to the last: starts of programs and browsers do not count. */
  seconds: z.number(),
});

export type Reading = z.output<typeof Done> & { readonly pages: number };

/**
 * Runs a program that renders pages: it prints a line when it is ready, begins when it reads one, and prints
 * `{"right": 17, "seconds": 3.2}` when it has finished. Throws when it ends before or takes far too long.
 */
export async function runProgram(file: string, order: Order): Promise<Reading> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file, JSON.stringify(order)], {
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const late = setTimeout(() => child.kill('SIGKILL'), MOST_MS + order.addresses.length * MOST_MS_A_PAGE);
  const ended = once(child, 'close');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  try {
    await next(lines, file);
    child.stdin.write('go\n');
    return { pages: order.addresses.length, ...Done.parse(JSON.parse(await next(lines, file))) };
  } finally {
    clearTimeout(late);
    child.kill('SIGTERM');
    await ended;
  }
}

async function next(lines: AsyncIterator<string>, file: string): Promise<string> {
  const line = await lines.next();
  if (line.done === true) throw new Error(`${file} ended before it had finished`);
  return line.value;
}
