import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { deflateSync } from 'node:zlib';
import { buildPdf } from '#testkit/pdf.ts';
import { startHttpServer } from '#testkit/servers.ts';

/** Pages that a crawl of the front page finds. */
export const LINKED_PAGES = 15;
/** The number of links of a page whose crawl does not end within a measurement. */
const MANY_LINKS = 2000;
const SLOW_MS = 25_000;
const LARGE_BYTES = 9 * 2 ** 20;

const PROSE = 'The miller ground rye and wheat for the village until the autumn flood. '.repeat(8);
const NESTED = `<html><body>${'<div class="a"><span>x</span>'.repeat(20_000)}`;
const WIDE = `<html><body>${'<section><h2>Rye</h2><p>Wheat <b>and</b> oats.</p><table><tr><td>1<td>2</table></section>'.repeat(30_000)}`;
const LARGE = randomBytes(LARGE_BYTES / 2).toString('hex');

/** A document of a few hundred kilobytes that decompresses to 96 MiB. */
const BOMB = (() => {
  const packed = deflateSync(Buffer.alloc(96 * 2 ** 20, ' '), { level: 1 });
  const stream = `<< /Filter /FlateDecode /Length ${packed.length} >>\nstream\n${packed.toString('latin1')}\nendstream`;
  return buildPdf([{ shown: [], content: 6 }], { objects: [stream] });
})();

/** Paths that a tenant requests to harm others; all other paths are plain pages. */
const HOSTILE: Readonly<Record<string, string | Buffer>> = {
  '/nested': Buffer.from(NESTED),
  '/wide': Buffer.from(WIDE),
  '/large': Buffer.from(`<html><body><p>${LARGE}`),
  '/links': `<html><body>${Array.from({ length: MANY_LINKS }, (_, at) => `<a href="/page/${at}">${at}</a>`).join('')}`,
  '/empty-app': '<html><body><div id="__next"></div><script>1</script></body></html>',
  '/busy': '<html><body><p>Busy</p><script>for (;;) {}</script></body></html>',
  '/hungry':
    '<html><body><script>const all = []; for (;;) all.push(new Array(1e6).fill(all.length));</script></body></html>',
};

/** A site that normal tenants and one hostile tenant visit. */
export async function openOrigin() {
  return startHttpServer(answer);
}

/** A SearXNG that finds pages of a site for every query, and rejects unusual ones as engines do. */
export async function openEngine(site: string) {
  return startHttpServer(({ url = '/' }, response) => {
    const query = new URL(url, 'http://engine').searchParams.get('q') ?? '';
    response.setHeader('content-type', 'application/json');
    if (query.includes('odd')) {
      response.writeHead(400).end('{}');
      return;
    }
    const results = [1, 2, 3].map((at) => ({
      title: `Mill ${at}`,
      url: `${site}/crop/${at}`,
      content: `${query} ${PROSE.slice(0, 200)}`,
    }));
    response.end(JSON.stringify({ query, results }));
  });
}

function answer({ url = '/' }: IncomingMessage, response: ServerResponse): void {
  const { pathname } = new URL(url, 'http://origin');
  response.setHeader('content-type', 'text/html; charset=utf-8');
  if (pathname === '/robots.txt') return void response.writeHead(404).end();
  const hostile = HOSTILE[pathname];
  if (hostile !== undefined) return void response.end(hostile);
  if (pathname === '/slow') return answerSlowly(response);
  if (pathname === '/bomb') return void response.setHeader('content-type', 'application/pdf').end(BOMB);
  const links = Array.from({ length: LINKED_PAGES }, (_, at) => `<li><a href="/crop/${at}">Crop ${at}</a>`).join('');
  const more = pathname === '/' ? `<ul>${links}</ul>` : '';
  response.end(
    `<html><title>Mill ${pathname}</title><body><main><h1>Mill ${pathname}</h1><p>${PROSE}</p>${more}</main>`,
  );
}

function answerSlowly(response: ServerResponse): void {
  const timer = setTimeout(() => response.end('<p>Rye'), SLOW_MS);
  response.once('close', () => clearTimeout(timer));
}
