import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { watchFootprint } from './footprint.ts';
import type { World } from './world.ts';

/** Four times what the slowest crawler takes. */
const TIMEOUT_PER_PAGE_MS = 100;
const BASE_TIMEOUT_MS = 120_000;

/** Measurements of one crawl. */
export type CrawlReading = {
  /** Number of distinct pages crawled. */
  readonly pages: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMb: number;
};

const ProgramResult = z.object({ pages: z.int() });

/**
 * Runs a crawler in a child process. It prints a line when ready, starts when it reads a line, and prints `{"pages": 17}` when
 * finished; only the time between counts. Throws if it exits early or takes far too long.
 */
export async function runProgram(file: string, world: World): Promise<CrawlReading> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file, world.origin, world.folder], {
    env: { ...buildPlainEnvironment(), NODE_ENV: 'production' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const late = setTimeout(() => child.kill('SIGKILL'), computeTimeoutMs(world));
  const ended = once(child, 'close');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  try {
    await readLine(lines, file);
    const watching = watchFootprint(child.pid ?? 0);
    const began = performance.now();
    child.stdin.write('go\n');
    const { pages } = ProgramResult.parse(JSON.parse(await readLine(lines, file)));
    const seconds = (performance.now() - began) / 1000;
    const { cpuSeconds, peakMb } = watching.end();
    return { pages, seconds, cpuSeconds, peakMb };
  } finally {
    clearTimeout(late);
    child.kill('SIGKILL');
    await ended;
  }
}

/** Time limit by which even the slowest crawler has finished. */
export function computeTimeoutMs({ urls }: World): number {
  return BASE_TIMEOUT_MS + urls.length * TIMEOUT_PER_PAGE_MS;
}

async function readLine(lines: AsyncIterator<string>, file: string): Promise<string> {
  const line = await lines.next();
  if (line.done === true) throw new Error(`${file} ended before it had finished`);
  return line.value;
}

/** The environment without the memory settings that this project sets for its own programs. */
function buildPlainEnvironment(): NodeJS.ProcessEnv {
  const { MALLOC_ARENA_MAX: _arenas, MALLOC_MMAP_THRESHOLD_: _own, NODE_COMPILE_CACHE: _cache, ...rest } = process.env;
  return rest;
}
