/** A site with pages that scripts fill, and third-party scripts on a second loopback address. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listAssets } from '../world/assets.ts';
import { buildLabel, buildParagraph } from '../world/prose.ts';
import { drawBelow, createRandom, buildArray } from '#bench/world/prose.ts';
import { planWorld } from '../world/site.ts';

const HOST = '127.0.0.1';
/** Another address, so that browsers treat it as another site. */
const THIRD_PARTY_HOST = '127.0.0.2';
const ITEMS = 150;
const IMAGES = 12;
const THIRD_PARTY_SCRIPTS = 4;

type PageResponse = { readonly type: string; readonly body: string | Buffer };

const HTML = 'text/html; charset=utf-8';
const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css',
  js: 'application/javascript',
  png: 'image/png',
  woff2: 'font/woff2',
  ico: 'image/x-icon',
};

const assets = new Map(listAssets());
const site = planWorld({ pages: 1000, seed: 1, origin: `http://${HOST}` });
let thirdPartyOrigin = '';

function findResponse(path: string): PageResponse | null {
  const asset = assets.get(path);
  if (asset !== undefined) return { type: TYPES[path.split('.').at(-1) ?? ''] ?? HTML, body: asset };
  const [, kind = '', name = ''] = path.split('/');
  const id = Number.parseInt(name, 10);
  if (kind === 'app') return { type: HTML, body: writeApp(id) };
  if (kind === 'article') return { type: HTML, body: writeArticle(id) };
  if (kind === 'list') return { type: HTML, body: writeList(id) };
  if (kind === 'api') return { type: 'application/json', body: JSON.stringify(listItems(id)) };
  if (kind === 'tag') return { type: 'application/javascript', body: writeTag(id) };
  return null;
}

/** An empty app shell; its script fetches all content. */
function writeApp(id: number): string {
  return `${writeHead(id)}<body><div id="root" data-id="${id}"><div class="spinner">Loading</div></div>${writeTags()}</body></html>`;
}

/** A complete page to which a script adds one line. */
function writeArticle(id: number): string {
  const random = createRandom(id + 40_000);
  const text = buildArray(90, (at) => {
    const image = at % 8 === 0 ? writeImage(id + at) : '';
    const comment = at % 6 === 0 ? `<div class="comment">${buildParagraph(site, random, 'without links')}</div>` : '';
    return `<p class="u-${at}">${buildParagraph(site, random, 'without links')}</p>${image}${comment}`;
  });
  const mark = `<script>document.getElementById('mark').textContent = ['ground', ${id}].join(' ');</script>`;
  return `${writeHead(id)}<body><main><h1 id="mark"></h1>${text.join('')}</main>${mark}${writeTags()}</body></html>`;
}

/** A list with infinite scrolling. */
function writeList(id: number): string {
  const script = `<script>fetch('/api/${id}.json').then((one) => one.json()).then(({ title, items }) => {
    const list = document.getElementById('list');
    let shown = 0;
    const grow = () => {
      for (const { t, p } of items.slice(shown, shown + 25)) {
        const row = document.createElement('section');
        row.innerHTML = '<h2>' + t + '</h2><p>' + p + '</p><img loading="lazy" src="/static/img/' + (shown % 64) + '.png">';
        list.append(row);
        shown += 1;
      }
    };
    grow();
    new IntersectionObserver(([one]) => { if (one.isIntersecting) grow(); }).observe(document.getElementById('end'));
    document.getElementById('mark').textContent = title;
    document.body.dataset.ready = '1';
  });</script>`;
  return `${writeHead(id)}<body><h1 id="mark"></h1><div id="list"></div><div id="end"></div>${script}${writeTags()}</body></html>`;
}

function writeHead(id: number): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Sack ${id}</title>
<link rel="stylesheet" href="/static/app.css"><script src="/static/app.js" defer></script></head>`;
}

function writeImage(at: number): string {
  return `<img src="/static/img/${at % IMAGES}.png" width="400" height="300" alt="">`;
}

/** Third-party scripts, which set a cookie, compute and send a pixel. */
function writeTags(): string {
  return buildArray(THIRD_PARTY_SCRIPTS, (at) => `<script async src="${thirdPartyOrigin}/tag/${at}.js"></script>`).join(
    '',
  );
}

function writeTag(id: number): string {
  return `(() => { const sums = []; for (let i = 0; i < 20000; i += 1) sums[i % 64] = (sums[i % 64] ?? 0) ^ (i * ${id + 3});
  document.cookie = 'tag${id}=' + sums.length; new Image().src = '${thirdPartyOrigin}/static/img/${id}.png?' + sums[3]; })();`;
}

function listItems(id: number) {
  const random = createRandom(id + 90_000);
  return {
    title: `ground ${id}`,
    items: buildArray(ITEMS, (at) => ({
      t: buildLabel(random, 60),
      p: buildParagraph(site, random, 'without links'),
      u: `/app/${drawBelow(random, 1000)}#${at}`,
    })),
  };
}

function handleRequest({ url = '/' }: IncomingMessage, response: ServerResponse): void {
  const found = findResponse(url.split('?')[0] ?? '/');
  if (found === null) {
    response.writeHead(404).end();
    return;
  }
  const { type, body } = found;
  const isAsset = url.startsWith('/static/');
  response.writeHead(200, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    ...(isAsset ? { 'cache-control': 'max-age=3600' } : {}),
  });
  response.end(body);
}

async function startServer(host: string): Promise<string> {
  const server = createServer(handleRequest);
  server.keepAliveTimeout = 60_000;
  server.listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://${host}:${address.port}`;
}

thirdPartyOrigin = await startServer(THIRD_PARTY_HOST);
process.stdout.write(`${await startServer(HOST)} ${thirdPartyOrigin}\n`);
