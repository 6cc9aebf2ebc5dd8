import assert from 'node:assert/strict';
import type { Page } from 'patchright-core';
import { startHttpServer } from '#testkit/servers.ts';
import type { StoreKind } from '#store/db.ts';
import { isTooWide, openConsole, buildStoreSettings, findViolations } from '#support/console.ts';
import { textAt } from '#support/members.ts';
import { type RunningService, serveQuern } from '#support/quern.ts';
import { BROWSERS, browserTest } from '#support/rendered.ts';
import { inTemporaryFolder, TESTED_STORES } from '#support/store.ts';

const PAGES = 40;
/** A title of others that must stay text, whatever it tries. */
const HOSTILE = '<img src=x onerror=alert(1)> \u202Eegap';

type Walk = {
  readonly origin: string;
  readonly service: RunningService;
  readonly open: (hash: string, isOnPhone?: boolean) => Promise<Page>;
};

/** A site of many pages that answers its last ones only when they are let go, a service on the store, and a browser. */
async function withWalk(
  kind: StoreKind,
  work: (walk: Walk & { readonly letGo: () => void }) => Promise<void>,
): Promise<void> {
  const faults: string[] = [];
  const go = Promise.withResolvers<void>();
  await inTemporaryFolder(async (folder) => {
    await using stage = new AsyncDisposableStack();
    const store = await buildStoreSettings(kind, stage);
    const site = stage.use(
      await startHttpServer((request, response) => {
        const number = Number(/^\/shelf\/(\d+)$/.exec(request.url ?? '')?.[1] ?? 0);
        if (request.url === '/robots.txt' || number >= PAGES) return response.writeHead(404).end();
        const title = number === 1 ? HOSTILE.replaceAll('<', '&lt;') : `Flour ${number}`;
        const links = Array.from({ length: PAGES + 1 }, (_, at) => `<a href="/shelf/${at}">Flour ${at}</a>`).join(' ');
        const send = () =>
          response
            .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
            .end(
              `<!doctype html><title>${title}</title><main><h1>${title}</h1><p>Milled on day ${number}.</p>${links}</main>`,
            );
        return number > 20 ? void go.promise.then(send) : send();
      }),
    );
    const service = stage.use(await serveQuern(folder, { QUERN_ALLOW_TARGETS: '127.0.0.1', ...store }));
    const console = stage.use(await openConsole(service.origin, faults));
    // What is held back is let go before the site ends.
    stage.defer(async () => go.resolve());
    const open = async (hash: string, isOnPhone = false): Promise<Page> => console.open(hash, { isOnPhone });
    await work({ origin: site.origin, service, open, letGo: go.resolve });
  });
  assert.deepEqual(faults, []);
}

for (const kind of BROWSERS === null ? [] : TESTED_STORES) {
  browserTest(`a crawl is shown live, by page and as a tree, and can be run again and deleted (${kind})`, async () => {
    await withWalk(kind, async ({ origin, service, open, letGo }) => {
      const { body: job } = await service.call('/v1/jobs', {
        kind: 'crawl',
        input: { url: `${origin}/shelf/0`, delay_ms: 0, max_pages: 100 },
      });
      const page = await open(`/jobs/${textAt(job, 'id')}`);
      await page.getByRole('heading', { name: 'Latest pages' }).waitFor();
      await page.getByText('running').first().waitFor();
      const pages = page.getByRole('table', { name: 'Pages' });
      await pages.getByText('/shelf/3', { exact: true }).waitFor();
      assert.deepEqual(await findViolations(page), []);
      letGo();
      await page.getByText('completed').first().waitFor();

      await pages.getByText(HOSTILE).waitFor();
      await page.getByRole('searchbox', { name: 'In URL or title' }).fill('shelf/17');
      await pages.getByText('/shelf/3', { exact: true }).waitFor({ state: 'detached' });
      await pages.getByText('/shelf/17', { exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Flour 17' });
      await dialog.getByRole('heading', { name: 'Flour 17' }).nth(1).waitFor();
      assert.deepEqual(await findViolations(page), []);
      await page.keyboard.press('Escape');
      await page.getByRole('searchbox', { name: 'In URL or title' }).fill('');
      await page.getByLabel('State').selectOption('failed');
      await pages.getByText(`/shelf/${PAGES}`, { exact: true }).waitFor();

      await page.getByRole('tab', { name: 'Tree' }).click();
      await page.getByText(`${PAGES} stored, 1 failed`).first().waitFor();
      await page.getByRole('link', { name: '17', exact: true }).waitFor();
      assert.deepEqual(await findViolations(page), []);

      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByLabel('Download').selectOption({ label: 'ZIP of Markdown files' }),
      ]);
      assert.match(download.suggestedFilename(), /^job_.*\.zip$/);
      const first = page.url();
      await page.getByRole('button', { name: 'Run again' }).click();
      await page.waitForURL((url) => url.href !== first && /jobs\/job_/.test(url.hash));
      await page.getByText('completed').first().waitFor();
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('heading', { name: 'Jobs' }).waitFor();
      await page.getByRole('table', { name: 'Jobs' }).waitFor();
      assert.deepEqual(await findViolations(page), []);
    });
  });
}

