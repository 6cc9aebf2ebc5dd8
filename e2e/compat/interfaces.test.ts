import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { textAt } from '#support/members.ts';
import { KEY, serveQuern, type Settings } from '#support/quern.ts';
import { inTemporaryFolder } from '#support/store.ts';
import { startHttpServer } from '#testkit/servers.ts';

const Interfaces = z.object({
  interfaces: z.array(
    z.object({ name: z.string(), title: z.string(), base_url: z.string(), paths: z.array(z.string()) }),
  ),
});

/** The address that each interface reports, and that of a crawl that a client behind a proxy starts, or its error. */
async function readAddresses(settings: Settings) {
  await using site = await startHttpServer((_request, response) => void response.end('<p>Rye'));
  return inTemporaryFolder(async (folder) => {
    await using service = await serveQuern(folder, { QUERN_ALLOW_TARGETS: new URL(site.origin).host, ...settings });
    const { interfaces } = Interfaces.parse((await service.call('/v1/capabilities')).body);
    const started = await fetch(`${service.origin}/firecrawl/v2/crawl`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${KEY}`,
        'content-type': 'application/json',
        'x-forwarded-host': 'quern.example',
        'x-forwarded-proto': 'https',
      },
      body: JSON.stringify({ url: site.origin, limit: 1 }),
      signal: AbortSignal.timeout(30_000),
    });
    const crawl: unknown = await started.json();
    return {
      interfaces,
      bases: Object.fromEntries(interfaces.map(({ name, base_url: base }) => [name, base])),
      crawl: started.status === 200 ? textAt(crawl, 'url').replace(service.origin, '') : JSON.stringify(crawl),
    };
  });
}

test('without a public URL the interfaces are paths, and links have the address of the request', async () => {
  const { interfaces, bases, crawl } = await readAddresses({});
  assert.deepEqual([bases['firecrawl'], bases['firecrawl-root']], ['/firecrawl', '']);
  assert.deepEqual(interfaces.find(({ name }) => name === 'firecrawl')?.paths, ['/v2/*', '/v1/*']);
  assert.match(crawl, /^\/firecrawl\/v2\/crawl\/[\da-f-]{36}$/);
});

test('links have the host and protocol that a trusted proxy forwards', async () => {
  const { crawl } = await readAddresses({ QUERN_TRUST_PROXY: '127.0.0.1' });
  assert.match(crawl, /^https:\/\/quern\.example\/firecrawl\/v2\/crawl\//);
});

test('with a public URL the interfaces and links begin with it', async () => {
  const { bases, crawl } = await readAddresses({ QUERN_PUBLIC_URL: 'https://tools.example/quern/' });
  const root = 'https://tools.example/quern';
  assert.deepEqual([bases['firecrawl'], bases['firecrawl-root']], [`${root}/firecrawl`, root]);
  assert.ok(crawl.startsWith(`${root}/firecrawl/v2/crawl/`));
});

test('QUERN_COMPAT=off reports and serves no interface', async () => {
  const { interfaces, crawl } = await readAddresses({ QUERN_COMPAT: 'off' });
  assert.deepEqual(interfaces, []);
  assert.match(crawl, /there is no route with this path/);
});
