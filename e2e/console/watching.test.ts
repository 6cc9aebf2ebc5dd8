import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { ROUTES } from '#console/app/routes.ts';
import { startHttpServer } from '#testkit/servers.ts';
import {
  type ConsoleBrowser,
  consoleTests,
  isTooWide,
  openConsole,
  buildStoreSettings,
  findViolations,
} from '#support/console.ts';
import { serveQuern } from '#support/quern.ts';

/** Text of a page that must stay text: markup, a link that runs, another direction, half of a pair. */
const HOSTILE = '<img src=x onerror=alert(1)> javascript:alert(2) \u202Eevil \uD800';

type SentEvent = { readonly headers: Record<string, string>; readonly body: string };
type Watching = {
  readonly console: ConsoleBrowser;
  /** The page that is watched. */
  readonly shop: string;
  readonly hook: string;
  readonly events: readonly SentEvent[];
  readonly setPrice: (price: string) => void;
};

const consoleTest = consoleTests(async (kind, stage, faults): Promise<Watching> => {
  const folder = await mkdtemp(join(tmpdir(), 'quern-test-'));
  stage.defer(async () => rm(folder, { recursive: true, force: true }));
  let price = '4.90';
  const site = stage.use(
    await startHttpServer((_request, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(
        `<!doctype html><title>Rye flour</title><main><h1>Rye flour</h1><p class="price">€${price}</p>
        <p class="note">${HOSTILE.replaceAll('<', '&lt;')}</p><ul><li class="size">1 kg</li><li class="size">5 kg</li></ul></main>`,
      );
    }),
  );
  const events: SentEvent[] = [];
  const receiver = stage.use(
    await startHttpServer((request, response) => {
      void text(request).then((body) => {
        const headers = Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
        );
        events.push({ headers, body });
        return response.end('taken');
      });
    }),
  );
  const store = await buildStoreSettings(kind, stage);
  const service = stage.use(await serveQuern(folder, { QUERN_ALLOW_TARGETS: '127.0.0.1', ...store }));
  const console = stage.use(await openConsole(service.origin, faults));
  const setPrice = (next: string): void => void (price = next);
  return { console, shop: `${site.origin}/rye`, hook: `${receiver.origin}/hook`, events, setPrice };
});

consoleTest('a picked value is monitored, its change is shown, and its webhook event is signed', async (shared) => {
  const { console, shop, hook, events, setPrice } = shared;
  const page = await console.open('/monitors');
  await page.getByText('There are no monitors yet.').waitFor();
  assert.deepEqual(await findViolations(page), []);
  await page.getByRole('link', { name: 'New monitor' }).click();
  await page.getByLabel('URL of the page').fill(shop);
  await page.getByRole('button', { name: 'Show its values' }).click();
  await page.getByRole('button', { name: 'This: €4.90' }).click();
  await page.getByText('matches 1 element').waitFor();
  await page.getByText('"amount":4.9').waitFor();
  await page.getByRole('button', { name: 'All 2 like it: 1 kg' }).click();
  await page.getByText('matches 2 elements').waitFor();
  await page.getByText('The next five times').waitFor();
  await page.getByLabel('price: minimum difference in percent').fill('5');
  await page.getByLabel('webhook').fill(hook);
  assert.deepEqual(await findViolations(page), []);
  await page.getByRole('button', { name: 'Watch it' }).click();
  const secret = await page.getByRole('region', { name: 'Secret' }).innerText();
  await page.getByRole('link', { name: 'Open the monitor' }).click();

  await page.getByRole('tab', { name: 'Runs' }).click();
  await page.getByRole('row').getByText('completed').waitFor();
  setPrice('5.40');
  // A monitor can be triggered once in ten seconds, and its first run has just been.
  const looks = page.getByText('Check started.');
  while (!(await looks.isVisible())) {
    await page.getByRole('button', { name: 'Check now' }).click();
    await looks.or(page.getByText('triggered once in')).first().waitFor();
    await page.getByText('triggered once in').first().waitFor({ state: 'hidden' });
  }
  await page.getByRole('tab', { name: 'Changes' }).click();
  await page.getByText('5.4 EUR').waitFor();
  await page.getByText('+10.2 %').waitFor();
  await page.getByRole('img', { name: 'price (EUR)' }).locator('canvas').waitFor();
  assert.deepEqual(await findViolations(page), []);

  await page.getByRole('link', { name: 'sent' }).click();
  await page.getByText('succeeded').waitFor();
  await page.getByText('taken').waitFor();
  const event = events.find(({ headers }) => headers['webhook-event'] === 'monitor.change_detected');
  new Webhook(secret.trim()).verify(event?.body ?? '', event?.headers ?? {});
  assert.deepEqual(await findViolations(page), []);
});