for (const kind of BROWSERS === null ? [] : TESTED_STORES) {
  browserTest(`the view of a job notices that the job was deleted in another tab (${kind})`, async () => {
    await withWalk(kind, async ({ origin, service, open, letGo }) => {
      const { body: job } = await service.call('/v1/jobs', {
        kind: 'crawl',
        input: { url: `${origin}/shelf/0`, delay_ms: 0 },
      });
      const page = await open(`/jobs/${textAt(job, 'id')}`);
      await page.getByText('running').first().waitFor();
      const other = await open('/jobs');
      await other.goto(page.url());
      await other.getByRole('button', { name: 'Cancel' }).click();
      await other.getByRole('dialog').getByRole('button', { name: 'Cancel the job' }).click();
      await page.getByText('cancelled').first().waitFor();
      await other.getByRole('button', { name: 'Delete' }).click();
      await other.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await other.getByRole('heading', { name: 'Jobs' }).waitFor();
      await page.getByRole('tab', { name: 'Tree' }).click();
      await page.getByText('result_expired').waitFor();
      await page.reload();
      await page.getByText('Its result has expired or was deleted.').waitFor();
      await page.getByRole('tab', { name: 'Result' }).click();
      await page.getByText('There is no result.').waitFor();
      assert.deepEqual(await findViolations(page), []);
      letGo();
    });
  });

  browserTest(`usage and operator views show spent credits, and an operator tops up a tenant (${kind})`, async () => {
    await withWalk(kind, async ({ open, letGo }) => {
      letGo();
      const page = await open('/usage');
      await page.getByRole('img', { name: 'Credits by day' }).locator('canvas').waitFor();
      await page.getByText('No requests yet.').waitFor();
      await page.getByRole('table', { name: 'Keys' }).getByText('operator').waitFor();
      assert.deepEqual(await findViolations(page), []);

      await page.keyboard.press('g');
      await page.keyboard.press('a');
      await page.getByText(kind, { exact: true }).waitFor();
      await page.getByText('QUERN_PROXIES_DATACENTER').waitFor();
      assert.deepEqual(await findViolations(page), []);
      await page.getByRole('tab', { name: 'Plans' }).click();
      await page.getByRole('table', { name: 'Plans' }).getByText('starter').waitFor();
      await page.getByRole('tab', { name: 'Sites' }).click();
      await page.getByRole('searchbox', { name: 'Search endpoints' }).fill('video.search');
      await page
        .getByRole('table', { name: 'Endpoints of sites' })
        .getByText('video.search', { exact: true })
        .waitFor();
      await page.getByRole('table', { name: 'Endpoints of sites' }).getByText('unused').first().waitFor();
      assert.deepEqual(await findViolations(page), []);
      await page.getByRole('tab', { name: 'Tenants' }).click();
      await page.getByRole('table', { name: 'Tenants' }).getByText('unlimited').click();
      await page.getByRole('dialog').getByLabel('Credits').fill('500');
      assert.deepEqual(await findViolations(page), []);
      await page.getByRole('button', { name: 'Top up' }).click();
      await page.getByText('Topped up.').waitFor();

      const phone = await open('/operator', true);
      await phone.getByText('QUERN_PROXIES_DATACENTER').waitFor();
      assert.equal(await isTooWide(phone), false);
    });
  });
}
