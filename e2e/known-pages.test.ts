import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { listAt, textAt } from '#support/members.ts';
import { serveQuern } from '#support/quern.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { inTemporaryFolder } from '#support/store.ts';

const TRIES = 40;
const WAIT_MS = 500;

test('a map lists the pages that its tenant has fetched, without a visit', async () => {
  const asked: string[] = [];
  await using site = await startHttpServer(({ url = '/' }, response) => {
    asked.push(url);
    response.writeHead(url === '/robots.txt' ? 404 : 200, { 'content-type': 'text/html' });
    response.end(`<title>Page ${url}</title><main><h1>${url}</h1><p>The mill grinds rye and spelt.</p></main>`);
  });
  await inTemporaryFolder(async (folder) => {
    const settings = { QUERN_ALLOW_TARGETS: new URL(site.origin).host, QUERN_SEARCH_INDEX: 'on' };
    await using service = await serveQuern(folder, settings);
    assert.equal((await service.call('/v1/fetch', { url: `${site.origin}/rye` })).status, 200);
    asked.length = 0;
    const order = { url: site.origin, sources: ['known'], include_metadata: true };
    for (let tries = 0; tries < TRIES; tries += 1) {
      const { body } = await service.call('/v1/map', order);
      const rye = listAt(body, 'urls').find((one) => textAt(one, 'source') === 'known');
      if (rye !== undefined) {
        assert.deepEqual([textAt(rye, 'url'), textAt(rye, 'title')], [`${site.origin}/rye`, '/rye']);
        assert.ok(!asked.includes('/rye'));
        return;
      }
      await sleep(WAIT_MS);
    }
    assert.fail('the fetched page is not in the map');
  });
});
