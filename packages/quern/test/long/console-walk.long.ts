import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Locator, Page } from 'patchright-core';
import { Webhook } from 'standardwebhooks';
import { STORE_KINDS, type StoreKind } from '#store/db.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { openConsole, buildStoreSettings } from '../support/console.ts';
import { serveQuern } from '../support/quern.ts';
import { BROWSERS, browserTest } from '../support/rendered.ts';
import { inTemporaryFolder } from '../support/store.ts';

/** The input device of a user. */
type Hands = {
  readonly name: string;
  readonly press: (target: Locator) => Promise<void>;
  readonly write: (target: Locator, words: string) => Promise<void>;
};

const MOUSE: Hands = {
  name: 'by mouse',
  press: async (target) => target.click(),
  async write(target, words) {
    await target.click();
    await target.fill(words);
  },
};

const MAX_STEPS = 150;

/** Presses Tab until the control has the focus; in a tab list with the arrows, as only one tab is in the tab order. */
async function reach(target: Locator): Promise<void> {
  const isTab = (await target.getAttribute('role')) === 'tab';
  if (isTab) await stepTo(target.page().getByRole('tab', { selected: true }), 'Tab');
  await stepTo(target, isTab ? 'ArrowRight' : 'Tab');
}

async function stepTo(target: Locator, key: string): Promise<void> {
  await target.waitFor();
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    if ((await target.and(target.page().locator(':focus')).count()) > 0) return;
    await target.page().keyboard.press(key);
  }
  assert.fail(`no key reaches ${String(target)}`);
}

const KEYS: Hands = {
  name: 'by keys alone',
  async press(target) {
    await reach(target);
    await target.page().keyboard.press('Enter');
  },
  async write(target, words) {
    await reach(target);
    await target.page().keyboard.press('Control+A');
    await target.page().keyboard.insertText(words);
  },
};

/** A shop whose price changes, which also receives events. */
async function openShop() {
  const state = { price: '4.90' };
  const events: { readonly headers: Record<string, string>; readonly body: string }[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    events.push({ headers, body: await text(request) });
    response.end('taken');
  };
  const site = await startHttpServer((request, response) => {
    if (request.method === 'POST') return void take(request, response);
    const links = ['rye', 'oats', 'spelt'].map((one) => `<a href="/${one}">${one}</a>`).join(' ');
    response.setHeader('content-type', 'text/html; charset=utf-8');
    return response.end(
      `<!doctype html><title>Flour</title><main><h1>Flour ${request.url ?? ''}</h1>
       <p class="price">€${state.price}</p><p>Ground between two stones at the brook.</p>${links}</main>`,
    );
  });
  return Object.assign(site, { state, events });
}

type Shop = Awaited<ReturnType<typeof openShop>>;

async function fetchAndCrawl(page: Page, { press, write }: Hands, shop: Shop): Promise<void> {
  const menu = page.getByRole('navigation', { name: 'Console' });
  await press(menu.getByRole('link', { name: 'Playground' }));
  await write(page.getByRole('searchbox'), 'fetch');
  await press(page.getByRole('link', { name: /^fetch\s/ }));
  await write(page.getByLabel('url').first(), `${shop.origin}/rye`);
  await press(page.getByRole('button', { name: 'Run', exact: true }));
  await page.getByRole('heading', { name: 'Flour /rye' }).waitFor();

  await press(menu.getByRole('link', { name: 'Playground' }));
  await write(page.getByRole('searchbox'), 'crawl');
  await press(page.getByRole('link', { name: /^crawl/ }));
  await write(page.getByLabel('url').first(), `${shop.origin}/`);
  await press(page.getByRole('button', { name: 'Run as a job' }));
  await press(page.getByRole('link', { name: 'watch it work' }));
  await page.getByText('completed').first().waitFor();
  await page.getByRole('table', { name: 'Pages' }).getByText('/spelt', { exact: true }).waitFor();
  await press(page.getByRole('tab', { name: 'Tree' }));
  await page.getByText('4 stored').waitFor();
}

async function watchPrice(page: Page, { press, write }: Hands, shop: Shop): Promise<void> {
  await press(page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Monitors' }));
  await press(page.getByRole('link', { name: 'New monitor' }));
  await write(page.getByLabel('URL of the page'), `${shop.origin}/rye`);
  await press(page.getByRole('button', { name: 'Show its values' }));
  await press(page.getByRole('button', { name: `This: €${shop.state.price}` }));
  await page.getByText('matches 1 element').waitFor();
  await write(page.getByLabel('webhook'), `${shop.origin}/hook`);
  await press(page.getByRole('button', { name: 'Watch it' }));
  const secret = await page.getByRole('region', { name: 'Secret' }).innerText();
  await press(page.getByRole('link', { name: 'Open the monitor' }));
  await press(page.getByRole('tab', { name: 'Runs' }));
  await page.getByRole('row').getByText('completed').waitFor();

  shop.state.price = '5.40';
  const looks = page.getByText('Check started.');
  while (!(await looks.isVisible())) {
    await press(page.getByRole('button', { name: 'Check now' }));
    await looks.or(page.getByText('triggered once in')).first().waitFor();
    await page.getByText('triggered once in').first().waitFor({ state: 'hidden' });
  }
  await press(page.getByRole('tab', { name: 'Changes' }));
  await page.getByText('+10.2 %').waitFor();
  await page.getByRole('img', { name: 'price (EUR)' }).locator('canvas').waitFor();
  await press(page.getByRole('link', { name: 'sent' }));
  await page.getByText('taken').waitFor();
  const event = shop.events.find(({ headers }) => headers['webhook-event'] === 'monitor.change_detected');
  new Webhook(secret.trim()).verify(event?.body ?? '', event?.headers ?? {});
}

async function walk(kind: StoreKind, hands: Hands): Promise<void> {
  const faults: string[] = [];
  await inTemporaryFolder(async (folder) => {
    await using stage = new AsyncDisposableStack();
    const store = await buildStoreSettings(kind, stage);
    const shop = stage.use(await openShop());
    const service = stage.use(await serveQuern(folder, { QUERN_ALLOW_TARGETS: '127.0.0.1', ...store }));
    const console = stage.use(await openConsole(service.origin, faults));
    const link = /#(\/welcome\?token=\S+)/.exec(service.out())?.[1] ?? '';
    const page = await console.open(link, { key: null });
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await fetchAndCrawl(page, hands, shop);
    await watchPrice(page, hands, shop);
  });
  assert.deepEqual(faults, []);
}

for (const kind of BROWSERS === null ? [] : STORE_KINDS) {
  for (const hands of [MOUSE, KEYS]) {
    browserTest(
      `${kind}: from the printed link to a page, a crawl, a monitor and its verified delivery, ${hands.name}`,
      async () => walk(kind, hands),
    );
  }
}
