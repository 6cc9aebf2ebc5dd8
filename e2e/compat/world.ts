import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '#support/copy.ts';
import { KEY, runToEnd, serveQuern, type Ended, type Settings } from '#support/quern.ts';
import { startHttpServer } from '#testkit/servers.ts';

/** Folder of the clients that `npm run try:integrations` installs. */
export const CLIENTS = join(ROOT, 'tools/integrations');

const PAGES: Readonly<Record<string, string>> = {
  '/': '<title>The mill</title><h1>The mill</h1><p>Flour from old grain. <a href="/rye">Rye</a> <a href="/spelt">Spelt</a>',
  '/rye':
    '<title>Rye flour</title><h1>Rye flour</h1><p>Stone-ground rye from the valley, sold in bags of one kilogram.',
  '/spelt':
    '<title>Spelt flour</title><h1>Spelt flour</h1><p>Sifted spelt for light bread, sold in bags of one kilogram.',
};

/** A service and a site of three pages for the clients of other services. */
export type CompatWorld = AsyncDisposable & {
  /** URL of the site, without a slash at its end. */
  readonly site: string;
  /** The address that is pasted into clients of Firecrawl. */
  readonly firecrawl: string;
  /** An empty folder. */
  readonly folder: string;
  /** Runs a program with only these settings and the search path. */
  readonly runNode: (args: readonly string[], settings?: Settings) => Promise<Ended>;
};

export async function startCompatWorld(): Promise<CompatWorld> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'quern-compat-'));
  stack.defer(async () => rm(folder, { recursive: true, force: true }));
  const site = stack.use(
    await startHttpServer(({ url = '/' }, response) => {
      const page = PAGES[url];
      response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' });
      response.end(page);
    }),
  );
  await mkdir(join(folder, 'data'), { mode: 0o700 });
  const service = stack.use(await serveQuern(join(folder, 'data'), { QUERN_ALLOW_TARGETS: new URL(site.origin).host }));
  const owned = stack.move();
  return {
    site: site.origin,
    firecrawl: `${service.origin}/firecrawl`,
    folder,
    runNode: async (args, settings = {}) =>
      runToEnd(process.execPath, args, { cwd: folder, settings: { HOME: folder, ...settings } }),
    [Symbol.asyncDispose]: async () => owned.disposeAsync(),
  };
}

/** The environment variables of Firecrawl's command line and MCP server. */
export function buildFirecrawlSettings({ firecrawl }: CompatWorld): Settings {
  return { FIRECRAWL_API_URL: firecrawl, FIRECRAWL_API_KEY: KEY };
}
