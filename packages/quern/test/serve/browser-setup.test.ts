import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { at, textAt } from '../support/members.ts';
import { toResolverOption, ROOT } from '../support/copy.ts';
import { runQuern, serveQuern } from '../support/quern.ts';
import { browserTest } from '../support/rendered.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { inTemporaryFolder } from '../support/store.ts';

const LATE = join(ROOT, 'packages/quern/test/support/late-browser.ts');
/** The program imports modules that tests share. */
const SHARED = { NODE_OPTIONS: toResolverOption(ROOT) };

/** The process that installs a browser for a service of this folder. */
async function findInstaller(folder: string): Promise<string> {
  const file = join(folder, 'getter');
  for (;;) {
    const pid = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
    if (pid !== '') return pid;
    await delay(50);
  }
}

async function untilGone(pid: string): Promise<void> {
  while (existsSync(`/proc/${pid}`)) await delay(50);
}

browserTest('a service without a browser gets one in the background, and uses it without a restart', async () => {
  await inTemporaryFolder(async (folder) => {
    await using site = await startHttpServer((_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<div id="root"></div><script>root.innerHTML = "<p id=loaf>rye</p>"</script>'),
    );
    const settings = { ...SHARED, QUERN_CHROMIUM: '', QUERN_ALLOW_TARGETS: `127.0.0.1:${site.port}` };
    await using service = await serveQuern(folder, settings, LATE);
    assert.match(service.out(), /^no browser was found: downloading one .*\(set QUERN_CHROMIUM=off to skip this\)$/m);
    const rendered = { url: site.origin, wait_for_selector: '#loaf', output: ['text'], timeout_ms: 60_000 };
    const { body: known } = await service.call('/v1/capabilities');
    assert.match(textAt(known, 'browser.reason'), /^a browser is being downloaded in the background/);
    const early = await service.call('/v1/fetch', rendered);
    assert.deepEqual([early.status, at(early.body, 'error.code')], [503, 'backend_unavailable']);
    await findInstaller(folder);
    writeFileSync(join(folder, 'go'), '');
    for (;;) {
      const { body } = await service.call('/v1/capabilities');
      if (at(body, 'browser.available') === true) break;
      await delay(50);
    }
    // Lines of the log are written a second late.
    await service.waitForOutput('setup:browser');
    const said = service
      .err()
      .split('\n')
      .filter((line) => line.includes('setup:browser'));
    assert.deepEqual(
      said.map((line) => textAt(JSON.parse(line), 'msg')),
      ['gets a browser when it is told to'],
    );
    const { status, body } = await service.call('/v1/fetch', rendered);
    assert.deepEqual([status, at(body, 'usage.tier')], [200, 'browser'], JSON.stringify(body));
    assert.match(textAt(body, 'text'), /rye/);
  });
});

browserTest('the browser download ends with the service, whether it is stopped or killed', async () => {
  await inTemporaryFolder(async (folder) => {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      await using service = await serveQuern(folder, { ...SHARED, QUERN_CHROMIUM: '' }, LATE);
      const pid = await findInstaller(folder);
      rmSync(join(folder, 'getter'));
      assert.ok(existsSync(`/proc/${pid}`));
      service.signal(signal);
      await service.ended;
      await untilGone(pid);
    }
    const doctor = await runQuern(folder, ['doctor']);
    assert.match(doctor.out, /^missing +tier browser +QUERN_CHROMIUM is off/m);
  });
});
