import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ConsoleBrowser,
  consoleTests,
  isTooWide,
  openConsole,
  buildStoreSettings,
  findViolations,
} from '#support/console.ts';
import { textAt } from '#support/members.ts';
import { type RunningService, serveQuern } from '#support/quern.ts';

type Office = { readonly console: ConsoleBrowser; readonly service: RunningService };

const consoleTest = consoleTests(async (kind, stage, faults): Promise<Office> => {
  const folder = await mkdtemp(join(tmpdir(), 'quern-test-'));
  stage.defer(async () => rm(folder, { recursive: true, force: true }));
  const settings = await buildStoreSettings(kind, stage);
  const service = stage.use(await serveQuern(folder, settings));
  return { service, console: stage.use(await openConsole(service.origin, faults)) };
});

consoleTest('an operator creates a tenant and a key, which is shown once, and revokes the key', async (office) => {
  const { console, service } = office;
  const page = await console.open('/operator?tab=tenants');
  await page.getByRole('button', { name: 'New tenant' }).click();
  const form = page.getByRole('dialog', { name: 'New tenant' });
  assert.equal(await form.getByRole('button', { name: 'Create tenant' }).isDisabled(), true);
  await form.getByLabel('Name').fill('News <b>room</b>');
  await form.getByLabel('Plan').selectOption('starter');
  assert.deepEqual(await findViolations(page), []);
  await form.getByRole('button', { name: 'Create tenant' }).click();

  const tenant = page.getByRole('dialog', { name: 'News <b>room</b>' });
  await tenant.getByText('The tenant has no key yet.').waitFor();
  await tenant.getByLabel('Name of a new key').fill('import');
  await tenant.getByRole('button', { name: 'Create key' }).click();
  const key = (await tenant.getByRole('region', { name: 'New key' }).innerText()).trim();
  assert.match(key, /^qk_\S{20,}$/);
  const keys = tenant.getByRole('table', { name: 'Keys of the tenant' });
  await keys.getByText('active').waitFor();
  assert.deepEqual(await findViolations(page), []);
  const account = await service.call('/v1/usage', undefined, key);
  assert.deepEqual([account.status, account.body['plan']], [200, 'starter']);

  await tenant.getByRole('button', { name: 'Close' }).first().click();
  await page.getByRole('table', { name: 'Tenants' }).getByText('News <b>room</b>').click();
  await keys.getByText('import').waitFor();
  assert.equal((await page.content()).includes(key), false);
  await keys.getByRole('button', { name: 'Revoke import' }).click();
  const question = page.getByRole('dialog', { name: 'Revoke the key?' });
  await question.getByRole('button', { name: 'Go back' }).click();
  assert.equal((await service.call('/v1/usage', undefined, key)).status, 200);
  await keys.getByRole('button', { name: 'Revoke import' }).click();
  assert.deepEqual(await findViolations(page), []);
  await question.getByRole('button', { name: 'Revoke' }).click();
  await keys.getByText('revoked').waitFor();
  assert.equal((await service.call('/v1/usage', undefined, key)).status, 401);
  await page.context().close();

  const phone = await console.open('/operator?tab=tenants', { isOnPhone: true });
  await phone.getByRole('table', { name: 'Tenants' }).getByText('News <b>room</b>').click();
  await phone.getByRole('table', { name: 'Keys of the tenant' }).getByText('import').waitFor();
  assert.equal(await isTooWide(phone), false);
});

consoleTest(
  'a failed call is shown with its URL, without its secret, and its message',
  async ({ console, service }) => {
    const url = 'http://127.0.0.1:9/flour?page=2&token=hunter2';
    const refused = await service.call('/v1/fetch', { url });
    assert.notEqual(refused.status, 200);
    const page = await console.open('/');
    await page.getByRole('table', { name: 'Last failures' }).getByText('/flour?page=2&token=***').waitFor();
    assert.deepEqual(await findViolations(page), []);
    await page.getByRole('table', { name: 'Last failures' }).getByText('/flour?page=2&token=***').click();
    const dialog = page.getByRole('dialog', { name: 'Request' });
    await dialog.getByText('http://127.0.0.1:9/flour?page=2&token=***').waitFor();
    await dialog.getByText(textAt(refused.body, 'error.message')).waitFor();
    assert.equal((await page.content()).includes('hunter2'), false);
    assert.deepEqual(await findViolations(page), []);
  },
);

consoleTest('the usage view has the addresses for other tools, and copies one', async ({ console, service }) => {
  const page = await console.open('/usage');
  const address = `${service.origin}/firecrawl`;
  const table = page.getByRole('table', { name: 'Interfaces' });
  await table.getByText(address, { exact: true }).waitFor();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await table.getByRole('button', { name: 'Copy Firecrawl v2 and v1 address' }).click();
  await page.getByText('Firecrawl v2 and v1 address copied.').waitFor();
  assert.equal(await page.evaluate(async () => navigator.clipboard.readText()), address);
  assert.deepEqual(await findViolations(page), []);

  const phone = await console.open('/usage', { isOnPhone: true });
  await phone.getByRole('table', { name: 'Interfaces' }).getByText(address, { exact: true }).waitFor();
  assert.equal(await isTooWide(phone), false);
});
