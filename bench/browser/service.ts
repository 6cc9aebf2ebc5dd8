import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { request } from 'undici';
import { startService, type ServiceProcess } from '#demo/service.ts';
import { readFootprint } from '#bench/processes.ts';
import { listProcessTree } from '../crawl/footprint.ts';
import { type TableLine, printProgress } from '#bench/command-line.ts';
import { drawBelow, createRandom, buildArray } from '#bench/world/prose.ts';
import { listAddresses, type Site } from './site.ts';

const KEY = `qk_${'mill'.repeat(8)}`;
const IDLE_SECONDS = 10;
/** Time for the browser to exit after the idle limit. */
const BROWSER_EXIT_MS = 5_000;
const CONCURRENCY = 8;
const ABORTED_SHARE = 0.1;
/** Share of the requests that warms up the service. */
const WARM_SHARE = 0.2;
const CALL_TIMEOUT_MS = 60_000;

export type ServiceOptions = {
  readonly site: Site;
  readonly binary: string;
  readonly requests: number;
  readonly folder: string;
};

type PageRequest = {
  readonly url: string;
  readonly marker: string;
  /** Fetch options: an article needs no browser, other pages do. */
  readonly how: { readonly wait_ms?: number };
  readonly abortMs: number | null;
};

/** Measures a service with a browser: time to the first rendered page, and leftovers after a load with aborted requests. */
export async function measureService({ site, binary, requests, folder }: ServiceOptions) {
  printProgress(`${requests} requests, one of ten given up`);
  const service = await startBrowserService(site, binary, join(folder, 'service'));
  try {
    const began = performance.now();
    const [first] = drawRequests(site, 1, 0);
    if (first === undefined || !(await fetchPage(service, first))) throw new Error('the first page was not rendered');
    const coldMs = performance.now() - began;
    await runLoad(service, drawRequests(site, Math.round(requests * WARM_SHARE), ABORTED_SHARE));
    await waitUntilIdle();
    const before = readFootprint(service.pid).rssMb;
    const wrong = await runLoad(service, drawRequests(site, requests, ABORTED_SHARE));
    await waitUntilIdle();
    const after = readFootprint(service.pid).rssMb;
    const left = listProcessTree(service.pid).length - 1;
    const growth = after / before - 1;
    const startMs = service.readyMs + coldMs;
    const lines: readonly TableLine[] = [
      ['start of the browser to the first rendered page', `${coldMs.toFixed(0)} ms`, '≤ 2,500 ms'],
      ['— with the start of the service', `${startMs.toFixed(0)} ms`, '≤ 2,500 ms'],
      [`${requests} requests, 10 % given up: answers that lack their text`, `${wrong}`, '0'],
      [`— processes of browsers ${IDLE_SECONDS} s later`, `${left}`, '0'],
      [`— resident memory, ${before.toFixed(0)} MiB before`, `${(growth * 100).toFixed(1)} %`, '≤ 10 %'],
    ];
    return { lines, figures: { coldMs, startMs, wrong, left, rssBeforeMb: before, rssAfterMb: after } };
  } finally {
    await service.close();
  }
}

async function startBrowserService({ hosts }: Site, binary: string, dataDir: string): Promise<ServiceProcess> {
  mkdirSync(dataDir, { recursive: true });
  return startService({
    dataDir,
    settings: {
      QUERN_ALLOW_TARGETS: hosts.join(','),
      QUERN_BOOTSTRAP_KEY: KEY,
      QUERN_CHROMIUM: binary,
      QUERN_BROWSER_IDLE_SECONDS: String(IDLE_SECONDS),
      QUERN_LOG_LEVEL: 'warn',
      NODE_ENV: 'production',
    },
  });
}

/** Requests for all kinds of pages, a quarter of which need no browser; some are aborted within a second. */
function drawRequests(site: Site, count: number, aborted: number): readonly PageRequest[] {
  const random = createRandom(count);
  return listAddresses(site, count).map(({ url, marker }) => ({
    url,
    ...(url.includes('/article/') ? { marker: 'mark', how: {} } : { marker, how: { wait_ms: 1 } }),
    abortMs: random() < aborted ? drawBelow(random, 1_000) : null,
  }));
}

/** Returns the number of responses without the expected text. */
async function runLoad(service: ServiceProcess, all: readonly PageRequest[]): Promise<number> {
  const left = [...all];
  let wrong = 0;
  async function work(): Promise<void> {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      if (!(await fetchPage(service, next))) wrong += 1;
    }
  }
  await Promise.all(buildArray(CONCURRENCY, work));
  return wrong;
}

/** Whether the page has its text, or the request was aborted on purpose. */
async function fetchPage(service: ServiceProcess, { url, marker, how, abortMs }: PageRequest): Promise<boolean> {
  const signal = AbortSignal.timeout(abortMs ?? CALL_TIMEOUT_MS);
  try {
    const { statusCode, body } = await request(`${service.origin}/v1/fetch`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url, output: ['raw_html'], ...how, timeout_ms: CALL_TIMEOUT_MS / 2 }),
      signal,
    });
    const text = await body.text();
    if (statusCode !== 200) process.stderr.write(`${url}: ${statusCode} ${text.slice(0, 200)}\n`);
    return statusCode === 200 && text.includes(marker);
  } catch (error) {
    if (abortMs !== null && signal.aborted) return true;
    throw error;
  }
}

async function waitUntilIdle(): Promise<void> {
  await wait(IDLE_SECONDS * 1_000 + BROWSER_EXIT_MS);
}
