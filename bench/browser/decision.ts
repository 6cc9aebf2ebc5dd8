import { createBreakers } from '#access/tiers/circuit-breaker.ts';
import { createHostMemory } from '#access/tiers/host-memory.ts';
import { createHttp } from '#access/http/http.ts';
import { escalate } from '#access/tiers/ladder.ts';
import { DEFAULT_LIMITS } from '#access/limits.ts';
import { DESKTOP_PROFILE } from '#access/http/browser-headers.ts';
import { computeMedian } from '#bench/processes.ts';
import { createGuardFor } from '../guard.ts';
import type { Site } from './site.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';

const VISITS_PER_ROUND = 200;
const ROUNDS = 5;

/** CPU time that the tier ladder adds to an HTTP visit that needs no browser; median in ms per page. */
export async function measureDecision({ origin, hosts }: Site): Promise<number> {
  const clock = SYSTEM_CLOCK;
  const guard = createGuardFor(hosts);
  const http = createHttp({
    guard,
    limits: DEFAULT_LIMITS,
    profile: DESKTOP_PROFILE,
    clock: SYSTEM_CLOCK,
    authorities: [],
  });
  const breakers = createBreakers({ clock });
  const memory = createHostMemory({ clock }).of('bench', 'browser');
  const { signal } = new AbortController();
  const request = { url: guard.parseTarget(`${origin}/article/1`), headers: {}, cookies: [] };
  const climbing = async () =>
    escalate({
      tiers: ['http', 'browser'],
      tierVisits: {
        http: http.tier,
        browser: async () => Promise.reject(new Error('the page needs no browser')),
      },
      breakers,
      memory,
      request,
      timeoutMs: 30_000,
      startedAt: performance.now(),
      clock,
      random: Math.random,
      signal,
      proxiesInPlan: false,
      isSufficient: null,
      beforeTier: () => Promise.resolve(),
      attempts: [],
    });
  try {
    const added: number[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const bare = await measureCpuMs(async () => http.visit(request, signal));
      const climbed = await measureCpuMs(climbing);
      if (round > 0) added.push(climbed - bare);
    }
    return computeMedian(added);
  } finally {
    await http.close();
  }
}

/** CPU time of one visit, in ms. */
async function measureCpuMs(visit: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  for (let at = 0; at < VISITS_PER_ROUND; at += 1) await visit();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / VISITS_PER_ROUND;
}
