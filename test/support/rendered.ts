import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { homedir } from 'node:os';
import { test } from 'node:test';
import { findBrowsers } from '#access/browser/binaries.ts';
import type { BrowserKind } from '#access/browser/binaries.ts';
import { openPlaces } from '#access/browser/places.ts';
import type { PoolLimits } from '#access/browser/pool.ts';
import { openBrowserTier } from '#access/browser/tier.ts';
import { NO_WISHES } from '#access/wishes.ts';
import { LIMITS } from '#access/limits.ts';
import type { Limits } from '#access/limits.ts';
import type { BrowserWishes, Page, PageRequest } from '#access/page.ts';
import { openForwardProxy } from './forward-proxy.ts';
import { openSite } from './servers.ts';

/** The browsers of this machine. */
export const BROWSERS = findBrowsers(undefined, { platform: process.platform, home: homedir() });

/** Long enough for a machine that is busy with other things. */
const PATIENCE_MS = 60_000;

/** A test that needs a browser; where there is none it says so. */
export function browserTest(name: string, work: () => Promise<void>): void {
  test(name, async (t) => {
    if (BROWSERS === null) t.diagnostic('0 browsers: npm run setup:browser finds or installs them');
    else await work();
  });
}

export type Wishes = Partial<BrowserWishes> & Partial<Omit<PageRequest, 'url' | 'browser'>>;

/** Pages by their path; a text is HTML. */
export type Pages = Readonly<Record<string, string | RequestListener>>;

export type Setup = {
  readonly kind?: BrowserKind;
  /** Another program than the browser that is there. */
  readonly program?: string;
  readonly limits?: Partial<Limits>;
  readonly pool?: Partial<PoolLimits>;
  readonly slots?: number;
  readonly idleMs?: number;
};

/** A site of the given pages, and a tier that renders them through a proxy that lets it reach everything. */
export async function openRendered(
  pages: Pages,
  { kind = 'shell', program, limits, pool, slots = 3, idleMs = 60_000 }: Setup = {},
) {
  if (BROWSERS === null) throw new Error('there is no browser');
  const visits: { readonly path: string; readonly headers: IncomingMessage['headers'] }[] = [];
  const site = await openSite((request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    visits.push({ path, headers: request.headers });
    answer(pages[path], request, response);
  });
  const proxy = await openForwardProxy();
  const warnings: string[] = [];
  const tier = openBrowserTier({
    kind,
    binary: program === undefined ? BROWSERS[kind] : { kind, path: program },
    egress: proxy.egress,
    places: openPlaces(slots),
    idleMs,
    limits: { ...LIMITS, ...limits },
    clock: { now: () => performance.now() },
    isRoot: process.getuid?.() === 0,
    warn: (line) => warnings.push(line),
    ...(pool === undefined ? {} : { pool }),
  });

  async function visit(
    path: string,
    { headers = {}, cookies = [], follows, arrived, captures, job, ...wishes }: Wishes = {},
    signal?: AbortSignal,
  ): Promise<Page> {
    const url = new URL(path, site.origin);
    const request = { url, headers, cookies, follows, arrived, captures, job, browser: { ...NO_WISHES, ...wishes } };
    return tier.visit(request, signal ?? AbortSignal.timeout(PATIENCE_MS));
  }

  return {
    origin: site.origin,
    visit,
    /** The HTML of a rendered page. */
    html: async (path: string, wishes: Wishes = {}): Promise<string> => textOf(await visit(path, wishes)),
    /** What the site was asked for. */
    visits: (path: string) => visits.filter((one) => one.path === path),
    /** What the proxy was asked for. */
    asked: proxy.asked,
    warnings,
    pids: tier.pids,
    async close(): Promise<void> {
      await tier.close();
      await proxy[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
    },
  };
}

export function textOf({ body }: Page): string {
  return Buffer.from(body).toString();
}

function answer(page: Pages[string] | undefined, request: IncomingMessage, response: ServerResponse): void {
  if (page === undefined) response.writeHead(404, HTML).end('<p>not here');
  else if (typeof page === 'string') response.writeHead(200, HTML).end(`<!doctype html><title>Mill</title>${page}`);
  else page(request, response);
}

const HTML = { 'content-type': 'text/html; charset=utf-8' };
