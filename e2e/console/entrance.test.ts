import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
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
import { type RunningService, serveQuern } from '#support/quern.ts';

type Entrance = {
  readonly console: ConsoleBrowser;
  readonly service: RunningService;
  readonly kill: () => Promise<void>;
  /** Starts the service at the address that it had. */
  readonly startAgain: () => Promise<void>;
};

const consoleTest = consoleTests(async (kind, stage, faults): Promise<Entrance> => {
  const folder = await mkdtemp(join(tmpdir(), 'quern-test-'));
  stage.defer(async () => rm(folder, { recursive: true, force: true }));
  const settings = await buildStoreSettings(kind, stage);
  const service = stage.use(await serveQuern(folder, settings));
  const console = stage.use(await openConsole(service.origin, faults));
  const kill = async (): Promise<void> => {
    service.signal('SIGKILL');
    await service.ended;
  };
  const startAgain = async (): Promise<void> => {
    const again = stage.use(await serveQuern(folder, { ...settings, QUERN_PORT: new URL(service.origin).port }));
    assert.equal(again.origin, service.origin);
  };
  return { console, service, kill, startAgain };
});

consoleTest('a wrong key shows an error, a valid one opens the overview', async ({ console }) => {
  const page = await console.open('/', { key: null });
  await page.getByLabel('API key').fill('qk_wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').getByText('invalid_api_key').waitFor();
  assert.deepEqual(await findViolations(page), []);
  await signInAs(page);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.getByText('Nothing is running.').waitFor();
  assert.deepEqual(await findViolations(page), []);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

consoleTest('the printed link signs in once, and its token leaves the address bar', async ({ console, service }) => {
  const link = /\S+#\/welcome\?token=\S+/.exec(service.out())?.[0] ?? '';
  const path = link.slice(link.indexOf('#') + 1);
  const page = await console.open(path, { key: null });
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  assert.doesNotMatch(page.url(), /token/);
  const late = await console.open(path, { key: null });
  await late.getByRole('alert').getByText('invalid_api_key').waitFor();
  assert.doesNotMatch(late.url(), /token/);
});

consoleTest('another service on the same host cannot use or plant a session with the cookie', async (shared) => {
  const { console, service } = shared;
  const tenant = await service.call('/v1/admin/tenants', { name: 'attacker', plan: 'free' });
  const made = await service.call(`/v1/admin/tenants/${textAt(tenant.body, 'id')}/keys`, { name: 'attacker' });
  const signedIn = await fetch(`${service.origin}/v1/console/session`, {
    method: 'POST',
    headers: { 'x-quern-console': '1', 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: textAt(made.body, 'key') }),
  });
  assert.equal(signedIn.status, 200);
  const planted = signedIn.headers.get('set-cookie') ?? '';
  let received = '';
  await using other = await startHttpServer((request, response) => {
    received = request.headers.cookie ?? received;
    if (request.url === '/v1/plant') response.setHeader('set-cookie', planted);
    response.setHeader('content-type', 'text/html').end('<p>any service');
  });

  const page = await console.open('/');
  await page.getByText('Nothing is running.').waitFor();
  const visit = await page.context().newPage();
  await visit.goto(`${other.origin}/v1/any`);
  assert.match(received, /^quern_console=/);
  for (const path of ['/v1/console/session', '/v1/usage', '/v1/admin/tenants']) {
    const headers = { cookie: received, 'x-quern-console': '1' };
    assert.equal((await fetch(service.origin + path, { headers })).status, 401, path);
  }
  await page.reload();
  await page.getByText('Nothing is running.').waitFor();

  await visit.goto(`${other.origin}/v1/plant`);
  await page.reload();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  assert.equal(await page.getByText('attacker').count(), 0);
  await signInAs(page);
  await page.getByText('Nothing is running.').waitFor();
});

consoleTest(
  'a sign-in link asks for confirmation if the reader is signed in already',
  async ({ console, service }) => {
    const page = await console.open('/');
    await page.getByText('Nothing is running.').waitFor();
    await page.goto(`${service.origin}/#/welcome?token=${'x'.repeat(43)}`);
    await page.getByText('You are signed in as').waitFor();
    // The token is removed from the address right after the page is drawn.
    await page.waitForURL((url) => !url.href.includes('token'));
    assert.deepEqual(await findViolations(page), []);
    await page.getByRole('link', { name: 'Stay' }).click();
    await page.getByText('Nothing is running.').waitFor();
    await page.goto(`${service.origin}/#/welcome?token=${'x'.repeat(43)}`);
    await page.getByRole('button', { name: 'Sign in with the link' }).click();
    await page.getByRole('alert').getByText('invalid_api_key').waitFor();
  },
  EMBEDDED,
);

consoleTest(
  'signing out in one tab shows the sign-in form in the others, which keep their location',
  async ({ console, service }) => {
    const one = await console.open('/');
    const other = await one.context().newPage();
    await other.goto(`${service.origin}/#/nowhere`);
    await other.getByText('This page does not exist.').waitFor();
    await one.getByRole('button', { name: 'Sign out' }).click();
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    await signInAs(other);
    await other.getByText('This page does not exist.').waitFor();
  },
);

consoleTest(
  'keyboard shortcuts open the help and views; on a phone the menu opens the navigation',
  async ({ console }) => {
    const page = await console.open('/nowhere');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Help' }).waitFor();
    assert.deepEqual(await findViolations(page), []);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Help' }).waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('o');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();

    const phone = await console.open('/', { isOnPhone: true, colours: 'dark' });
    await phone.getByText('Nothing is running.').waitFor();
    assert.equal(await isTooWide(phone), false);
    await phone.getByRole('button', { name: 'Menu' }).click();
    await phone.getByRole('link', { name: 'Overview' }).waitFor();
    assert.deepEqual(await findViolations(phone), []);
  },
  EMBEDDED,
);

consoleTest(
  'relative times use the clock of the service, not that of the browser',
  async ({ console }) => {
    const ahead = new Date(SYSTEM_CLOCK.now() + 3_600_000);
    const one = { id: 'req_1', at: ahead.toISOString(), operation: 'fetch', status: 504, code: 'timeout' };
    const page = await console.open('/', { key: null });
    await page.route('**/v1/**', async (route) => {
      const response = await route.fetch();
      const json: unknown = route.request().url().includes('/v1/requests') ? { data: [one] } : await response.json();
      await route.fulfill({ response, json, headers: { ...response.headers(), date: ahead.toUTCString() } });
    });
    await signInAs(page);
    const failures = page.getByRole('table', { name: 'Last failures' });
    await failures.getByText('fetch').waitFor();
    assert.match((await failures.getByRole('row').nth(1).getByRole('cell').first().textContent()) ?? '', /now|second/);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.context().close();
  },
  EMBEDDED,
);

consoleTest(
  'a view reports an unavailable store and a restarting service, and recovers by itself',
  async ({ console, service, kill, startAgain }) => {
    const page = await console.open('/nowhere');
    const refusal = { error: { code: 'backend_unavailable', message: 'the store is away' } };
    const away = '**/docs/operations.json';
    await page.route(away, (route) => route.fulfill({ status: 503, contentType: 'application/json', json: refusal }));
    await page.goto(`${service.origin}/#/playground`);
    await page.getByText('The service or its store is unavailable.').waitFor();
    await page.getByRole('alert').getByText('the store is away').waitFor();
    assert.deepEqual(await findViolations(page), []);
    await page.unroute(away);
    await page.getByRole('list', { name: 'Pages and searches' }).waitFor();
    await page.getByText('The service or its store is unavailable').waitFor({ state: 'detached' });

    await kill();
    await page.getByRole('link', { name: /^fetch\s/ }).click();
    await page.getByText('This view could not be loaded.').waitFor();
    await startAgain();
    await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
    await page.getByText('The service or its store is unavailable').waitFor({ state: 'detached' });
  },
);
