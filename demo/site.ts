import { createServer, type ServerResponse } from 'node:http';
import { articlePages } from './articles.ts';
import { feedPages } from './feeds.ts';
import { forumPages } from './forum.ts';
import { drawStripes, drawWheel } from './images.ts';
import { labPages } from './lab.ts';
import { toDocument } from './layout.ts';
import { listen, type Listening } from './listen.ts';
import { html, type Page, type Reply, typed } from './reply.ts';
import { loginPages } from './login.ts';
import { orderPages } from './order.ts';
import { shopPages } from './shop.ts';
import { troublePages } from './trouble.ts';

export type Site = Listening;

/** Opens the paper and shop of Harrow Mill on the loopback address; port 0 takes a free one. */
export async function openSite({ port }: { readonly port: number }): Promise<Site> {
  const pages = buildPages();
  const visits = new Map<string, number>();
  const waiting = new Set<NodeJS.Timeout>();
  let origin = '';

  const server = createServer((request, response) => {
    const url = URL.parse(`${origin}${request.url ?? '/'}`);
    if (url === null) return send(response, html('<h1>Unreadable address</h1>\n', 400));
    const page = pages.get(url.pathname);
    if (page === undefined) return send(response, missing(origin, url.pathname));
    const count = (visits.get(url.pathname) ?? 0) + 1;
    visits.set(url.pathname, count);
    const client = request.socket.remoteAddress ?? '';
    const reply = page({ origin, url, headers: request.headers, client, visits: count });
    if (reply.delayMs === undefined) return send(response, reply);
    const timer = setTimeout(() => {
      waiting.delete(timer);
      send(response, reply);
    }, reply.delayMs);
    waiting.add(timer);
  });
  const listening = await listen(server, port);
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
    ...articlePages(),
    ...shopPages(),
    ...orderPages(),
    ...loginPages(),
    ...forumPages(),
    ...feedPages(),
    ...troublePages(),
    ...labPages(),
    ['/images/wheel.svg', () => typed('image/svg+xml', drawWheel())],
    ['/images/sieves.png', () => typed('image/png', stripes)],
    ['/images/grain.png', () => typed('image/png', grain)],
    [
      '/app.js',
      () =>
        typed(
          'text/javascript; charset=utf-8',
          "document.querySelector('#root').textContent = 'Plan your week of bread.';\n",
        ),
    ],
  ]);
}

function missing(origin: string, path: string): Reply {
  const main = '<h1>Nothing is ground here</h1><p>The page you look for has been baked, sold or eaten.</p>';
  return html(toDocument({ origin, path, title: 'Not found', description: 'This page does not exist.', main }), 404);
}

function send(response: ServerResponse, reply: Reply): void {
  response.writeHead(reply.status, { ...reply.headers, 'content-length': Buffer.byteLength(reply.body) });
  response.end(reply.body);
}
