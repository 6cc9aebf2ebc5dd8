import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Firecrawl } from '@mendable/firecrawl-js';
import { KEY, serveQuern } from '#support/quern.ts';
import { inTemporaryFolder } from '#support/store.ts';
import { startHttpServer } from '#testkit/servers.ts';

type Order = Parameters<Firecrawl['createMonitor']>[0];

async function waitForCheck(client: Firecrawl, monitorId: string, checkId: string) {
  for (;;) {
    const check = await client.getMonitorCheck(monitorId, checkId);
    if (check.status !== 'queued' && check.status !== 'running') return check;
    await sleep(200);
  }
}

test('monitors of Firecrawl: create, run, checks with a diff, pause and delete', { timeout: 60_000 }, async () => {
  let price = 3;
  await using site = await startHttpServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<title>Rye</title><main><h1>Rye flour</h1><p>One kilogram costs ${price} euros.</p></main>`);
  });
  await inTemporaryFolder(async (folder) => {
    await using service = await serveQuern(folder, { QUERN_ALLOW_TARGETS: new URL(site.origin).host });
    const client = new Firecrawl({ apiUrl: `${service.origin}/firecrawl`, apiKey: KEY });
    const order = {
      name: 'Rye',
      schedule: { text: 'daily at 9:00', timezone: 'Europe/Berlin' },
      targets: [{ type: 'scrape' as const, urls: [`${site.origin}/rye`], scrapeOptions: { excludeTags: ['nav'] } }],
    };
    const made = await client.createMonitor(order);
    assert.deepEqual(made.schedule, { cron: '0 9 * * *', timezone: 'Europe/Berlin' });
    assert.deepEqual(made.targets, [{ id: made.id, ...order.targets[0] }]);
    assert.deepEqual([made.name, made.status], ['Rye', 'active']);
    const first = await waitForCheck(client, made.id, made.currentCheckId ?? '');
    assert.deepEqual([first.status, first.pages[0]?.status], ['completed', 'new']);
    price = 4;
    const started = await client.runMonitor(made.id);
    assert.equal(started.trigger, 'manual');
    const second = await waitForCheck(client, made.id, started.id);
    assert.deepEqual([second.summary.changed, second.pages[0]?.status], [1, 'changed']);
    assert.match(second.pages[0]?.diff?.text ?? '', /\+.*costs 4 euros/);
    const checks = await client.listMonitorChecks(made.id, { limit: 1, offset: 1 });
    assert.deepEqual(
      checks.map(({ id }) => id),
      [first.id],
    );
    const paused = await client.updateMonitor(made.id, { status: 'paused' });
    assert.deepEqual([paused.status, paused.name], ['paused', 'Rye']);
    assert.equal((await client.listMonitors())[0]?.id, made.id);
    assert.equal(await client.deleteMonitor(made.id), true);
    await assert.rejects(client.getMonitor(made.id), { status: 404 });
    const refused: readonly (readonly [Partial<Order>, RegExp])[] = [
      [{ targets: [...order.targets, ...order.targets] }, /one target/],
      [{ targets: [{ type: 'search' as const, queries: ['rye'] }] }, /only scrape targets/],
      [{ targets: [{ type: 'scrape' as const, urls: ['https://a.example', 'https://b.example'] }] }, /one URL/],
      [{ notification: { email: { enabled: true } } }, /notification/],
      [{ schedule: { text: 'every 7 hours' } }, /cron: expected five fields.* or words/],
    ];
    for (const [change, message] of refused)
      await assert.rejects(client.createMonitor({ ...order, ...change }), message);
  });
});
