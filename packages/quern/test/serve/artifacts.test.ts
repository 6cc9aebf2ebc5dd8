import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noise } from '../support/engine/listing.ts';
import { openBucket } from '../support/bucket.ts';
import { runHere } from '../support/command.ts';
import { textAt } from '../support/members.ts';
import { KEY, runQuern, serveQuern } from '../support/quern.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { inTemporaryFolder } from '../support/store.ts';

test('a service with a bucket stores large results there, survives a kill, and never reveals the bucket secret', async () => {
  const bucket = await openBucket();
  const page = `<h1>Rye</h1><p>${noise(400_000)}`;
  await using site = await startHttpServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end(page),
  );
  await inTemporaryFolder(async (folder) => {
    const url = bucket.url('/quern').replace('S3RVER:S3RVER', 'S3RVER:canary-secret');
    const settings = { QUERN_ARTIFACTS_URL: url, QUERN_ALLOW_TARGETS: new URL(site.origin).host };
    const first = await serveQuern(folder, settings);
    const input = { url: site.origin, output: ['raw_html'] };
    const id = textAt((await first.call('/v1/jobs', { kind: 'fetch', input })).body, 'id');
    assert.equal((await first.call(`/v1/jobs/${id}?wait_ms=30000`)).body['status'], 'completed');
    first.signal('SIGKILL');
    await first.ended;
    assert.equal((await bucket.keys('quern/')).length, 1);
    await using second = await serveQuern(folder, settings);
    const { body } = await second.call(`/v1/jobs/${id}/result`);
    assert.equal(body['raw_html'], page);
    const remote = { QUERN_URL: second.origin, QUERN_API_KEY: KEY };
    const printed = await runHere(folder, ['jobs', 'result', id], remote);
    assert.equal(textAt(JSON.parse(printed.out), 'raw_html'), page);
    const refused = await runHere(folder, ['jobs', 'result', id, '--format', 'jsonl'], remote);
    assert.deepEqual([refused.code, refused.out], [2, '']);
    assert.match(refused.err, /invalid_request: format: the result of fetch has no list/);
    const doctor = await runHere(folder, ['doctor'], settings);
    assert.match(
      doctor.out,
      /^ok +results +bucket quern-results at http:\/\/127\.0\.0\.1:\d+ can be read and written$/m,
    );
    const config = await runHere(folder, ['config'], settings);
    assert.match(config.out, /^QUERN_ARTIFACTS_URL +s3:\/\/\*{8}:\*{8}@quern-results\/quern\?endpoint=/m);
    await bucket.close();
    const away = await second.call(`/v1/jobs/${id}/result`);
    assert.equal(away.status, 503);
    const said = [first.out(), first.err(), second.out(), second.err(), doctor.out, config.out, away.body];
    assert.doesNotMatch(JSON.stringify(said), /canary-secret/);
  });
});

test('a service that may fetch local addresses still cannot fetch its own bucket', async () => {
  const bucket = await openBucket();
  await inTemporaryFolder(async (folder) => {
    const url = bucket.url('/quern');
    const place = new URL(new URL(url).searchParams.get('endpoint') ?? '');
    const settings = { QUERN_ARTIFACTS_URL: url, QUERN_ALLOW_TARGETS: '127.0.0.0/8,localhost' };
    await using served = await serveQuern(folder, settings);
    for (const host of ['127.0.0.1', '127.0.0.2', 'localhost']) {
      place.hostname = host;
      const { status, body } = await served.call('/v1/fetch', { url: new URL('/quern-results', place).href });
      assert.ok(status === 400 || status === 502, `${host} ${status}`);
      assert.doesNotMatch(JSON.stringify(body), /ListBucket/);
    }
  });
  await bucket.close();
});

test('an unusable bucket stops the start with one line that names the setting', async () => {
  await inTemporaryFolder(async (folder) => {
    for (const [url, says] of [
      ['s3://id:canary-secret@results?endpoint=http://127.0.0.1:9', /cannot be used \(.*ECONNREFUSED/],
      ['s3://id:canary-secret@results?endpiont=x', /must have no options except endpoint/],
      ['file:///proc/quern', /folder \/proc\/quern cannot be used/],
    ] as const) {
      const settings = { QUERN_ARTIFACTS_URL: url, QUERN_PORT: '0', QUERN_STORE_WAIT_SECONDS: '0' };
      const { code, out, err } = await runQuern(folder, ['serve'], settings);
      assert.deepEqual([code, out], [1, '']);
      assert.match(err, /^quern: QUERN_ARTIFACTS_URL: [^\n]+\n$/);
      assert.match(err, says);
      assert.doesNotMatch(err, /canary-secret/);
    }
  });
});
