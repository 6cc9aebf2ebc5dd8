import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { test } from 'node:test';
import type { BrowserKind } from '#access/browser/binaries.ts';
import { createPageSlots } from '#access/browser/page-slots.ts';
import type { PoolLimits } from '#access/browser/pool.ts';
import { createBrowserTier } from '#access/browser/tier.ts';
import { DEFAULT_RENDER_OPTIONS, type RenderOptions, type Page, type PageRequest } from '#access/page.ts';
import { DEFAULT_LIMITS, type VisitLimits } from '#access/limits.ts';
import { findConfiguredBrowsers } from '#compose/browsers.ts';
import { openForwardProxy } from './forward-proxy.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';

/** The browser setting of the run; `off` for none. */
export const SETTING = process.env['QUERN_CHROMIUM'] === '' ? undefined : process.env['QUERN_CHROMIUM'];

/** The browsers of this machine, or the configured one. */
export const BROWSERS = findConfiguredBrowsers({ QUERN_CHROMIUM: SETTING });

/** The message of a run without a browser. */
export const NO_BROWSER =
  'there is no browser, so each test of one fails: npm run setup:browser gets one, QUERN_CHROMIUM=off leaves them out';

/** A test that needs a browser: it fails if there is none, unless the run has none by its setting. */
export function browserTest(name: string, work: () => Promise<void>): void {
  test(name, async (t) => {
    if (BROWSERS !== null) return work();
    if (SETTING !== 'off') throw toFailure();
    return t.diagnostic('left out: QUERN_CHROMIUM is off');
  });
}

/** One line is enough. */
function toFailure(): Error {
  const failure = new Error(NO_BROWSER);
  failure.stack = failure.message;
  return failure;
}

/** Enough text that the browser tier waits for no more. */
export const FOOTER = `<footer>${'The mill stands at the brook. '.repeat(8)}</footer>`;

/** Long enough for a busy machine. */
const PATIENCE_MS = 60_000;

export type Wishes = Partial<RenderOptions> & Partial<Omit<PageRequest, 'url' | 'browser'>>;

/** Pages by their path; a text is the HTML of a body. */
export type Pages = Readonly<Record<string, string | RequestListener>>;

export type Setup = {
  readonly kind?: BrowserKind;
  /** Another program than the available browser. */
  readonly program?: string;
  readonly limits?: Partial<VisitLimits>;
  /** The end of each page that is a text; by default enough text that nothing is waited for. */
  readonly footer?: string;
  readonly pool?: Partial<PoolLimits>;
  readonly slots?: number;
  readonly idleMs?: number;
  /** Whether the service is root; by default the actual state. */
  readonly isRoot?: boolean;
};

/** A site of the given pages, and a tier that renders them through a proxy that lets it reach everything. */
export async function openRendered(
  pages: Pages,
  {
    kind = 'shell',
    program,
    limits,
    footer = FOOTER,
    pool,
    slots = 3,
    idleMs = 60_000,
    isRoot = process.getuid?.() === 0,
  }: Setup = {},
) {
  if (BROWSERS === null) throw new Error('there is no browser');
  const visits: { readonly path: string; readonly headers: IncomingMessage['headers'] }[] = [];
  const site = await startHttpServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    visits.push({ path, headers: request.headers });
    answer(withFooter(pages[path], footer), request, response);
  });
  const proxy = await openForwardProxy();
  const warnings: string[] = [];
  const tier = createBrowserTier({
    kind,
    binary: program === undefined ? BROWSERS[kind] : { kind, path: program },
    egress: proxy.egress,
    slots: createPageSlots({ places: slots, clock: SYSTEM_CLOCK }),
    idleMs,
    limits: { ...DEFAULT_LIMITS, ...limits },
    clock: SYSTEM_CLOCK,
    isRoot,
    warn: (line) => warnings.push(line),
    ...(pool === undefined ? {} : { pool }),
  });

  async function visit(
    path: string,
    { headers = {}, cookies = [], session, follows, party, arrived, captures, job, leftMs, ...wishes }: Wishes = {},
    signal?: AbortSignal,
  ): Promise<Page> {
    const url = new URL(path, site.origin);
    const given = { headers, cookies, session, follows, party, arrived, captures, job, leftMs };
    const request = { url, ...given, browser: { ...DEFAULT_RENDER_OPTIONS, ...wishes } };
    return (await tier.visit(request, signal ?? AbortSignal.timeout(PATIENCE_MS))).page;
  }

  return {
    origin: site.origin,
    visit,
    /** The HTML of a rendered page. */
    html: async (path: string, wishes: Wishes = {}): Promise<string> => getPageText(await visit(path, wishes)),
    /** The requests to the site. */
    visits: (path: string) => visits.filter((one) => one.path === path),
    /** The requests to the proxy. */
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

export function getPageText({ body }: Page): string {
  return Buffer.from(body).toString();
}

function withFooter(page: Pages[string] | undefined, footer: string): Pages[string] | undefined {
  return typeof page === 'string' ? page + footer : page;
}

function answer(page: Pages[string] | undefined, request: IncomingMessage, response: ServerResponse): void {
  if (page === undefined) response.writeHead(404, HTML).end('<p>not here');
  else if (typeof page === 'string') response.writeHead(200, HTML).end(`<!doctype html><title>Mill</title>${page}`);
  else page(request, response);
}

const HTML = { 'content-type': 'text/html; charset=utf-8' };
