import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { JobRecord } from '#engine/jobs/job-record.ts';
import { CRAWL_VIEW } from '#features/crawl/command-view.ts';
import { showJobResult, showJob, submitJob } from '#features/jobs/operations.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { MAP_VIEW } from '#features/map/command-view.ts';
import { operations } from '#features/operations.ts';
import { runCli } from '#transports/cli/cli.ts';
import type { CommandContext } from '#transports/cli/context.ts';
import { formatMarkdownFile, parseFileUrl, foldCase, toPagePath } from '#features/jobs/exports/page-files.ts';
import { createMeter, formatDuration, summarizeDownload } from '#transports/cli/download/progress.ts';
import { readState } from '#transports/cli/download/state-file.ts';
import { lineOver } from '../support/cli.ts';
import { inTemporaryFolder } from '../support/store.ts';
import { captureFailure } from '#testkit/visitor.ts';

const ID = `job_${'0'.repeat(26)}`;

type More = { readonly progress?: object; readonly status?: string; readonly [name: string]: unknown };

function buildRecord({ progress = {}, ...more }: More): JobRecord {
  return JobRecord.parse({
    id: ID,
    kind: 'crawl',
    input: { url: 'https://mill.example/', max_pages: 500 },
    status: 'running',
    progress: { discovered: 1, completed: 0, failed: 0, ...progress },
    attempt: 1,
    cancel_requested: false,
    created_at: '2026-11-21T12:00:00Z',
    started_at: null,
    finished_at: null,
    expires_at: null,
    error: null,
    result_url: `/v1/jobs/${ID}/result`,
    usage: null,
    ...more,
  });
}

function computePath(url: string): string {
  const { folders, names } = toPagePath(url);
  return [...folders, names[0]].join('/');
}

test('a page is written below the host and path of its URL', () => {
  for (const [url, path] of [
    ['https://mill.example/', 'mill.example/index.md'],
    ['https://mill.example/docs/a', 'mill.example/docs/a.md'],
    ['https://mill.example/docs/', 'mill.example/docs/index.md'],
    ['https://mill.example/docs/a.html', 'mill.example/docs/a.md'],
    ['https://mill.example:8080/a.php', 'mill.example_8080/a.php.md'],
    ['https://mill.example/a.md/b', 'mill.example/a.md_/b.md'],
    ['https://mill.example/.html', 'mill.example/_html.md'],
    ['https://mill.example/CON/lpt1.txt', 'mill.example/_CON/_lpt1.txt.md'],
    ['http://[::1]/x', '[__1]/x.md'],
  ] as const) {
    assert.equal(computePath(url), path);
  }
  assert.match(computePath('https://mill.example/%C3%A4hre?b=1'), /^mill\.example\/ähre-[0-9a-f]{8}\.md$/);
});

