import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { StoreKind } from '#store/db.ts';
import { until } from '#support/fleet.ts';
import { at, listAt, textAt } from '#support/members.ts';
import { LOG_IN, type LoginSite, openLoginSite } from '#support/login-site.ts';
import { runHere } from '#support/command.ts';
import { KEY, type RunningService, serveQuern, type Settings } from '#support/quern.ts';
import { browserTest } from '#support/rendered.ts';
import { withSchema } from '#support/schema.ts';
import { inTemporaryFolder, onEveryStore, TESTED_STORES } from '#support/store.ts';

type Stage = {
  readonly site: LoginSite;
  readonly folder: string;
  /** Starts the service. */
  readonly serve: () => Promise<RunningService>;
};

async function onStage(kind: StoreKind, browser: Settings, work: (stage: Stage) => Promise<void>): Promise<void> {
  await inTemporaryFolder(async (folder) => {
    await using site = await openLoginSite();
    const common = { QUERN_ALLOW_TARGETS: `127.0.0.1:${site.port}`, ...browser };
    const begin = async (settings: Settings): Promise<void> =>
      work({ site, folder, serve: async () => serveQuern(folder, settings) });
    if (kind === 'sqlite') await begin(common);
    else
      await withSchema(async (url) =>
        begin({ ...common, QUERN_DATABASE_URL: url, QUERN_SECRET_KEY: randomBytes(32).toString('base64') }),
      );
  });
}

const BROWSER: Settings = { QUERN_CHROMIUM: '' };

for (const kind of TESTED_STORES)
  browserTest(
    `${kind}: a login through a form in a browser is used by fetch, crawl, map, jobs and later browser sessions`,
    async () =>
      onStage(kind, BROWSER, async ({ site, folder, serve }) => {
        const session = 'mill.ann';
        await using service = await serve();
        const first = await service.call('/v1/interact', {
          url: `${site.origin}/login`,
          actions: LOG_IN,
          variables: { word: 'grist' },
          session,
        });
        assert.equal(first.status, 200, JSON.stringify(first.body));
        assert.equal(at(first.body, 'completed'), true, JSON.stringify(first.body));

        const account = { url: `${site.origin}/account`, proxy: 'basic' };
        const fetched = await service.call('/v1/fetch', { ...account, session });
        assert.equal(fetched.headers.get('x-access-tier'), 'http');
        assert.match(textAt(fetched.body, 'markdown'), /Welcome Ann/);
        const without = await service.call('/v1/fetch', { ...account, max_age_ms: 60_000 });
        assert.match(textAt(without.body, 'markdown'), /Log in/);

        const crawled = await service.call('/v1/crawl', { url: account.url, session, max_pages: 4, delay_ms: 0 });
        assert.deepEqual(
          listAt(crawled.body, 'pages').map((page) => /Welcome Ann/.test(textAt(page, 'markdown'))),
          [true, true, true, true],
        );
        const mapped = await service.call('/v1/map', { url: account.url, session, delay_ms: 0 });
        assert.ok(listAt(mapped.body, 'urls').some((one) => textAt(one, 'url').endsWith('/account/5')));

        const shown = await service.call('/v1/fetch', { url: `${site.origin}/shown`, session, wait_ms: 1 });
        assert.equal(shown.headers.get('x-access-tier'), 'browser');
        assert.match(textAt(shown.body, 'markdown'), /token grist-token, cookie seen=1/);
        const again = await service.call('/v1/interact', {
          url: `${site.origin}/shown`,
          actions: [{ type: 'evaluate', name: 'visits', script: 'localStorage.getItem("visits") + document.cookie' }],
          session,
        });
        assert.match(textAt(at(again.body, 'extracted'), 'visits'), /^2.*script=set/);

        const { body } = await service.call(`/v1/sessions/${session}`);
        assert.deepEqual(
          listAt(body, 'cookie_list')
            .map((one) => textAt(one, 'name'))
            .toSorted(),
          ['script', 'seen', 'sid'],
        );
        assert.deepEqual(at(body, 'hosts'), ['127.0.0.1']);
        assert.doesNotMatch(JSON.stringify(body), /grist|"s\d/);
        const listed = await runHere(folder, ['sessions', 'list'], { QUERN_URL: service.origin, QUERN_API_KEY: KEY });
        assert.match(listed.out, /mill\.ann\s+127\.0\.0\.1\s+3/);

        const out = { url: `${site.origin}/out`, session, wait_ms: 1 };
        assert.match(textAt((await service.call('/v1/fetch', out)).body, 'markdown'), /Bye/);
        const { body: after } = await service.call(`/v1/sessions/${session}`);
        assert.deepEqual(
          listAt(after, 'cookie_list')
            .map((one) => textAt(one, 'name'))
            .toSorted(),
          ['script', 'seen'],
        );
        assert.deepEqual(at(after, 'storage_list'), []);
      }),
  );

onEveryStore('the login that the last page set is stored after kill -9 during a crawl', async (kind) => {
  await onStage(kind, {}, async ({ site, serve }) => {
    const session = 'turns';
    await using service = await serve();
    const cookies = [{ name: 'sid', value: site.open(), domain: '127.0.0.1', path: '/' }];
    assert.equal((await service.call('/v1/sessions', { name: session, cookies })).status, 201);
    const held = site.hold('/turns/3');
    const input = { url: `${site.origin}/turns`, session, max_pages: 20, delay_ms: 50 };
    const { body: job } = await service.call('/v1/jobs', { kind: 'crawl', input });
    await held.came;
    const begun = site.visits.filter(({ path }) => path.startsWith('/turns')).length;
    await until('the pages before it are stored', async () => {
      const { body } = await service.call(`/v1/jobs/${textAt(job, 'id')}`);
      return at(at(body, 'progress'), 'completed') === begun - 1;
    });
    // The next process continues the crawl, and each of its pages would end the login of the last one.
    site.closeBelow('/turns');
    service.signal('SIGKILL');
    await service.ended;
    await using next = await serve();
    const { body } = await next.call('/v1/fetch', { url: `${site.origin}/account`, session });
    assert.match(textAt(body, 'markdown'), /Welcome Ann/);
  });
});
