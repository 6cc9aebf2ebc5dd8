import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { z } from 'zod';
import { HEADERS } from './seed.ts';

const RESPONSE_TIMEOUT_MS = 60_000;
const CONNECTIONS = 64;

/** Response times of a route in ms. */
export type RouteFigures = {
  readonly name: string;
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly mostMs: number;
  readonly failures: number;
};

type MixCall = { readonly name: string; readonly path: string; readonly body: unknown };

export type Mix = {
  /** Origin of the page to fetch. */
  readonly page: string;
  /** Id of a monitor with deliveries. */
  readonly monitor: string;
  /** Calls per second. */
  readonly rate: number;
  readonly seconds: number;
};

/** Fifty calls: half fetch a page, the others are those of a dashboard and a metrics scraper. */
function buildCycle({ page, monitor }: Mix): readonly MixCall[] {
  const fetches = (): MixCall => ({ name: 'fetch', path: '/v1/fetch', body: { url: `${page}/?n=${Math.random()}` } });
  const others = [
    buildGet('usage', '/v1/usage'),
    buildGet('usage history by day', '/v1/usage/history'),
    buildGet('usage history by operation', '/v1/usage/history?by=operation'),
    buildGet('requests', '/v1/requests?limit=100'),
    buildGet('requests of a status', '/v1/requests?status=502&limit=100'),
    buildGet('requests of no status', '/v1/requests?status=418'),
    buildGet('jobs', '/v1/jobs?limit=100'),
    buildGet('jobs of a status', '/v1/jobs?status=running'),
    buildGet('metrics', '/metrics'),
    buildGet('monitors', '/v1/monitors?limit=100'),
    buildGet('deliveries of a monitor', `/v1/monitors/${monitor}/deliveries?limit=100`),
  ];
  const seldom = new Set(['requests of no status', 'jobs of a status', 'metrics', 'requests of a status']);
  const often = others.filter(({ name }) => !seldom.has(name));
  const asked = [...others, ...often, ...often].slice(0, 25);
  return asked.flatMap((call) => [fetches(), call]);
}

function buildGet(name: string, path: string): MixCall {
  return { name, path, body: null };
}

/** Sends calls at a constant rate, without waiting for earlier responses. */
export async function runMix(service: string, mix: Mix): Promise<readonly RouteFigures[]> {
  const { rate, seconds } = mix;
  const dispatcher = new Agent({
    connections: CONNECTIONS,
    bodyTimeout: RESPONSE_TIMEOUT_MS,
    headersTimeout: RESPONSE_TIMEOUT_MS,
  });
  const took = new Map<string, { ms: number[]; failures: number }>();
  const open = new Set<Promise<void>>();

  async function ask({ name, path, body }: MixCall): Promise<void> {
    const begun = performance.now();
    const asked = body === null ? { method: 'GET' } : { method: 'POST', body: JSON.stringify(body) };
    const figures = took.get(name) ?? { ms: [], failures: 0 };
    took.set(name, figures);
    try {
      const answer = await request(service + path, { ...asked, headers: HEADERS, dispatcher });
      await answer.body.arrayBuffer();
      if (answer.statusCode !== 200) figures.failures += 1;
    } catch {
      figures.failures += 1;
    }
    figures.ms.push(performance.now() - begun);
  }

  await new Promise<void>((resolve) => {
    const begun = performance.now();
    let made = 0;
    let cycle = buildCycle(mix);
    const timer = setInterval(() => {
      const due = Math.floor(((performance.now() - begun) / 1000) * rate);
      while (made < due) {
        if (made % cycle.length === 0) cycle = buildCycle(mix);
        const call = cycle[made % cycle.length];
        made += 1;
        if (call === undefined) continue;
        const asking = ask(call).finally(() => open.delete(asking));
        open.add(asking);
      }
      if (performance.now() - begun < seconds * 1000) return;
      clearInterval(timer);
      resolve();
    }, 1000 / rate);
  });
  await Promise.all(open);
  await dispatcher.close();
  return [...took].map(([name, { ms, failures }]) => {
    const sorted = ms.toSorted((a, b) => a - b);
    const at = (part: number): number => sorted[Math.floor(part * (sorted.length - 1))] ?? 0;
    return { name, count: ms.length, p50Ms: at(0.5), p99Ms: at(0.99), mostMs: at(1), failures };
  });
}

const ProbeResult = z.object({
  count: z.int(),
  mostMs: z.number(),
  p999Ms: z.number(),
  p99Ms: z.number(),
  p50Ms: z.number(),
  /** Probes slower than the goal: time since the first one, and duration, in ms. */
  slow: z.array(z.object({ at: z.number(), ms: z.number() })),
  /** Maximum delay of the probe's own timer, caused by the machine. */
  ownMs: z.number(),
});

export type Probed = z.output<typeof ProbeResult>;

/** Starts probing a service from a child process; `end` stops it and returns the results. */
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
      return ProbeResult.parse(JSON.parse(printed));
    },
  };
}
