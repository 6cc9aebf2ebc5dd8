/** CPU time and rate of the `http` tier compared with a plain undici loop on the same 45 KB page. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { Agent, request } from 'undici';
import { createBreakers } from '#access/tiers/circuit-breaker.ts';
import { createHostMemory } from '#access/tiers/host-memory.ts';
import { createHttp } from '#access/http/http.ts';
import { escalate } from '#access/tiers/ladder.ts';
import { DEFAULT_LIMITS } from '#access/limits.ts';
import { DESKTOP_PROFILE } from '#access/http/browser-headers.ts';
import { createGuardFor } from './guard.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';

const CONCURRENCY = 32;
const REQUESTS = 4_000;
const ROUNDS = 3;

type VisitReading = { readonly perSecond: number; readonly cpuMs: number };

function buildPage(bytes: number): Buffer {
  const paragraphs = Array.from(
    { length: 2_000 },
    (_, n) => `<p>Row ${n} of ${(n * 7919) % 1009} stones, ${n % 17} mills.</p>`,
  );
  return Buffer.from(`<!doctype html><title>Mill</title>${paragraphs.join('\n')}`.slice(0, bytes));
}

function startServer(): void {
  const page = buildPage(45_000);
  const packed = gzipSync(page);
  const server = createServer((incoming, outgoing) => {
    const gzip = incoming.url === '/gzip';
    outgoing.writeHead(200, {
      'content-type': 'text/html',
      'content-length': gzip ? packed.byteLength : page.byteLength,
      ...(gzip ? { 'content-encoding': 'gzip' } : {}),
    });
    outgoing.end(gzip ? packed : page);
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.(typeof address === 'object' ? address?.port : 0);
  });
}

async function measureLoad(load: () => Promise<void>): Promise<VisitReading> {
  let left = REQUESTS;
  const began = performance.now();
  const cpu = process.cpuUsage();
  const lane = async () => {
    while (left-- > 0) await load();
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, lane));
  const used = process.cpuUsage(cpu);
  return {
    perSecond: (REQUESTS / (performance.now() - began)) * 1_000,
    cpuMs: (used.user + used.system) / 1_000 / REQUESTS,
  };
}

function computeMedian(readings: readonly VisitReading[]): VisitReading {
  return readings.toSorted((a, b) => a.cpuMs - b.cpuMs)[Math.floor(readings.length / 2)] ?? { perSecond: 0, cpuMs: 0 };
}

async function compareLoads(port: number): Promise<void> {
  const origin = `http://127.0.0.1:${port}`;
  const guard = createGuardFor([`127.0.0.1:${port}`]);
  const breakers = createBreakers({ clock: SYSTEM_CLOCK });
  const memory = createHostMemory({ clock: SYSTEM_CLOCK }).of('bench', 'proxy_browser');
  const http = createHttp({
    guard,
    limits: DEFAULT_LIMITS,
    profile: DESKTOP_PROFILE,
    clock: SYSTEM_CLOCK,
    authorities: [],
  });
  const dispatcher = new Agent({ connections: CONCURRENCY });
  const signal = new AbortController().signal;
  const bare = async () => {
    const answer = await request(`${origin}/`, { dispatcher });
    await answer.body.arrayBuffer();
  };
  const climbing = async () => {
    await escalate({
      tiers: ['http'],
      tierVisits: { http: http.tier },
      breakers,
      memory,
      request: { url: guard.parseTarget(`${origin}/`), headers: {}, cookies: [] },
      timeoutMs: 30_000,
      startedAt: SYSTEM_CLOCK.monotonic(),
      clock: SYSTEM_CLOCK,
      random: Math.random,
      signal,
      proxiesInPlan: false,
      isSufficient: null,
      beforeTier: () => Promise.resolve(),
      attempts: [],
    });
  };
  const visit = (path: string) => async () => {
    await http.visit({ url: guard.parseTarget(origin + path), headers: {}, cookies: [] }, signal);
  };
  const subjects = {
    'undici request': bare,
    'visit, plain': visit('/'),
    'visit, gzip': visit('/gzip'),
    'climb, plain': climbing,
  };
  const readings: Record<string, VisitReading[]> = {};
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, load] of Object.entries(subjects)) {
      const reading = await measureLoad(load);
      if (round > 0) (readings[name] ??= []).push(reading);
    }
  }
  for (const [name, list] of Object.entries(readings)) {
    const { perSecond, cpuMs } = computeMedian(list);
    console.log(`${name.padEnd(16)} ${perSecond.toFixed(0).padStart(6)}/s  ${cpuMs.toFixed(3)} ms CPU a page`);
  }
  await Promise.all([http.close(), dispatcher.close()]);
}

if (process.send !== undefined) startServer();
else {
  const server = fork(import.meta.filename);
  try {
    const [port] = await once(server, 'message');
    await compareLoads(Number(port));
  } finally {
    server.kill();
  }
}