consoleTest(
  'the webhooks view lists endpoints and deliveries, sends a test event and rotates a secret',
  async ({ console, hook }) => {
    const page = await console.open('/webhooks');
    await page.getByRole('table', { name: 'Endpoints' }).getByText(hook).waitFor();
    await page.getByRole('button', { name: /^Test / }).click();
    await page.getByText('Test event sent').waitFor();
    await page.getByRole('table', { name: 'Deliveries' }).getByText('webhook.test').waitFor();
    await page.getByRole('link', { name: /^Deliveries of/ }).click();
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByRole('button', { name: /^Rotate secret of/ }).click();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('region', { name: 'Secret' }).getByText('whsec_').waitFor();
    assert.deepEqual(await findViolations(page), []);
  },
);

consoleTest('the heading of a monitor that is still loading is "Monitor"', async ({ console }) => {
  const page = await console.open('/monitors');
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await page.route('**/v1/monitors/mon_*', async (route) => {
    asked.resolve();
    await released.promise;
    await route.continue();
  });
  await page.getByRole('table', { name: 'Monitors' }).getByRole('link').first().click();
  await asked.promise;
  assert.equal((await page.getByRole('heading', { level: 1 }).innerText()).trim(), 'Monitor');
  released.resolve();
  await page.getByRole('tab', { name: 'Runs' }).waitFor();
  await page.unrouteAll({ behavior: 'wait' });
});

consoleTest('a monitor is paused, edited and deleted by keyboard alone', async ({ console }) => {
  const page = await console.open('/');
  await page.keyboard.press('g');
  await page.keyboard.press('m');
  await page.getByRole('table', { name: 'Monitors' }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Pause' }).press('Enter');
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  await page.getByRole('button', { name: 'Edit', exact: true }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Edit monitor' });
  await dialog.getByLabel('name').fill('Rye <b>flour</b>');
  await dialog.getByRole('button', { name: 'Save' }).press('Enter');
  await page.getByRole('heading', { name: 'Rye <b>flour</b>' }).waitFor();
  await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter');
  await page.getByText('There are no monitors yet.').waitFor();
});

consoleTest('opening a view by any link sends only GET requests', async ({ console, shop }) => {
  const page = await console.open('/');
  await page.getByText('Nothing is running.').waitFor();
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(`${request.method()} ${request.url()}`);
  });
  const query = new URLSearchParams({
    url: shop,
    extract: JSON.stringify({ price: { selector: '.price', type: 'price' } }),
    input: JSON.stringify({ url: shop }),
    token: 'x'.repeat(43),
  });
  assert.ok(ROUTES.length > 10);
  for (const { path } of ROUTES) {
    const place = path.replace(':operation', 'fetch').replaceAll(/:\w+/g, 'none');
    await page.evaluate(`location.hash = ${JSON.stringify(`#${place}?${query}`)}`);
    await page.locator('main h1').first().waitFor();
    await page.locator('.loading').first().waitFor({ state: 'detached' });
  }
  await page.evaluate(`location.hash = ${JSON.stringify(`#/explain?${query}`)}`);
  assert.equal(await page.getByLabel('URL of the page').inputValue(), shop);
  await page.evaluate(`location.hash = ${JSON.stringify(`#/monitors/new?${query}`)}`);
  await page.getByRole('button', { name: 'Show its values' }).waitFor();
  assert.equal(await page.getByLabel('URL of the page').inputValue(), shop);
  assert.equal(sent.join(), '');
  await page.getByRole('button', { name: 'Show its values' }).click();
  await page.getByText('matches 1 element').waitFor();
  assert.ok(sent.length > 0 && sent.every((line) => line.endsWith('/v1/explain')));
});

consoleTest('a page is explained block by block on a phone, and its hostile text stays text', async (shared) => {
  const { console, shop } = shared;
  const page = await console.open(`/explain?url=${encodeURIComponent(shop)}`, { isOnPhone: true, colours: 'dark' });
  await page.getByRole('button', { name: 'Explain', exact: true }).click();
  const picture = page.getByRole('list', { name: 'Blocks of the page, extracted and left out' });
  await picture.getByRole('button', { name: 'Pick €' }).click();
  await page.getByText('matches 1 element').waitFor();
  await page.getByRole('tab', { name: 'Picture' }).click();
  await picture.getByText('onerror=alert(1)').waitFor();
  assert.equal(await picture.locator('img').count(), 0);
  assert.deepEqual(await findViolations(page), []);
  await page.getByRole('tab', { name: 'Blocks' }).click();
  await page.getByRole('table', { name: 'Blocks' }).getByText('onerror=alert(1)').waitFor();
  assert.deepEqual(await findViolations(page), []);
  await page.getByRole('tab', { name: 'Facts' }).click();
  await page.getByRole('table', { name: 'Facts' }).getByText('Rye flour').first().waitFor();
  await page.getByRole('tab', { name: 'Pick fields' }).click();
  await page.getByRole('table', { name: 'Elements of the page' }).getByText('onerror=alert(1)').waitFor();
  assert.equal(await isTooWide(page), false);
  assert.deepEqual(await findViolations(page), []);
});
