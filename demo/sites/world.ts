import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { listen } from '#demo/listen.ts';
import { html, type Reply } from '#demo/reply.ts';
import { appstorePages } from './appstore.ts';
import { codehostPages } from './codehost.ts';
import { forumPages } from './forum.ts';
import { homestayPages } from './homestay.ts';
import { hotelPages } from './hotels.ts';
import { jobPages } from './jobs.ts';
import { movingLaunches } from './launches.ts';
import { microblogPages } from './microblog.ts';
import { musiccatalogPages } from './musiccatalog.ts';
import { musicstreamPages } from './musicstream.ts';
import { pinboardPages } from './pinboard.ts';
import { retailPages } from './retail.ts';
import { shopAPages } from './shop-a.ts';
import { shopWPages } from './shop-w.ts';
import type { SiteCall, SitePages } from './site-pages.ts';
import { shortvideoPages } from './shortvideo.ts';
import { socialnetPages } from './socialnet.ts';
import { technewsPages } from './technews.ts';
import { vehiclesPages } from './vehicles.ts';
import { videoAltPages } from './video-alt.ts';
import { videoPages } from './video.ts';
import { websearchPages } from './websearch.ts';

/** Every site that is rehearsed, as it is before anything moves. */
const allSites = (): readonly SitePages[] => [
  appstorePages,
  codehostPages,
  forumPages,
  homestayPages,
  ...hotelPages(),
  ...jobPages,
  movingLaunches(),
  microblogPages,
  musiccatalogPages,
  musicstreamPages,
  pinboardPages,
  retailPages,
  shopAPages,
  shopWPages,
  shortvideoPages,
  socialnetPages,
  technewsPages,
  vehiclesPages,
  videoPages,
  videoAltPages,
  websearchPages,
];

/** One request that came: `GET /users/octocat`. */
export type Seen = { readonly site: string; readonly origin: string; readonly line: string; readonly body: string };

export type SiteWorld = {
  /** A sites file that leads to the servers. */
  readonly file: string;
  /** What `QUERN_ALLOW_TARGETS` must hold: `host:port` of each server, separated by commas. */
  readonly allow: string;
  /** By site, then by the name of the origin. */
  readonly origins: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** What came so far, in order. */
  readonly seen: readonly Seen[];
  readonly close: () => Promise<void>;
};

/** Opens every rehearsed site on the loopback address, a server for each origin, and writes one sites file for them. */
export async function openSites(sites: readonly SitePages[] = allSites()): Promise<SiteWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'quern-sites-'));
  const seen: Seen[] = [];
  const opened = await Promise.all(sites.map(async (pages) => openPages(pages, seen)));
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

async function openPages({ site, origins: handlers }: SitePages, seen: Seen[]) {
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
        const call: SiteCall = { method, url, headers, body, visits: visits.get(key) ?? 1, origins };
        const reply = handler(call) ?? html('<!doctype html><title>Not found</title><h1>Not found</h1>\n', 404);
        if (reply.delayMs !== undefined) await setTimeout(reply.delayMs, undefined, { ref: false });
        send(response, reply);
      }
      const server = createServer((request, response) => {
        answer(request, response).catch(() => response.destroy());
      });
      const listening = await listen(server, 0);
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

function send(response: ServerResponse, reply: Reply): void {
  response.writeHead(reply.status, { ...reply.headers, 'content-length': Buffer.byteLength(reply.body) });
  response.end(reply.body);
}
