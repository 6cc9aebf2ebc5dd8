import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';

export type ServerProcess = { readonly origin: string; readonly close: () => Promise<void> };

const LoadResult = z.object({
  /** Responses per second. */
  rate: z.number(),
  p50Ms: z.number(),
  p99Ms: z.number(),
  /** Responses with a status other than 200. */
  failures: z.int(),
});

export type Load = z.output<typeof LoadResult>;

/** The request that a load generator repeats. */
export type LoadTarget = {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

/** Starts a server script of this folder in a child process; the script prints its origin as its first line. */
export async function startServerProcess(file: string): Promise<ServerProcess> {
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

/** Runs the load generator in a child process for some seconds. */
export async function runLoad(
  target: LoadTarget,
  options: { readonly connections: number; readonly seconds: number },
): Promise<Load> {
  const child = spawn(
    process.execPath,
    [...process.execArgv, join(import.meta.dirname, 'load.ts'), JSON.stringify({ target, ...options })],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let printed = '';
  for await (const text of child.stdout.setEncoding('utf8')) printed += String(text);
  return LoadResult.parse(JSON.parse(printed));
}

export type Footprint = { readonly rssMb: number; readonly cpuSeconds: number };

/** Resident memory in MiB and CPU time of a process since its start. */
export function readFootprint(pid: number): Footprint {
  if (!existsSync('/proc/self/stat')) return readFootprintWithPs(pid);
  const { rssMb, ownSeconds } = readProcessStatus(pid);
  return { rssMb, cpuSeconds: ownSeconds };
}

function readFootprintWithPs(pid: number): Footprint {
  const [rss = '', time = ''] = execFileSync('ps', ['-o', 'rss=,time=', '-p', String(pid)], { encoding: 'utf8' })
    .trim()
    .split(/\s+/);
  const cpuSeconds = time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return { rssMb: Number(rss) / 1024, cpuSeconds };
}

/** The median of an odd number of values. */
export function computeMedian(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN;
}

/** Clock ticks per second in /proc; always 100 on Linux since 2.6. */
const TICKS_PER_SECOND = 100;

/** Process data from /proc (proc(5): `stat`, `status`). */
export type ProcessStatus = {
  /** User and system time of the process, and of its exited children. */
  readonly ownSeconds: number;
  readonly endedSeconds: number;
  /** Current and peak resident memory in MiB. */
  readonly rssMb: number;
  readonly peakMb: number;
};

/** Throws if the process does not exist. */
export function readProcessStatus(pid: number): ProcessStatus {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  // The name in parentheses may contain spaces; fields 14 to 17 are the times of the process and of its exited children.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const seconds = (from: number): number => (Number(fields[from]) + Number(fields[from + 1])) / TICKS_PER_SECOND;
  const toMb = (form: RegExp): number => Number(form.exec(status)?.[1] ?? 0) / 1024;
  return {
    ownSeconds: seconds(11),
    endedSeconds: seconds(13),
    rssMb: toMb(/VmRSS:\s+(\d+)/),
    peakMb: toMb(/VmHWM:\s+(\d+)/),
  };
}
