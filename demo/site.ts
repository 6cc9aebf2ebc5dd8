import { createServer, type ServerResponse } from 'node:http';
import { buildArticlePages, drawStripes, drawWheel, buildFeedPages, buildForumPages } from './newspaper.ts';
import { buildTroublePages } from './trouble.ts';
import { buildLabPages } from './lab.ts';
import { renderDocument, buildHtmlReply, type Page, type PageReply, buildReply } from './layout.ts';
import { startListening, type ListeningServer } from './listen.ts';
import { buildLoginPages, buildShopPages, buildOrderPages } from './shop.ts';

export type DemoSite = ListeningServer;

/** Starts the demo site, a newspaper with a shop, on the loopback address; port 0 picks a free port. */
export async function startSite({ port }: { readonly port: number }): Promise<DemoSite> {
  const pages = buildPages();
  const visits = new Map<string, number>();
  const waiting = new Set<NodeJS.Timeout>();
  let origin = '';

  const server = createServer((request, response) => {
    const url = URL.parse(`${origin}${request.url ?? '/'}`);
    if (url === null) return sendReply(response, buildHtmlReply('<h1>Unreadable address</h1>\n', 400));
    const page = pages.get(url.pathname);
    if (page === undefined) return sendReply(response, renderNotFound(origin, url.pathname));
    const count = (visits.get(url.pathname) ?? 0) + 1;
    visits.set(url.pathname, count);
    const client = request.socket.remoteAddress ?? '';
    const reply = page({ origin, url, headers: request.headers, client, visits: count });
    if (reply.delayMs === undefined) return sendReply(response, reply);
    const timer = setTimeout(() => {
      waiting.delete(timer);
      sendReply(response, reply);
    }, reply.delayMs);
    waiting.add(timer);
  });
  const listening = await startListening(server, port);
  origin = listening.origin;

  return {
    origin,
    async close() {
      for (const timer of waiting) clearTimeout(timer);
      await listening.close();
    },
  };
}

function buildPages(): ReadonlyMap<string, Page> {
  const stripes = drawStripes(64);
  const grain = drawStripes(16);
  return new Map<string, Page>([
    ...buildArticlePages(),
    ...buildShopPages(),
    ...buildOrderPages(),
    ...buildLoginPages(),
    ...buildForumPages(),
    ...buildFeedPages(),
    ...buildTroublePages(),
    ...buildLabPages(),
    ['/images/wheel.svg', () => buildReply('image/svg+xml', drawWheel())],
    ['/images/sieves.png', () => buildReply('image/png', stripes)],
    ['/images/grain.png', () => buildReply('image/png', grain)],
    [
      '/app.js',
      () =>
        buildReply(
          'text/javascript; charset=utf-8',
          "document.querySelector('#root').textContent = 'Plan your week of bread.';\n",
        ),
    ],
  ]);
}

function renderNotFound(origin: string, path: string): PageReply {
  const main = '<h1>Nothing is ground here</h1><p>The page you look for has been baked, sold or eaten.</p>';
  return buildHtmlReply(
    renderDocument({ origin, path, title: 'Not found', description: 'This page does not exist.', main }),
    404,
  );
}

function sendReply(response: ServerResponse, reply: PageReply): void {
  response.writeHead(reply.status, { ...reply.headers, 'content-length': Buffer.byteLength(reply.body) });
  response.end(reply.body);
}