test('file names of any URL are safe, short, and unique after case folding', () => {
  const segment = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc.constantFrom('..', '.', '', 'CON', 'nul.txt', 'a/b', 'a\\b', '\0', '-rf', '~', '.md', 'x.md', ' ', '...'),
  );
  fc.assert(
    fc.property(fc.array(segment, { maxLength: 60 }), (segments) => {
      const written = segments.map((one) => encodeURIComponent(one.toWellFormed()).replaceAll('.', '%2e'));
      const { folders, names } = toPagePath(`http://h.example/${written.join('/')}`);
      assert.ok(Buffer.byteLength([...folders, names[0]].join('/')) < 1000);
      for (const name of [...folders, ...names]) {
        assert.ok(Buffer.byteLength(name) <= 200 && name !== '', name);
        assert.doesNotMatch(name, /^[.~\- ]|[. ]$|[/\\:*?"<>|\p{Cc}]|^(?:con|nul)(?:\.|$)/iu);
      }
      for (const name of folders.slice(1)) assert.doesNotMatch(name, /\.md$/i);
      assert.equal(new Set(names.map(foldCase)).size, names.length);
    }),
  );
});

test('front matter is quoted so that titles stay on their line, and contains the page URL', () => {
  const url = 'https://mill.example/a"b';
  const metadata = { title: 'Rye: "a\n---\nurl: x"\u0085\u2028', author: null, language: 'de' };
  const text = formatMarkdownFile({
    url,
    final_url: 'https://mill.example/c',
    markdown: '# Rye',
    fetched_at: null,
    metadata,
  });
  assert.equal(
    text,
    [
      '---',
      String.raw`url: "https://mill.example/a\"b"`,
      'final_url: "https://mill.example/c"',
      String.raw`title: "Rye: \"a\n---\nurl: x\"\u0085\u2028"`,
      'language: "de"',
      '---',
      '',
      '# Rye',
      '',
    ].join('\n'),
  );
  assert.equal(parseFileUrl(text), url);
  for (const other of ['', '# Rye', '---\nurl: x\n', '---\nurl: "\\x"\n']) assert.equal(parseFileUrl(other), null);
});

test('the progress line shows pages, recent rate, queue, errors, credits and remaining time', () => {
  const crawl = createMeter(CRAWL_VIEW.download);
  const usage = { credits: 824, base: 824, surcharge: 0, tier: 'http' };
  const first = buildRecord({ progress: { completed: 32 } });
  assert.equal(crawl.line({ record: first, written: 0, now: 0 }), '0 pages · –/s · 0 errors · 0 credits · ETA –');
  const progress = { completed: 412, pending: 1204, failed: 1 };
  assert.equal(
    crawl.line({ record: buildRecord({ progress, usage }), written: 412, now: 10_000 }),
    '412 pages · 38/s · 1,204 queued · 1 error · 824 credits · ETA 0:02',
  );
  assert.equal(
    crawl.line({ record: buildRecord({ progress, usage }), written: 412, now: 25_000 }),
    '412 pages · –/s · 1,204 queued · 1 error · 824 credits · ETA –',
  );
  assert.equal(
    crawl.line({ record: buildRecord({ status: 'queued', attempt: 0 }), written: 0, now: 0 }),
    `${ID} waits for its turn`,
  );
  const open = createMeter(CRAWL_VIEW.download);
  open.line({ record: buildRecord({ input: {} }), written: 0, now: 0 });
  assert.match(open.line({ record: buildRecord({ input: {}, progress }), written: 0, now: 1000 }), / · ETA –$/);
  const map = createMeter(MAP_VIEW.download);
  map.line({ record: buildRecord({}), written: 0, now: 0 });
  assert.equal(
    map.line({
      record: buildRecord({ kind: 'map', input: {}, progress: { completed: 1, pending: 7200 } }),
      written: 0,
      now: 1000,
    }),
    '1 page read · 1/s · 7,200 queued · 0 errors · ETA 2:00:00',
  );
  assert.equal(formatDuration(3_723_000), '1:02:03');
});

test('the summary counts errors by code and skipped pages by reason', () => {
  const body = {
    complete: false,
    stop_reason: 'max_pages',
    errors: [{ code: 'not_found' }, { code: 'timeout' }, { code: 'not_found' }],
    skipped: { robots: 0, scope: 1200, duplicate: 3 },
    stats: { failed: 1500 },
    warnings: [{ code: 'scope_left', message: 'the start leads away' }],
    usage: { credits: 1000 },
  };
  const record = buildRecord({ status: 'completed', finished_at: '2026-11-21T12:00:31Z' });
  assert.deepEqual(summarizeDownload({ noun: 'page', record, body, written: 500, path: '/x/pages.jsonl' }), [
    '500 pages · not complete (max_pages) · 1,000 credits · 0:31',
    '1,500 errors: not_found 2, timeout 1 among the first 3',
    '1,203 skipped: scope 1,200, duplicate 3',
    'warning: scope_left: the start leads away',
    'written to /x/pages.jsonl',
  ]);
});

test('an invalid state file is reported, and a missing one is null', async () => {
  await inTemporaryFolder(async (folder) => {
    const file = join(folder, 'a.quern');
    assert.equal(await readState(file), null);
    for (const text of ['', '{', '{"version":1}', '[]']) {
      await writeFile(file, text);
      const { code, message } = await captureFailure(async () => readState(file));
      assert.equal(code, 'invalid_request');
      assert.match(message, /a\.quern is not a valid state file/);
    }
  });
});

/** A crawl of one page on a service with the responses of `show`, one after the other. */
async function followShown(show: readonly (JobRecord | ServiceError)[]) {
  let [out, at] = ['', 0];
  const notes: string[] = [];
  const parts: CommandContext = {
    place: 'here',
    serveLine: 'quern serve',
    clock: SYSTEM_CLOCK,
    jobs: { submit: submitJob, show: showJob, result: showJobResult },
    operations,
    async ask({ id }) {
      if (id === 'jobs.submit') return { body: buildRecord({ status: 'queued' }), stream: null };
      if (id === 'jobs.result') {
        return { body: { pages: [{ url: 'https://mill.example/' }], next_cursor: null }, stream: null };
      }
      const answer = show[at];
      at += 1;
      if (answer === undefined) throw new Error('asked too often');
      if (answer instanceof ServiceError) throw answer;
      return { body: answer, stream: null };
    },
    work: async () => undefined,
    isServed: async () => true,
    interrupted: () => new AbortController().signal,
    now: () => 0,
    version: '0.0.0',
    terminal: {
      out: (text) => void (out += text),
      note: (line) => void notes.push(line),
      live: (line) => void notes.push(line),
      isRead: () => true,
      display: null,
      isScreen: false,
    },
  };
  const code = await runCli(['crawl', 'https://mill.example/', '--quiet'], lineOver(parts));
  return { code, out, notes };
}

test('the command survives a short outage and rate limits of the service', async () => {
  const away = new ServiceError('backend_unavailable', 'QUERN_URL does not answer', { retryAfterSeconds: 0 });
  const busy = new ServiceError('rate_limited', 'too many requests', { retryAfterSeconds: 0 });
  const { code, out, notes } = await followShown([away, away, busy, buildRecord({ status: 'completed' })]);
  assert.deepEqual([code, out], [0, '{"url":"https://mill.example/"}\n']);
  assert.deepEqual(notes, ['quern: QUERN_URL does not answer; trying again for a minute']);
});

test('a job that ends while its list is read is written once', async () => {
  const shown = [buildRecord({ progress: { completed: 1 } }), buildRecord({ status: 'completed' })];
  assert.deepEqual(await followShown(shown), { code: 0, out: '{"url":"https://mill.example/"}\n', notes: [] });
});

test('the output of a failed or cancelled crawl is kept, and the exit code reports the reason', async () => {
  const failed = buildRecord({
    status: 'failed',
    error: { code: 'target_blocked', message: 'every attempt was blocked' },
  });
  assert.deepEqual(await followShown([failed]), {
    code: 6,
    out: '{"url":"https://mill.example/"}\n',
    notes: ['quern: target_blocked: every attempt was blocked; elements written so far: 1'],
  });
  const { notes, code } = await followShown([buildRecord({ status: 'cancelled' })]);
  assert.equal(code, 2);
  assert.match(notes.join(), /^quern: job_cancelled: job_0+ is cancelled; elements written so far: 1$/);
});

test('when following a job ends early, the command prints how to resume', async () => {
  const { code, notes } = await followShown([new ServiceError('invalid_api_key', 'the key is revoked')]);
  assert.equal(code, 3);
  assert.deepEqual(notes, [
    `quern: ${ID} continues: quern crawl --resume ${ID} writes the rest, quern jobs cancel ${ID} stops it`,
    'quern: invalid_api_key: the key is revoked',
  ]);
});
