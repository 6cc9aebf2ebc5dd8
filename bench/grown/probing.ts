import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { z } from 'zod';

const Probed = z.object({
  count: z.int(),
  mostMs: z.number(),
  p999Ms: z.number(),
  p99Ms: z.number(),
  p50Ms: z.number(),
  /** Probes beyond the goal: when, ms since the first, and how long. */
  slow: z.array(z.object({ at: z.number(), ms: z.number() })),
  /** How late a timer of the probe came at most, which is the machine's matter. */
  ownMs: z.number(),
});

export type Probed = z.output<typeof Probed>;

/** Starts to probe a service from a process of its own; `end` stops it and answers what it saw. */
export async function startProbe(service: string): Promise<{ readonly end: () => Promise<Probed> }> {
  const child = spawn(process.execPath, [...process.execArgv, join(import.meta.dirname, 'probe.ts'), service], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child, 'spawn');
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  return {
    async end() {
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      await closed;
      return Probed.parse(JSON.parse(printed));
    },
  };
}
