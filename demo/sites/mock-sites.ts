import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { startListening } from '#demo/listen.ts';
import { buildHtmlReply, type PageReply } from '#demo/layout.ts';
import { APPSTORE_PAGES } from './appstore.ts';
import { CODEHOST_PAGES } from './codehost.ts';
import { FORUM_PAGES } from './forum.ts';
import { HOMESTAY_PAGES } from './homestay.ts';
import { buildHotelPages } from './hotels.ts';
import { JOB_PAGES } from './jobs.ts';
import { buildMovingLaunches } from './launches.ts';
import { MICROBLOG_PAGES } from './microblog.ts';
import { MUSICCATALOG_PAGES } from './musiccatalog.ts';
import { MUSICSTREAM_PAGES } from './musicstream.ts';
import { PINBOARD_PAGES } from './pinboard.ts';
import { RETAIL_PAGES } from './retail.ts';
import { SHOP_A_PAGES } from './shop-a.ts';
import { SHOP_W_PAGES } from './shop-w.ts';
import type { MockCall, MockSite } from './site-pages.ts';
import { SHORTVIDEO_PAGES } from './shortvideo.ts';
import { SOCIALNET_PAGES } from './socialnet.ts';
import { TECHNEWS_PAGES } from './technews.ts';
import { VEHICLES_PAGES } from './vehicles.ts';
import { VIDEO_ALT_PAGES } from './video-alt.ts';
import { VIDEO_PAGES } from './video.ts';
import { WEBSEARCH_PAGES } from './websearch.ts';

/** All mock sites in their initial state. */
const MOCK_SITES = (): readonly MockSite[] => [
  APPSTORE_PAGES,
  CODEHOST_PAGES,
  FORUM_PAGES,
  HOMESTAY_PAGES,
  ...buildHotelPages(),
  ...JOB_PAGES,
  buildMovingLaunches(),
  MICROBLOG_PAGES,
  MUSICCATALOG_PAGES,
  MUSICSTREAM_PAGES,
  PINBOARD_PAGES,
  RETAIL_PAGES,
  SHOP_A_PAGES,
  SHOP_W_PAGES,
  SHORTVIDEO_PAGES,
  SOCIALNET_PAGES,
  TECHNEWS_PAGES,
  VEHICLES_PAGES,
  VIDEO_PAGES,
  VIDEO_ALT_PAGES,
  WEBSEARCH_PAGES,
];

/** One received request, such as `GET /users/octocat`. */
export type MockRequest = {
  readonly site: string;
  readonly origin: string;
  readonly line: string;
  readonly body: string;
};

export type MockSites = {
  /** A sites file that points to the servers. */
  readonly file: string;
  /** Value of `QUERN_ALLOW_TARGETS`: `host:port` of each server, separated by commas. */
  readonly allow: string;
  /** Origins by site and name. */
  readonly origins: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** All requests so far, in order. */
  readonly seen: readonly MockRequest[];
  readonly close: () => Promise<void>;
};

/** Starts all mock sites on the loopback address, with a server per origin, and writes a sites file for them. */
export async function startMockSites(sites: readonly MockSite[] = MOCK_SITES()): Promise<MockSites> {
  const folder = mkdtempSync(join(tmpdir(), 'quern-sites-'));
  const seen: MockRequest[] = [];
  const opened = await Promise.all(sites.map(async (pages) => startMockSite(pages, seen)));
  const origins = Object.fromEntries(opened.map((one) => [one.site, one.origins]));
  const file = join(folder, 'sites.json');
  writeFileSync(
    file,
    JSON.stringify(Object.fromEntries(opened.map((one) => [one.site, { origins: one.origins }])), null, 2),
  );
  return {
    file,
    allow: opened.flatMap((one) => Object.values(one.origins).map((origin) => new URL(origin).host)).join(','),
    origins,
    seen,
    async close() {
      await Promise.all(opened.map(async (one) => one.close()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startMockSite({ site, origins: handlers }: MockSite, seen: MockRequest[]) {
  const origins: Record<string, string> = {};
  const visits = new Map<string, number>();
  const servers = await Promise.all(
    Object.entries(handlers).map(async ([name, handler]) => {
      async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
        const url = new URL(`${origins[name] ?? ''}${request.url ?? '/'}`);
        const line = `${request.method ?? ''} ${url.pathname}${url.search}`;
        const body = await text(request);
        seen.push({ site, origin: name, line, body });
        const key = `${name} ${url.pathname}`;
        visits.set(key, (visits.get(key) ?? 0) + 1);
        const { method = '', headers } = request;
        const call: MockCall = { method, url, headers, body, visits: visits.get(key) ?? 1, origins };
        const reply =
          handler(call) ?? buildHtmlReply('<!doctype html><title>Not found</title><h1>Not found</h1>\n', 404);
        if (reply.delayMs !== undefined) await setTimeout(reply.delayMs, undefined, { ref: false });
        sendReply(response, reply);
      }
      const server = createServer((request, response) => {
        answer(request, response).catch(() => response.destroy());
      });
      const listening = await startListening(server, 0);
      origins[name] = listening.origin;
      return listening;
    }),
  );
  return {
    site,
    origins,
    async close(): Promise<void> {
      await Promise.all(servers.map(async (server) => server.close()));
    },
  };
}

function sendReply(response: ServerResponse, reply: PageReply): void {
  response.writeHead(reply.status, { ...reply.headers, 'content-length': Buffer.byteLength(reply.body) });
  response.end(reply.body);
}
