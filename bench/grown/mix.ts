import { Agent, request } from 'undici';
import { HEADERS } from './model.ts';

const ANSWER_MS = 60_000;
const CONNECTIONS = 64;

/** What a route cost its callers, ms. */
export type Route = {
  readonly name: string;
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly mostMs: number;
  readonly failures: number;
};

type Call = { readonly name: string; readonly path: string; readonly body: unknown };

export type Mix = {
  /** The origin of the page that is fetched. */
  readonly page: string;
  /** A monitor that has deliveries. */
  readonly monitor: string;
  /** Calls a second. */
  readonly rate: number;
  readonly seconds: number;
};

/** Fifty calls, of which half fetch a page; the others are what a dashboard and a scraper of metrics ask. */
function toCycle({ page, monitor }: Mix): readonly Call[] {
  const fetches = (): Call => ({ name: 'fetch', path: '/v1/fetch', body: { url: `${page}/?n=${Math.random()}` } });
  const others = [
    get('usage', '/v1/usage'),
    get('usage history by day', '/v1/usage/history'),
    get('usage history by operation', '/v1/usage/history?by=operation'),
    get('requests', '/v1/requests?limit=100'),
    get('requests of a status', '/v1/requests?status=502&limit=100'),
    get('requests of no status', '/v1/requests?status=418'),
    get('jobs', '/v1/jobs?limit=100'),
    get('jobs of a status', '/v1/jobs?status=running'),
    get('metrics', '/metrics'),
    get('monitors', '/v1/monitors?limit=100'),
    get('deliveries of a monitor', `/v1/monitors/${monitor}/deliveries?limit=100`),
  ];
  const seldom = new Set(['requests of no status', 'jobs of a status', 'metrics', 'requests of a status']);
  const often = others.filter(({ name }) => !seldom.has(name));
  const asked = [...others, ...often, ...often].slice(0, 25);
  return asked.flatMap((call) => [fetches(), call]);
}

function get(name: string, path: string): Call {
  return { name, path, body: null };
}

/** Makes the calls at their even rate, whether or not those before have been answered. */
export async function runMix(service: string, mix: Mix): Promise<readonly Route[]> {
  const { rate, seconds } = mix;
  const dispatcher = new Agent({ connections: CONNECTIONS, bodyTimeout: ANSWER_MS, headersTimeout: ANSWER_MS });
  const took = new Map<string, { ms: number[]; failures: number }>();
  const open = new Set<Promise<void>>();

  async function ask({ name, path, body }: Call): Promise<void> {
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
    let cycle = toCycle(mix);
    const timer = setInterval(() => {
      const due = Math.floor(((performance.now() - begun) / 1000) * rate);
      while (made < due) {
        if (made % cycle.length === 0) cycle = toCycle(mix);
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
