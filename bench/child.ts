import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { readProcess } from './process-status.ts';

export type Peer = { readonly origin: string; readonly close: () => Promise<void> };

const Load = z.object({
  /** Answers a second. */
  rate: z.number(),
  p50Ms: z.number(),
  p99Ms: z.number(),
  /** Answers that were not a 200. */
  failures: z.int(),
});

export type Load = z.output<typeof Load>;

/** What a load generator asks, over and over. */
export type Target = {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

/** Starts a server of this folder in a process of its own; it prints its address as its first line. */
export async function openPeer(file: string): Promise<Peer> {
  const child = spawn(process.execPath, [...process.execArgv, join(import.meta.dirname, file)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  for await (const origin of createInterface({ input: child.stdout })) {
    return {
      origin,
      async close() {
        child.kill('SIGTERM');
        await exited;
      },
    };
  }
  throw new Error(`${file} ended before it listened`);
}

/** Runs the load generator in a process of its own for some seconds. */
export async function runLoad(
  target: Target,
  options: { readonly connections: number; readonly seconds: number },
): Promise<Load> {
  const child = spawn(
    process.execPath,
    [...process.execArgv, join(import.meta.dirname, 'load.ts'), JSON.stringify({ target, ...options })],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let printed = '';
  for await (const text of child.stdout.setEncoding('utf8')) printed += String(text);
  return Load.parse(JSON.parse(printed));
}

export type Footprint = { readonly rssMb: number; readonly cpuSeconds: number };

/** Resident memory in MiB and CPU time of one process since its start. */
export function footprintOf(pid: number): Footprint {
  if (!existsSync('/proc/self/stat')) return footprintByPs(pid);
  const { rssMb, ownSeconds } = readProcess(pid);
  return { rssMb, cpuSeconds: ownSeconds };
}

function footprintByPs(pid: number): Footprint {
  const [rss = '', time = ''] = execFileSync('ps', ['-o', 'rss=,time=', '-p', String(pid)], { encoding: 'utf8' })
    .trim()
    .split(/\s+/);
  const cpuSeconds = time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return { rssMb: Number(rss) / 1024, cpuSeconds };
}

/** The middle of an odd number of figures. */
export function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN;
}
