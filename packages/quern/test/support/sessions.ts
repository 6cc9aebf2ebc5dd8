import { after, before } from 'node:test';
import { EGRESS_LIMITS } from '#access/egress/credentials.ts';
import { startEgressProxy } from '#access/egress/egress-proxy.ts';
import type { Binary } from '#access/browser/binaries.ts';
import { createPageSlots } from '#access/browser/page-slots.ts';
import { createSessionVisits } from '#access/interact/session-visits.ts';
import { isWithinDomain } from '#access/guard/local-names.ts';
import { createSessions } from '#access/interact/sessions.ts';
import { DEFAULT_LIMITS } from '#access/limits.ts';
import { BROWSERS, type Pages } from './rendered.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { guardWith } from '#testkit/visitor.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';

async function resolveAllowed() {
  return { addresses: [{ address: '127.0.0.1', family: 4 as const }], ttlMs: 0 };
}

/** A site of pages, sessions that may reach only it, and a forbidden port. */
async function openSessionSite(pages: Pages, binary: Binary | null) {
  if (binary === null) throw new Error('there is no browser');
  const asked: string[] = [];
  const held = new Map<string, () => void>();
  const hits: string[] = [];
  const site = await startHttpServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    const onHeld = held.get(path);
    if (onHeld !== undefined) {
      held.delete(path);
      return onHeld();
    }
    const page = pages[path];
    if (typeof page === 'function') return page(request, response);
    const status = page === undefined ? 404 : 200;
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' });
    return response.end(
      `<!doctype html><title>Mill</title>${(page ?? 'not here').replaceAll('CANARY', `127.0.0.1:${canary.port}`).replaceAll('OTHER', `inn.test:${site.port}`)}`,
    );
  });
  const canary = await startHttpServer((request, response) => {
    hits.push(request.url ?? '');
    response.end();
  });
  const allow = `127.0.0.1:${site.port},mill.test:${site.port},inn.test:${site.port}`;
  const { guard } = guardWith({ allow, resolveAllowed });
  const proxy = await startEgressProxy({ guard, limits: EGRESS_LIMITS, clock: SYSTEM_CLOCK });
  const sessions = createSessions({
    binary,
    egressUrl: proxy.url,
    slots: createPageSlots({ places: 3, clock: SYSTEM_CLOCK }),
    idleMs: 60_000,
    limits: DEFAULT_LIMITS,
    clock: SYSTEM_CLOCK,
    readTarget: guard.parseTarget,
    isRoot: process.getuid?.() === 0,
    warn: () => undefined,
  });
  const openClimb = createSessionVisits({
    sessions,
    admitBy:
      () =>
      async ({ allowedDomains: named }) =>
        proxy.issueCredentials(
          null,
          (hostname) => named === null || named.some((domain) => isWithinDomain(hostname, domain)),
        ),
    datacenter: null,
    residential: null,
  });
  return {
    origin: site.origin,
    port: site.port,
    canary: canary.port,
    allow,
    openClimb,
    sessions,
    /** Holds the next request for a path, and reports it. */
    hold: (path: string, tell: () => void): void => void held.set(path, tell),
    /** The requests to the site. */
    asked: (): readonly string[] => asked,
    /** The requests to the forbidden port. */
    hits: (): readonly string[] => hits,
    async close(): Promise<void> {
      await sessions.close();
      await proxy.close();
      await site[Symbol.asyncDispose]();
      await canary[Symbol.asyncDispose]();
    },
  };
}

/** Runs such a site during the tests of a file, by default with the full browser; returns a getter for it. */
export function sessionSiteFor(pages: Pages, binary: Binary | null = BROWSERS?.full ?? null) {
  let site: Awaited<ReturnType<typeof openSessionSite>> | null = null;
  before(async () => {
    if (binary !== null) site = await openSessionSite(pages, binary);
  });
  after(async () => site?.close());
  return () => {
    if (site === null) throw new Error('no site');
    return site;
  };
}

/** Runs the work for each row, three at a time, which is the number of sessions of a browser. */
export async function threeAtOnce<T>(rows: readonly T[], work: (row: T) => Promise<void>): Promise<void> {
  const left = rows.values();
  const one = async (): Promise<void> => {
    for (const row of left) await work(row);
  };
  await Promise.all([one(), one(), one()]);
}
