import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'patchright-core';
import { startHttpServer } from '#testkit/servers.ts';
import {
  type ConsoleBrowser,
  consoleTests,
  EMBEDDED,
  isTooWide,
  openConsole,
  buildStoreSettings,
  signInAs,
  findViolations,
} from '#support/console.ts';
import { textAt } from '#support/members.ts';
import { KEY, type RunningService, serveQuern } from '#support/quern.ts';
import { BROWSERS } from '#support/rendered.ts';

const FILLER = '<p>The mill stands at the brook, and grinds rye and wheat between two stones. </p>'.repeat(12);
const ARTICLE = `<!doctype html><title>Grain</title><article><h1>Grain</h1>${FILLER}<p><a href="/flour">Flour</a>
  <img src="/wheel.png" alt="The wheel" width="32" height="20"></p></article>`;
const RUN = 'document.body.dataset.ran=1;alert(1)';
/** Everything that a page tries in order to run in the page that shows it. */
const HOSTILE = `<!doctype html><title>\u202Egnihton</title><article><h1>Grain \u202Eniarg\u202C</h1>${FILLER}
  <script>${RUN}</script><img src=x onerror="${RUN}"><svg onload="${RUN}"><script>${RUN}</script></svg>
  <p><a href="javascript:${RUN}">Script</a> <a href="data:text/html,<script>${RUN}</script>">Data</a></p>
  <p>&lt;script&gt;${RUN}&lt;/script&gt; &lt;img src=x onerror=${RUN}&gt; [md](javascript:${RUN}) {{7*7}}</p>
  <iframe srcdoc="<script>top.document.body.dataset.ran=1</script>"></iframe>
  <link rel="dns-prefetch" href="//elsewhere.example"><LINK title=">" rel=preconnect href=https://elsewhere.example/>
  <li<link >nk rel=preconnect href=https://elsewhere.example>
  <iframe srcdoc="&lt;link rel=preconnect href=https://elsewhere.example&gt;"></iframe>
  <form action="https://elsewhere.example/"><button>Send</button></form>
  <style>body{background:url(https://elsewhere.example/x)}</style>
  <p>${'wide'.repeat(5000)}</p></article>`;

type Playground = {
  readonly console: ConsoleBrowser;
  readonly service: RunningService;
  /** The site whose pages are asked for. */
  readonly origin: string;
  /** Lets the slow page answer. */
  readonly letGo: () => void;
  readonly faults: string[];
};

const consoleTest = consoleTests(async (kind, stage, faults): Promise<Playground> => {
  let slow: (() => void) | null = null;
  const letGo = (): void => slow?.();
  const site = stage.use(
    await startHttpServer((request, response) => {
      const send = (body: string) => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(body);
      if (request.url !== '/slow') return send(request.url === '/hostile' ? HOSTILE : ARTICLE);
      slow = () => void response.end(ARTICLE);
      return response.flushHeaders();
    }),
  );
  const folder = await mkdtemp(join(tmpdir(), 'quern-test-'));
  stage.defer(async () => rm(folder, { recursive: true, force: true }));
  const settings = {
    QUERN_ALLOW_TARGETS: new URL(site.origin).host,
    QUERN_CHROMIUM: BROWSERS?.full.path ?? 'none',
    ...(await buildStoreSettings(kind, stage)),
  };
  const service = stage.use(await serveQuern(folder, settings));
  const console = stage.use(await openConsole(service.origin, faults));
  stage.defer(async () => letGo());
  return { console, service, origin: site.origin, letGo, faults };
});

const toHash = (operation: string, input: unknown): string =>
  `/playground/${operation}?input=${encodeURIComponent(JSON.stringify(input))}`;

async function run(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Run', exact: true }).click();
}

