import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { suite, test } from 'node:test';
import { z } from 'zod';
import { removeSettings } from '#demo/service.ts';
import { STORE_KINDS } from '#store/db.ts';
import { runHere } from '#support/command.ts';
import { listAt, textAt } from '#support/members.ts';
import {
  type Ended as EndedCommand,
  NO_BROWSER,
  runQuern,
  type RunningService,
  serveQuern,
  type Settings,
} from '#support/quern.ts';
import { inTemporaryFolder } from '#support/store.ts';
import { openWatchedSite } from '#support/watched-site.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { surviveBatchKills } from './batch-kills.ts';

const KILLS = 2;
const PROGRAM = join(import.meta.dirname, '../packages/quern/bin/quern.mjs');
const CREDITS_PER_PAGE = 2;

const Part = z.looseObject({ results: z.array(z.looseObject({ url: z.string() })) });
const Cancelled = Part.extend({ complete: z.boolean(), stop_reason: z.string() });
const Ended = Cancelled.extend({
  stats: z.looseObject({ duplicates: z.int(), fetched: z.int(), pending: z.int() }),
});

/** Waits until a job has ended, and returns its record. */
async function untilEnded({ call }: RunningService, id: string) {
  for (;;) {
    const { body } = await call(`/v1/jobs/${id}?wait_ms=5000`);
    if (body['status'] !== 'queued' && body['status'] !== 'running') return body;
  }
}

async function readPart({ call }: RunningService, id: string) {
  return (await call(`/v1/jobs/${id}/result?limit=1000&partial=true`)).body;
}

async function readResult(service: RunningService, id: string) {
  return Ended.parse(await readPart(service, id));
}

/** Opens a site that is closed with the scope. */
async function openSite(delayMs: number) {
  const site = await openWatchedSite(() => delayMs);
  return { ...site, [Symbol.asyncDispose]: site.close };
}

async function submit({ call }: RunningService, urls: readonly string[], more: object = {}): Promise<string> {
  const { status, body } = await call('/v1/jobs', { kind: 'fetch.batch', input: { urls, delay_ms: 0 }, ...more });
  assert.equal(status, 202, JSON.stringify(body));
  return textAt(body, 'id');
}

function toUrls(lines: string): readonly string[] {
  return lines
    .split('\n')
    .slice(0, -1)
    .map((line) => textAt(JSON.parse(line), 'url'));
}

async function countCredits({ call }: RunningService): Promise<unknown> {
  return (await call('/v1/usage')).body['credits_used'];
}

/** Runs a command to its end with this text as its standard input. */
async function pipe(
  folder: string,
  args: readonly string[],
  { settings, input }: { readonly settings: Settings; readonly input: string },
): Promise<EndedCommand> {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { ...removeSettings(process.env), ...NO_BROWSER, QUERN_DATA_DIR: folder, ...settings },
    timeout: 60_000,
  });
  const ended = once(child, 'close');
  child.stdin.end(input);
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code]: unknown[] = await ended;
  return { code: Number(code), out, err };
}

