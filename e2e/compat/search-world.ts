import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listMockResults } from '#demo/sites/websearch.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { openWorld } from '#support/world.ts';
import type { Settings } from '#support/quern.ts';

export type SearchWorld = Awaited<ReturnType<typeof openSearchWorld>>;

/** The query, or words of it, for which the engine returns pages of the demo site. */
export const LOCAL_QUERY = 'when is the bridge closed';
const LOCAL_PATHS = ['/articles/bridge-closed-on-sunday', '/'] as const;

/** The pages of the mill: the start links to all, which have no further links. */
const MILL_PAGES = 40;

function respondAsMill(request: IncomingMessage, response: ServerResponse): void {
  const { pathname } = new URL(request.url ?? '/', 'http://mill.example');
  const number = Number(/^\/grain\/(\d+)$/.exec(pathname)?.[1] ?? 0);
  const isPage = pathname === '/' || (number >= 1 && number <= MILL_PAGES);
  const text = `The ${number}th grain of the mill is ground between stones that turn ${number * 7} times an hour.`;
  const links = Array.from({ length: MILL_PAGES }, (_, at) => `<a href="/grain/${at + 1}">Grain ${at + 1}</a>`);
  response
    .writeHead(isPage ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' })
    .end(
      `<!doctype html><html lang="en"><title>Grain ${number}</title><body><nav><a href="https://other.example/">Other</a></nav><main><h1>Grain ${number}</h1><p>${text}</p>${number === 0 ? links.join(' ') : ''}</main></body></html>`,
    );
}

/** A world whose service searches with a local engine; `queries` are the request lines that the engine got. */
export async function openSearchWorld(settings: Settings = {}) {
  await using opening = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'quern-search-'));
  opening.defer(async () => rm(folder, { recursive: true, force: true }));
  const queries: string[] = [];
  let site = '';
  const engine = opening.use(
    await startHttpServer((request, response) => {
      const url = new URL(request.url ?? '/', 'http://engine.example');
      queries.push(url.search);
      const search = (url.searchParams.get('q') ?? '').replaceAll(/ \(?-?site:.*$/g, '');
      const isNews = url.searchParams.get('categories') === 'news';
      const results = /\bbridge\b/.test(search)
        ? LOCAL_PATHS.map((path) => ({ title: 'A page', url: site + path, description: 'The bridge is closed.' }))
        : listMockResults(search, Number(url.searchParams.get('pageno') ?? 1));
      const list = isNews
        ? []
        : results.map(({ title, url: link, description }) => ({ title, url: link, content: description }));
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ results: list, unresponsive_engines: [] }));
    }),
  );
  const file = join(folder, 'search.json');
  const driver = { driver: 'searxng', url: engine.origin };
  const mill = opening.use(await startHttpServer(respondAsMill));
  await writeFile(file, JSON.stringify({ backends: { local: driver }, answerengine: { driver: 'extractive' } }));
  const allow = new URL(mill.origin).host;
  const world = await openWorld({ QUERN_SEARCH_FILE: file, QUERN_ALLOW_TARGETS: allow, ...settings });
  site = world.site;
  opening.defer(async () => world.close());
  const all = opening.move();
  return { ...world, mill: mill.origin, queries, close: async (): Promise<void> => all.disposeAsync() };
}