consoleTest(
  'an operation is found by search words and run from its form, with code samples that follow the input',
  async ({ console, origin }) => {
    const page = await console.open('/playground');
    await page.getByRole('list', { name: 'Pages and searches' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('the subtitles of a video');
    await page.getByRole('list', { name: 'Found operations' }).waitFor();
    assert.match((await page.getByRole('listitem').first().textContent()) ?? '', /^video\.subtitles/);
    assert.deepEqual(await findViolations(page), []);
    await page.getByRole('searchbox').fill('retrieve one page');
    await page.getByRole('link', { name: /^fetch\s/ }).click();
    await page.getByLabel('url', { exact: false }).first().fill(`${origin}/article`);
    await page.getByRole('checkbox', { name: 'screenshot' }).check();
    await page.getByRole('checkbox', { name: 'images' }).check();
    const request = page.getByRole('region', { name: 'Request', exact: true });
    assert.match(
      (await request.textContent()) ?? '',
      /curl -sS .*"output":\["markdown","links","screenshot","images"\]/s,
    );
    await request.getByRole('tab', { name: 'CLI' }).click();
    assert.match(
      (await request.textContent()) ?? '',
      /quern fetch \S+\/article --output markdown,links,screenshot,images/,
    );
    await page.keyboard.press('ArrowRight');
    assert.match((await request.textContent()) ?? '', /await quern\.fetch\(\{\s+"url"/);
    await request.getByRole('tab', { name: 'Python' }).click();
    assert.match((await request.textContent()) ?? '', /quern\.fetch\(\s+url=/);

    await run(page);
    await page.getByRole('heading', { name: 'Grain' }).waitFor();
    const answer = page.getByRole('region', { name: 'Answer' }).first();
    assert.match((await answer.textContent()) ?? '', /200.*2 credits.*by browser/);
    await answer.getByRole('list', { name: 'Attempts' }).getByText('browser').waitFor();
    assert.deepEqual(await findViolations(page), []);
    await answer.getByRole('tab', { name: 'Screenshot' }).click();
    await answer.getByRole('img', { name: 'The screenshot of the page' }).waitFor();
    await answer.getByRole('tab', { name: 'Images' }).click();
    await answer.getByRole('table', { name: 'Images' }).getByText('32 × 20').waitFor();
    await answer.getByRole('tab', { name: 'JSON' }).click();
    await answer.getByText('request_id').waitFor();
    assert.deepEqual(await findViolations(page), []);
  },
);

consoleTest(
  'no tab runs scripts, follows links or loads resources of a hostile page',
  async ({ console, origin, faults }) => {
    const output = ['markdown', 'text', 'html', 'raw_html', 'links', 'images', 'metadata'];
    const page = await console.open(toHash('fetch', { url: `${origin}/hostile`, output, only_main_content: false }));
    page.on('dialog', (dialog) => {
      faults.push(dialog.message());
      void dialog.dismiss();
    });
    await page.context().grantPermissions([]);
    await run(page);
    const answer = page.getByRole('region', { name: 'Answer' }).first();
    await answer.getByRole('tab', { name: 'Markdown' }).waitFor();
    const tabs = answer.getByRole('tablist', { name: 'Answer' }).getByRole('tab');
    for (const tab of await tabs.all()) {
      await tab.click();
      await answer.getByRole('tabpanel').first().waitFor();
      if (/HTML/.test((await tab.textContent()) ?? '')) {
        await answer.locator('iframe[sandbox=""][src^="blob:"]').waitFor();
        const inside = answer.frameLocator('iframe[sandbox=""]');
        await inside.getByRole('heading', { name: 'Grain' }).waitFor();
        assert.equal(await inside.locator('link, iframe').count(), 0);
        await answer.getByRole('tab', { name: 'HTML source' }).click();
      }
      assert.equal(await page.locator('a[href^="javascript" i], a[href^="data" i]').count(), 0);
      assert.equal(await isTooWide(page), false);
    }
    assert.equal(await page.locator('body[data-ran]').count(), 0);
    assert.deepEqual(await findViolations(page), []);
  },
  EMBEDDED,
);

consoleTest(
  'a response with lone surrogates, a huge text and a hundred thousand links stays usable',
  async ({ console }) => {
    const page = await console.open(toHash('usage', {}));
    const rows = Array.from({ length: 100_000 }, (_, at) => ({ url: `https://a.example/${at}`, text: `t${at}` }));
    const body = `{"lone":"\\ud800 \\udfff","long":${JSON.stringify('x'.repeat(3_000_000))},"markdown":"\\u202e# \\ud800","__proto__":1,"links":${JSON.stringify(rows)}}`;
    await page.route('**/v1/usage', (route) => route.fulfill({ contentType: 'application/json', body }));
    await run(page);
    const answer = page.getByRole('region', { name: 'Answer' }).first();
    await answer.getByRole('tab', { name: 'JSON' }).click();
    await answer.getByRole('button', { name: 'all 3,000,000 characters' }).waitFor();
    await answer.getByRole('tab', { name: 'Links 100,000' }).click();
    const table = answer.getByRole('table', { name: 'Links' });
    await table.press('End');
    await table.getByText('t99999', { exact: true }).waitFor();
    assert.ok((await table.getByRole('row').count()) < 100);
  },
  EMBEDDED,
);

consoleTest(
  'invalid input is reported at its field, and refusals of the service say what to do',
  async ({ console, origin }) => {
    const page = await console.open(toHash('fetch', { url: '', timeout_ms: 0 }));
    await run(page);
    await page.getByText('url is required.').waitFor();
    await page.getByText('timeout_ms is less than 1.').waitFor();
    assert.deepEqual(await findViolations(page), []);
    await page.getByLabel('timeout_ms').fill('');
    await page.getByLabel('url', { exact: false }).first().fill('http://169.254.169.254/');
    await page.getByLabel('url', { exact: false }).first().press('Control+Enter');
    await page.getByRole('alert').getByText('invalid_request').waitFor();
    await page.getByRole('checkbox', { name: 'summary' }).check();
    await page.getByLabel('url', { exact: false }).first().fill(`${origin}/article`);
    await run(page);
    await page.getByRole('alert').getByText('the operator sets QUERN_MODEL_URL').waitFor();
    assert.equal(await page.getByText('The service or its store is unavailable').count(), 0);
  },
  EMBEDDED,
);

consoleTest(
  'unknown parameters of a link are left out of the request and its samples',
  async ({ console, origin }) => {
    const page = await console.open(
      toHash('fetch', { url: `${origin}/article`, 'output; touch /tmp/x; true ': ['markdown'], constructor: 1 }),
    );
    await page.getByText('parameters that this operation does not have').waitFor();
    await page.getByRole('status').getByText('output; touch /tmp/x; true').waitFor();
    const request = page.getByRole('region', { name: 'Request', exact: true });
    for (const name of ['curl', 'CLI', 'TypeScript', 'Python']) {
      await request.getByRole('tab', { name }).click();
      assert.doesNotMatch((await request.textContent()) ?? '', /touch|constructor/, name);
    }
    assert.deepEqual(await findViolations(page), []);
    await run(page);
    await page.getByRole('heading', { name: 'Grain' }).waitFor();
  },
  EMBEDDED,
);

consoleTest(
  'forms edit lists of unions, maps and nested members, also by keyboard',
  async ({ console, origin }) => {
    const page = await console.open(toHash('interact', { url: `${origin}/article`, actions: [] }), { isOnPhone: true });
    const add = page.getByRole('button', { name: 'Add to actions' });
    await add.focus();
    await page.keyboard.press('Enter');
    const form = page.getByLabel('Form of actions 1');
    await form.selectOption({ label: 'click' });
    await page.getByRole('combobox', { name: 'Form of target' }).selectOption({ label: 'a text' });
    await page.getByRole('textbox', { name: 'target' }).fill('#send');
    const request = page.getByRole('region', { name: 'Request', exact: true });
    assert.match((await request.textContent()) ?? '', /"actions":\[\{"type":"click","target":"#send"\}\]/);
    assert.equal(await isTooWide(page), false);
    assert.deepEqual(await findViolations(page), []);
  },
  EMBEDDED,
);

consoleTest(
  'a slow call can be cancelled, and its input is in the history of the tab and in links',
  async ({ console, origin, letGo }) => {
    const page = await console.open(toHash('fetch', { url: `${origin}/slow` }));
    await run(page);
    await page.getByText(/Running for/).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('alert').getByText('The call was cancelled.').waitFor();
    letGo();
    await page.getByRole('button', { name: 'History' }).click();
    const past = page.getByRole('dialog').getByRole('link', { name: 'fetch' });
    assert.match((await past.getAttribute('href')) ?? '', /^#\/playground\/fetch\?input=%7B%22url%22/);
    assert.deepEqual(await findViolations(page), []);
    await page.keyboard.press('Escape');
    const shared = await console.open(toHash('fetch', 'no object'));
    await shared.getByRole('button', { name: 'Run', exact: true }).waitFor();
    assert.equal(await shared.getByLabel('url', { exact: false }).first().inputValue(), '');
  },
);

consoleTest(
  'after a key is revoked, the reader signs in again and the typed input is still there',
  async ({ console, service, origin }) => {
    const tenants = await service.call('/v1/admin/tenants');
    assert.equal(tenants.status, 200);
    const [tenant] = JSON.parse(JSON.stringify(tenants.body['data']));
    const made = await service.call(`/v1/admin/tenants/${textAt(tenant, 'id')}/keys`, { name: 'late' });
    const key = textAt(made.body, 'key');
    const page = await console.open(toHash('fetch', { url: `${origin}/article` }), { key });
    await page.getByLabel('url', { exact: false }).first().fill(`${origin}/kept`);
    await fetch(`${service.origin}/v1/admin/keys/${textAt(made.body, 'id')}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${KEY}` },
    });
    await run(page);
    await page.getByText('Your session has ended').waitFor();
    await signInAs(page);
    assert.equal(await page.getByLabel('url', { exact: false }).first().inputValue(), `${origin}/kept`);
  },
);

consoleTest(
  'each view shows that the tenant is suspended, and the operator view is closed to tenants',
  async ({ console, service, origin }) => {
    const tenant = await service.call('/v1/admin/tenants', { name: 'small', plan: 'free' });
    const path = `/v1/admin/tenants/${textAt(tenant.body, 'id')}`;
    const made = await service.call(`${path}/keys`, { name: 'small' });
    const page = await console.open('/operator', { key: textAt(made.body, 'key') });
    await page.getByText('This page is for operators of the service.').waitFor();
    await fetch(service.origin + path, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: '{"suspended":true}',
    });
    await page.goto(`${service.origin}/#${toHash('fetch', { url: `${origin}/article` })}`);
    await run(page);
    await page.getByText('has suspended your tenant').waitFor();
    await page.getByRole('alert').getByText('tenant_suspended').waitFor();
    assert.deepEqual(await findViolations(page), []);
  },
  EMBEDDED,
);
