import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { until } from '#support/fleet.ts';
import { at, listAt, textAt } from '#support/members.ts';
import { openHttpProxy } from '#support/proxies.ts';
import { serveHere } from '#support/command.ts';
import type { Answering } from '#support/quern.ts';
import { browserTest } from '#support/rendered.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { inTemporaryFolder } from '#support/store.ts';

const LINKS = ['/rye', '/oats', '/spelt', '/barley', '/millet', '/wheat', '/vaults'];
const VAULTS = ['/vaults/one', '/vaults/two'];
/** The block page of a known vendor: no datacenter address is tried against it. */
const WALL = '<!doctype html><title>Wait</title><iframe src="https://geo.captcha-delivery.com/captcha/"></iframe>';
/** The exit address of the residential proxy. */
const TRUSTED = '127.0.0.2';

/** Eight public pages, and below them two that only one address may read. */
function openMill() {
  const visits: string[] = [];
  return startHttpServer((request, response) => answer(request, response, visits)).then((site) =>
    Object.assign(site, { visits }),
  );
}

function answer({ url = '/', socket }: IncomingMessage, response: ServerResponse, visits: string[]): void {
  if (url === '/robots.txt' || url.endsWith('.xml')) return void response.writeHead(404).end();
  visits.push(url);
  const isWalled = VAULTS.includes(url) && socket.remoteAddress !== TRUSTED;
  const links = url === '/' ? LINKS : url === '/vaults' ? VAULTS : [];
  const anchors = links.map((path) => `<a href="${path}">${path}</a>`).join(' ');
  const isThere = url === '/' || LINKS.includes(url) || VAULTS.includes(url);
  const text = `Of ${url} there is much to tell, and nothing that is told of another. `.repeat(12);
  response.writeHead(isThere ? 200 : 404, { 'content-type': 'text/html' });
  response.end(isWalled ? WALL : `<!doctype html><title>${url}</title><h1>${url}</h1><p>${text}</p>${anchors}`);
}

type Town = {
  readonly mill: Awaited<ReturnType<typeof openMill>>;
  readonly proxy: Awaited<ReturnType<typeof openHttpProxy>>;
  readonly service: Answering;
};

/** The site, a proxy whose exit it trusts, and a service on the embedded store with both tiers. */
async function withTown(work: (town: Town) => Promise<void>): Promise<void> {
  await inTemporaryFolder(async (folder) => {
    await using mill = await openMill();
    await using proxy = await openHttpProxy({ exit: TRUSTED });
    await using service = await serveHere(folder, {
      QUERN_ALLOW_TARGETS: `127.0.0.1:${mill.port}`,
      QUERN_CHROMIUM: '',
      QUERN_PROXIES_RESIDENTIAL: proxy.url,
    });
    await work({ mill, proxy, service });
  });
}

browserTest(
  'crawls and maps charge each page by the tier that served it: eight plain and two hardened cost 150',
  async () => {
    await withTown(async ({ mill, proxy, service }) => {
      const crawl = { url: `${mill.origin}/`, max_depth: 2, delay_ms: 0, output: ['text'], max_pages: 10 };
      const { status, body: job } = await service.call('/v1/jobs', { kind: 'crawl', input: crawl });
      assert.equal(status, 202, JSON.stringify(job));
      const id = textAt(job, 'id');
      await until('the crawl has ended', async () => {
        const { body: now } = await service.call(`/v1/jobs/${id}?wait_ms=30000`);
        return at(now, 'status') === 'completed';
      });
      const { body } = await service.call(`/v1/jobs/${id}/result?limit=100`);
      const served = listAt(body, 'pages').map((page) => {
        const { pathname } = new URL(textAt(page, 'url'));
        return `${pathname} ${textAt(page, 'tier')} ${String(at(page, 'credits'))}`;
      });
      const plain = ['/', ...LINKS].map((path) => `${path} http 2`);
      const hardened = VAULTS.map((path) => `${path} proxy_browser 67`);
      assert.deepEqual(served.toSorted(), [...plain, ...hardened].toSorted());
      for (const page of listAt(body, 'pages')) assert.match(textAt(page, 'text'), /there is much to tell/);
      assert.deepEqual(at(body, 'usage'), {
        credits: 150,
        base: 20,
        surcharge: 130,
        tier: 'proxy_browser',
        tiers: { http: 8, proxy_browser: 2 },
      });
      const { body: usage } = await service.call('/v1/usage');
      assert.deepEqual([at(usage, 'credits_used'), at(usage, 'credits_reserved')], [150, 0]);
      assert.ok(proxy.asked.every(({ authority }) => authority === `127.0.0.1:${mill.port}`));

      // A map is charged for its URLs, and for the tier of each page that it read for them.
      const map = { url: `${mill.origin}/vaults/one`, sources: ['links'], max_urls: 5, timeout_ms: 50_000 };
      const mapped = await service.call('/v1/map', map);
      assert.equal(mapped.status, 200, JSON.stringify(mapped.body));
      assert.deepEqual(at(mapped.body, 'usage.surcharge'), 65);
      assert.deepEqual(at(mapped.body, 'usage.tier'), 'proxy_browser');
    });
  },
);
