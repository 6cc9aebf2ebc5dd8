import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { openBucket } from '#support/bucket.ts';
import { runHere } from '#support/command.ts';
import { withFleet } from '#support/fleet.ts';
import { textAt } from '#support/members.ts';
import { KEY } from '#support/quern.ts';
import { TESTED_STORES } from '#support/store.ts';

const TYPES = {
  csv: ['text/csv', '.csv', /^url,/],
  parquet: ['application/vnd.apache.parquet', '.parquet', /^PAR1/],
  zip: ['application/zip', '.zip', /^PK/],
  'llms.txt': ['text/plain', '-llms.txt', /^# .+\n[^]*\n- \[/],
  'llms-full.txt': ['text/plain', '-llms-full.txt', /^# .+\n\nSource: http/],
} as const;

suite('exports of a crawl', { timeout: 120_000 }, () => {
  for (const kind of TESTED_STORES) {
    test(`${kind}: a crawl is exported in every format, over HTTP, to a file and to a bucket`, async () => {
      await using bucket = asDisposable(await openBucket());
      await withFleet({ kind, time: 'real' }, async (fleet) => {
        const service = await fleet.serve('one');
        const urls = [`${fleet.site.origin}/now`, `${fleet.site.origin}/missing`];
        async function crawl(input: Readonly<Record<string, unknown>>): Promise<string> {
          const job = textAt((await service.call('/v1/jobs', { kind: 'crawl', input })).body, 'id');
          await service.call(`/v1/jobs/${job}?wait_ms=30000`);
          return job;
        }
        const id = await crawl({ urls, delay_ms: 0 });
        const get = async (query: string) =>
          fetch(`${service.origin}/v1/jobs/${id}/result?${query}`, { headers: { authorization: `Bearer ${KEY}` } });
        const remote = { QUERN_URL: service.origin, QUERN_API_KEY: KEY };
        for (const [format, [type, suffix, content]] of Object.entries(TYPES)) {
          const answer = await get(`format=${format}`);
          assert.equal(answer.status, 200);
          assert.ok(answer.headers.get('content-type')?.startsWith(type), format);
          assert.equal(answer.headers.get('content-disposition'), `attachment; filename="${id}${suffix}"`);
          const bytes = Buffer.from(await answer.arrayBuffer());
          assert.match(bytes.toString('latin1'), content);

          const file = join(fleet.folder, `pages${suffix}`);
          const exported = await runHere(fleet.folder, ['jobs', 'export', id, '--to', file], remote);
          assert.equal(exported.code, 0, exported.err);
          assert.deepEqual(await readFile(file), bytes);

          const object = await runHere(
            fleet.folder,
            ['jobs', 'export', id, '--format', format, '--json', '--to', bucket.url(`/nightly/pages-${format}`)],
            remote,
          );
          assert.equal(object.code, 0, object.err);
          assert.doesNotMatch(object.out + object.err, /S3RVER/);
        }
        assert.deepEqual(
          await bucket.keys('nightly/'),
          Object.keys(TYPES)
            .map((format) => `nightly/pages-${format}`)
            .toSorted(),
        );
        const leftovers = await readdir(fleet.folder);
        assert.deepEqual(
          leftovers.filter((name) => name.endsWith('.new')),
          [],
        );

        const wrong = await get('format=csv&limit=2');
        assert.equal(wrong.status, 400);
        assert.match(await wrong.text(), /limit: cannot be used with format csv/);
        const links = await crawl({ urls: urls.slice(0, 1), output: ['links'] });
        const bare = await runHere(fleet.folder, ['jobs', 'export', links, '--to', 'site.zip'], remote);
        assert.equal(bare.code, 2);
        assert.match(bare.err, /format: zip needs pages with output markdown/);
        const cut = await crawl({ urls: urls.slice(0, 1), output: ['chunks'], delay_ms: 0 });
        const chunks = await fetch(`${service.origin}/v1/jobs/${cut}/result?format=jsonl&rows=chunks`, {
          headers: { authorization: `Bearer ${KEY}` },
        });
        const [line = ''] = (await chunks.text()).split('\n');
        assert.equal(textAt(JSON.parse(line), 'page_url'), urls[0]);
        assert.match(textAt(JSON.parse(line), 'text'), /The page \/now/);
        assert.match(await (await get('format=csv&rows=chunks')).text(), /rows: chunks needs pages with output chunks/);
        assert.match(
          await (await get('format=zip&rows=chunks')).text(),
          /rows: chunks needs format jsonl, csv or parquet/,
        );
        const nowhere = await runHere(fleet.folder, ['jobs', 'export', id, '--to', '/no/such/folder/a.csv'], remote);
        assert.match(nowhere.err, /to: \/no\/such\/folder\/a\.csv cannot be written/);
      });
    });
  }
});

function asDisposable<T extends { readonly close: () => Promise<void> }>(opened: T): T & AsyncDisposable {
  return { ...opened, [Symbol.asyncDispose]: async () => opened.close() };
}