suite('a batch of URLs', { concurrency: 2, timeout: 300_000 }, () => {
  for (const kind of STORE_KINDS)
    test(`${kind}: after ${KILLS} times kill -9, each page of a batch is stored once and charged once`, async () => {
      await surviveBatchKills(kind, KILLS);
    });

  test('a batch of 10,000 URLs with 9,000 duplicates fetches 1,000 pages over HTTP', async () => {
    await using site = await openSite(0);
    await inTemporaryFolder(async (folder) => {
      await using service = await serveQuern(folder, { QUERN_ALLOW_TARGETS: site.host });
      const urls = Array.from({ length: 10_000 }, (_, at) => `${site.origin}/p${at % 1000}`);
      const { status, body } = await service.call('/v1/fetch/batch', { urls, delay_ms: 0 });
      assert.equal(status, 202, JSON.stringify(body));
      const id = textAt(body, 'id');
      assert.equal((await untilEnded(service, id))['status'], 'completed');
      const { complete, results, stats } = await readResult(service, id);
      assert.deepEqual([complete, stats.duplicates, stats.fetched, results.length], [true, 9000, 1000, 1000]);
      assert.equal(new Set(results.map(({ url }) => url)).size, 1000);
      assert.equal(site.visits(), 1000);
      assert.equal(await countCredits(service), 1000 * CREDITS_PER_PAGE);
      const more = await service.call('/v1/fetch/batch', { urls: [...urls, urls[0]] });
      assert.deepEqual([more.status, textAt(more.body, 'error.code')], [400, 'invalid_request']);
      assert.match(textAt(more.body, 'error.message'), /^urls: /);
    });
  });

  test('a batch continues after a stop of the service, and reports its end to a webhook', async () => {
    await using site = await openSite(20);
    const told = Promise.withResolvers<unknown>();
    await using hook = await startHttpServer((request, response) => {
      void text(request).then((body) => told.resolve(JSON.parse(body)));
      response.end();
    });
    await inTemporaryFolder(async (folder) => {
      const settings = { QUERN_ALLOW_TARGETS: '127.0.0.0/8' };
      const urls = Array.from({ length: 100 }, (_, at) => `${site.origin}/p${at}`);
      let id = '';
      {
        await using first = await serveQuern(folder, settings);
        id = await submit(first, urls, { webhook: { url: `${hook.origin}/hook` } });
        await site.until(() => site.visits() >= 30);
        assert.equal(await first.close(), 0);
      }
      const before = site.visits();
      assert.ok(before < 100, `${before} visits`);
      await using second = await serveQuern(folder, settings);
      assert.equal((await untilEnded(second, id))['status'], 'completed');
      const { complete, results } = await readResult(second, id);
      assert.deepEqual([complete, new Set(results.map(({ url }) => url)).size, results.length], [true, 100, 100]);
      assert.equal(await countCredits(second), 100 * CREDITS_PER_PAGE);
      const event = await told.promise;
      assert.deepEqual([textAt(event, 'type'), textAt(event, 'data.id')], ['job.completed', id]);
      assert.equal(textAt(event, 'data.kind'), 'fetch.batch');
    });
  });

  test('a cancelled batch keeps the pages that it has, and charges no others', async () => {
    await using site = await openSite(0);
    await inTemporaryFolder(async (folder) => {
      await using service = await serveQuern(folder, { QUERN_ALLOW_TARGETS: site.host });
      const open = Array.from({ length: 10 }, (_, at) => `${site.origin}/p${at}`);
      const held = Array.from({ length: 70 }, (_, at) => `${site.origin}/held/${at}`);
      const id = await submit(service, [...open, ...held]);
      for (;;) if (Part.parse(await readPart(service, id)).results.length === open.length) break;
      const { status } = await fetch(`${service.origin}/v1/jobs/${id}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer qk_${'a'.repeat(32)}` },
      });
      assert.ok(status === 200 || status === 202, String(status));
      assert.equal((await untilEnded(service, id))['status'], 'cancelled');
      const part = Cancelled.parse(await readPart(service, id));
      assert.deepEqual([part.complete, part.stop_reason, part.results.length], [false, 'cancelled', open.length]);
      assert.equal(await countCredits(service), open.length * CREDITS_PER_PAGE);
    });
  });

  test('the command line fetches the URLs of a file, of standard input or of the line, and resumes', async () => {
    await using site = await openSite(0);
    await inTemporaryFolder(async (folder) => {
      const settings = { QUERN_ALLOW_TARGETS: site.host };
      const urls = Array.from({ length: 40 }, (_, at) => `${site.origin}/p${at}`);
      const [file, out] = [join(folder, 'urls.txt'), join(folder, 'pages.jsonl')];
      await writeFile(file, `${urls.join('\n')}\n\n`);
      const command = ['fetch', 'batch', `@${file}`, '--delay-ms', '0', '--out', out];
      const { code, err } = await runQuern(folder, command, settings);
      assert.equal(code, 0, err);
      assert.match(err, /\nquern: 40 pages · complete \(exhausted\) · 80 credits/);
      assert.deepEqual(toUrls(await readFile(out, 'utf8')).toSorted(), urls.toSorted());
      const [job = ''] = /job_\w+/.exec(err) ?? [];
      const again = await runHere(folder, ['fetch', 'batch', '--resume', job], settings);
      assert.deepEqual([again.code, toUrls(again.out).length], [0, 40], again.err);
      const [first = '', second = ''] = urls;
      const direct = await runHere(folder, ['fetch', 'batch', first, second, '--json'], settings);
      assert.equal(listAt(JSON.parse(direct.out), 'results').length, 2);
      const own = await runHere(
        folder,
        ['fetch', 'batch', JSON.stringify({ url: first, output: ['text'] }), '--json'],
        settings,
      );
      assert.equal(textAt(listAt(JSON.parse(own.out), 'results')[0], 'text').trim(), 'The page /p0 of the mill.');
      for (const [list, sort] of [
        [JSON.stringify(urls), ['--urls', '@-']],
        [urls.join('\r\n'), ['@-']],
      ] as const) {
        const piped = await pipe(folder, ['fetch', 'batch', ...sort, '--delay-ms', '0', '--quiet'], {
          settings,
          input: list,
        });
        assert.deepEqual([piped.code, piped.err, toUrls(piped.out).length], [0, '', 40]);
      }
      for (const [line, says] of [
        [['fetch', 'batch'], /missing argument URLS/],
        [['fetch', 'batch', `@${join(folder, 'nowhere.txt')}`], /URLS: .*nowhere\.txt ENOENT/],
        [['fetch', 'batch', `@${out}`], /invalid_request: urls\.0\./],
        [['crawl', '--urls', `@${join(folder, 'nowhere.txt')}`], /--urls: .*nowhere\.txt ENOENT/],
      ] as const) {
        const refused = await runHere(folder, line, settings);
        assert.equal(refused.code, 2, refused.err);
        assert.match(refused.err, says);
      }
      const crawled = await runHere(folder, ['crawl', '--urls', `@${file}`, '--delay-ms', '0', '--quiet'], settings);
      assert.equal(toUrls(crawled.out).length, 40, crawled.err);
    });
  });
});
