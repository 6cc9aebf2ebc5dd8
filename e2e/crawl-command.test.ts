import assert from 'node:assert/strict';
import { appendFile, lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { runHere } from '#support/command.ts';
import { listAt, textAt } from '#support/members.ts';
import { KEY, runQuern, runToEnd, serveQuern, type Settings, startQuern } from '#support/quern.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { inTemporaryFolder } from '#support/store.ts';

const PAGES = 40;
/** The number of pages that are served at once; the others wait for `letGo`. */
const AT_ONCE = 12;
const PROGRAM = join(import.meta.dirname, '../packages/quern/bin/quern.mjs');

/** A site whose first page links to all others; it delays visits after a call of `hold`. */
async function openHoldingSite() {
  let [isHeld, visits] = [false, 0];
  const held: (() => void)[] = [];
  const site = await startHttpServer(({ url = '/' }, response) => {
    const page = Number(/^\/page-(\d+)$/.exec(url)?.[1] ?? -1);
    const isThere = url === '/' || (page >= 0 && page < PAGES);
    const links = Array.from({ length: PAGES + 1 }, (_, at) => `<a href="/page-${at}">${at}</a>`);
    function answer(): void {
      if (url === '/picture') return void response.writeHead(200, { 'content-type': 'image/png' }).end('\u0089PNG');
      response.writeHead(isThere ? 200 : 404, { 'content-type': 'text/html' });
      response.end(`<title>${url}</title><p>The page ${url}.${url === '/' ? links.join('') : ''}`);
    }
    visits += 1;
    if (isHeld && visits > AT_ONCE) held.push(answer);
    else answer();
  });
  return {
    ...site,
    settings: { QUERN_ALLOW_TARGETS: `127.0.0.1:${site.port}` },
    hold(): void {
      [isHeld, visits] = [true, 0];
    },
    letGo(): void {
      isHeld = false;
      for (const answer of held.splice(0)) answer();
    },
  };
}

type Site = Awaited<ReturnType<typeof openHoldingSite>>;

function buildCrawlCommand(site: Site, ...args: readonly string[]): readonly string[] {
  return ['crawl', `${site.origin}/`, '--max-pages', '100', '--delay-ms', '0', ...args];
}

/** The URLs in a file of JSON Lines; fails if a line is not a page. */
async function urlsIn(file: string): Promise<readonly string[]> {
  return toUrls(await readFile(file, 'utf8'));
}

function toUrls(text: string): readonly string[] {
  assert.ok(text === '' || text.endsWith('\n'), text.slice(-100));
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line) => textAt(JSON.parse(line), 'url'));
}

async function untilWritten(file: string, least: number): Promise<void> {
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text.split('\n').length > least) return;
    await wait(20);
  }
}

/** The files below a folder, as paths in it. */
async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .toSorted();
}

function allUrls({ origin }: Site): readonly string[] {
  return ['/', ...Array.from({ length: PAGES }, (_, at) => `/page-${at}`)].map((path) => origin + path).toSorted();
}

/** Interrupts a crawl by a signal, then resumes it; returns the output of both runs. */
async function breakAndResume(
  site: Site,
  {
    folder,
    settings,
    signal,
  }: { readonly folder: string; readonly settings: Settings; readonly signal: NodeJS.Signals },
) {
  const out = join(folder, 'pages.jsonl');
  site.hold();
  await using command = startQuern(folder, buildCrawlCommand(site, '--out', out), settings);
  await untilWritten(out, 5);
  command.signal(signal);
  const code = await command.ended;
  site.letGo();
  if (signal === 'SIGKILL') await appendFile(out, '{"url":"http://half');
  const early = signal === 'SIGKILL' ? [] : await urlsIn(out);
  const resumed = await runHere(folder, buildCrawlCommand(site, '--out', out, '--resume'), settings);
  return { out, code, early, said: command.err(), resumed };
}

suite('quern crawl', { concurrency: 2 }, () => {
  test('each page is written once as JSON Lines, with a summary of skipped URLs and their reasons', async () => {
    await using site = await openHoldingSite();
    await inTemporaryFolder(async (folder) => {
      const out = join(folder, 'sub/pages.jsonl');
      const { code, out: said, err } = await runQuern(folder, buildCrawlCommand(site, '--out', out), site.settings);
      assert.deepEqual([code, said], [0, ''], err);
      assert.deepEqual((await urlsIn(out)).toSorted(), allUrls(site));
      assert.match(err, /^quern: following job_\w+; Ctrl-C leaves it, --resume continues\n/);
      assert.match(err, /\n\d+ pages? · .*\/s · .*\d errors? · \d+ credits? · ETA /);
      assert.match(err, /\nquern: 41 pages · complete \(exhausted\) · 82 credits · \d+:\d\d\n/);
      assert.match(err, /\nquern: 1 error: not_found 1\n/);
      assert.ok(err.endsWith(`\nquern: written to ${out}\n`), err);
      assert.deepEqual(await readdir(join(folder, 'sub')), ['pages.jsonl']);
      const again = await runHere(folder, buildCrawlCommand(site, '--out', out), site.settings);
      assert.deepEqual([again.code, again.out], [2, '']);
      assert.match(again.err, /^quern: invalid_request: --out: .*pages.jsonl exists already: .*--resume\n$/);
      const ended = await runHere(folder, ['crawl', '--resume', '--out', out], site.settings);
      assert.equal(ended.code, 2);
      assert.match(ended.err, /nothing to resume: .*pages.jsonl.quern nor .*a finished download has none/);
    });
  });

  test('without --out, pages go to stdout, --quiet hides progress, and --json prints the whole response', async () => {
    await using site = await openHoldingSite();
    await inTemporaryFolder(async (folder) => {
      const quiet = await runQuern(folder, buildCrawlCommand(site, '--quiet'), site.settings);
      assert.deepEqual([quiet.code, quiet.err], [0, '']);
      assert.deepEqual(toUrls(quiet.out).toSorted(), allUrls(site));
      const small = ['crawl', `${site.origin}/`, '--max-pages', '3', '--delay-ms', '0', '--json'];
      const whole = await runHere(folder, small, site.settings);
      assert.equal(listAt(JSON.parse(whole.out), 'pages').length, 3);
      const both = await runHere(folder, [...small, '--out', join(folder, 'x.jsonl')], site.settings);
      assert.deepEqual([both.code, both.out], [2, '']);
      assert.match(both.err, /--out: .*--json prints the whole answer to standard output at the end/);
    });
  });

  test('Ctrl-C leaves complete lines and a hint, and --resume writes the remaining pages once', async () => {
    await using site = await openHoldingSite();
    await inTemporaryFolder(async (folder) => {
      const { settings } = site;
      const { out, code, early, said, resumed } = await breakAndResume(site, { folder, settings, signal: 'SIGINT' });
      assert.equal(code, 130);
      assert.match(said, /\nquern: (job_\w+) waits in the queue: quern crawl --resume --out \S+ resumes it, quern/);
      assert.ok(early.length > 0 && early.length < PAGES);
      assert.equal(resumed.code, 0, resumed.err);
      const urls = await urlsIn(out);
      assert.deepEqual(urls.slice(0, early.length), early);
      assert.deepEqual(urls.toSorted(), allUrls(site));
    });
  });

  test('--resume without a service repairs a line that kill -9 cut off', async () => {
    await using site = await openHoldingSite();
    await inTemporaryFolder(async (folder) => {
      const { settings } = site;
      const { out, resumed } = await breakAndResume(site, { folder, settings, signal: 'SIGKILL' });
      assert.equal(resumed.code, 0, resumed.err);
      assert.deepEqual((await urlsIn(out)).toSorted(), allUrls(site));
      assert.match(resumed.err, /\nquern: 41 pages · complete \(exhausted\) · 82 credits · /);
    });
  });

  test('a crawl on a service continues when nobody follows it, and --resume writes the missing pages', async () => {
    await using site = await openHoldingSite();
    await inTemporaryFolder(async (folder) => {
      await using service = await serveQuern(folder, site.settings);
      const settings = { QUERN_URL: service.origin, QUERN_API_KEY: KEY };
      const { out, code, said, resumed } = await breakAndResume(site, { folder, settings, signal: 'SIGINT' });
      assert.equal(code, 130);
      const id = /\nquern: (job_\w+) continues: .* quern jobs cancel \1 stops it\n/.exec(said)?.[1];
      assert.ok(id !== undefined, said);
      assert.equal(resumed.code, 0, resumed.err);
      assert.deepEqual((await urlsIn(out)).toSorted(), allUrls(site));
      // The same job again from the start, into a folder.
      const tree = await runHere(folder, ['crawl', id, '--resume', '--out', join(folder, 'tree')], settings);
      assert.equal(tree.code, 0, tree.err);
      assert.equal((await filesIn(join(folder, 'tree'))).length, PAGES + 1);
      const other = await runHere(folder, ['map', id, '--resume'], settings);
      assert.deepEqual([other.code, other.out], [2, '']);
      assert.match(other.err, /is a job of crawl/);
    });
  });

  test('--resume continues an interrupted folder, retains its files, and rejects different options', async () => {
    await using site = await openHoldingSite();
    await inTemporaryFolder(async (folder) => {
      const out = join(folder, 'tree');
      site.hold();
      await using command = startQuern(folder, buildCrawlCommand(site, '--out', out), site.settings);
      for (;;) {
        if ((await filesIn(out).catch(() => [])).filter((name) => name.endsWith('.md')).length > 5) break;
        await wait(20);
      }
      command.signal('SIGKILL');
      await command.ended;
      site.letGo();
      const fresh = await runHere(folder, buildCrawlCommand(site, '--out', out), site.settings);
      assert.match(fresh.err, /invalid_request: --out: .*tree is unfinished: resume it with --resume/);
      const otherwise = await runHere(
        folder,
        buildCrawlCommand(site, '--out', out, '--resume', '--scope', 'path'),
        site.settings,
      );
      assert.match(otherwise.err, /invalid_request: --resume: .*tree belongs to job_\w+, which has other options/);
      assert.deepEqual([fresh.code, otherwise.code], [2, 2]);
      const resumed = await runHere(folder, ['crawl', '--resume', '--out', out], site.settings);
      assert.equal(resumed.code, 0, resumed.err);
      const host = `127.0.0.1_${site.port}`;
      const names = ['index', ...Array.from({ length: PAGES }, (_, at) => `page-${at}`)];
      assert.deepEqual(await filesIn(out), names.map((name) => `${host}/${name}.md`).toSorted());
      assert.match(
        await readFile(join(out, host, 'page-7.md'), 'utf8'),
        /^---\nurl: "http:\/\/127\.0\.0\.1:\d+\/page-7"\ntitle: "\/page-7"\nfetched: "\d{4}-\d\d-\d\dT[\d:.]+Z"\n---\n\nThe page \/page-7\.\n$/,
      );
    });
  });

  test('a crawl that fails or cannot be written leaves no files, and its exit code gives the reason', async () => {
    await using site = await openHoldingSite();
    await inTemporaryFolder(async (folder) => {
      const run = async (...args: readonly string[]) => runHere(folder, args, site.settings);
      const failed = await run('crawl', `${site.origin}/picture`, '--out', join(folder, 'no'));
      assert.deepEqual([failed.code, failed.out], [6, ''], failed.err);
      assert.match(failed.err, /\nquern: unsupported_content: /);
      const refused = await run('crawl', `${site.origin}/`, '--max-depth', 'deep', '--out', join(folder, 'no.jsonl'));
      assert.match(refused.err, /invalid_request: max_depth: /);
      await writeFile(join(folder, 'file'), '');
      for (const [args, says] of [
        [['--out', join(folder, 'pages.json')], /neither FILE.jsonl nor a folder/],
        [['--format', 'markdown'], /needs --out FOLDER/],
        [['--format', 'csv'], /must be one of jsonl, markdown/],
        [['--out', join(folder, 'no'), '--output', 'links'], /a folder can only contain markdown/],
        [['--out', ''], /out: is empty/],
        [['--out', '/proc/pages.jsonl'], /--out: \/proc\/pages\.jsonl cannot be written: ENOENT/],
        [['--out', join(folder, 'file', 'pages')], /--out: .*file\/pages cannot be written: ENOTDIR/],
      ] as const) {
        const { code, err } = await run('crawl', `${site.origin}/`, ...args);
        assert.equal(code, 2);
        assert.match(err, says);
      }
      assert.match(
        (await run('crawl', '--resume')).err,
        /needs the --out path of the interrupted command, or its job id/,
      );
      const left = (await readdir(folder)).filter((name) => name.startsWith('no') || name.startsWith('pages'));
      assert.deepEqual(left, []);
    });
  });

  test('on a terminal progress redraws one line, and the command ends when its reader closes the pipe', async () => {
    await using site = await openHoldingSite();
    await inTemporaryFolder(async (folder) => {
      const settings = { QUERN_DATA_DIR: folder, ...site.settings };
      const line = `'${process.execPath}' '${PROGRAM}' ${buildCrawlCommand(site, '--out', 'pages.jsonl').join(' ')}`;
      const { out } = await runToEnd('script', ['-qfec', line, '/dev/null'], { cwd: folder, settings });
      assert.ok(out.includes('\r\u001B[2K'), out);
      assert.match(out, /\[2K\d+ pages? · .*\/s · /);
      assert.match(out, /\nquern: 41 pages · complete/);
      const piped = `'${process.execPath}' '${PROGRAM}' ${buildCrawlCommand(site).join(' ')} | head -n 1 | wc -l`;
      const head = await runToEnd('bash', ['-c', `set -o pipefail; ${piped}`], { cwd: folder, settings });
      assert.deepEqual([head.code, head.out.trim()], [0, '1'], head.err);
    });
  });
});

suite('quern map', { concurrency: 2 }, () => {
  test('URLs are printed one per line, or as JSON or JSON Lines with their metadata', async () => {
    await using site = await openHoldingSite();
    await inTemporaryFolder(async (folder) => {
      const args = ['map', `${site.origin}/`, '--max-urls', '10', '--delay-ms', '0'];
      const text = await runHere(folder, args, site.settings);
      assert.equal(text.code, 0, text.err);
      const urls = text.out.trimEnd().split('\n');
      assert.equal(urls.length, 10);
      assert.match(text.err, /\nquern: 10 URLs of \d+ found · not complete \(max_urls\) · 2 credits · /);
      const json = await runHere(folder, [...args, '--format', 'json', '--quiet'], site.settings);
      const list: unknown = JSON.parse(json.out);
      assert.ok(Array.isArray(list));
      assert.deepEqual(
        list.map((one) => textAt(one, 'url')),
        urls,
      );
      const out = join(folder, 'urls.jsonl');
      const file = await runHere(folder, [...args, '--out', out], site.settings);
      assert.deepEqual([file.code, file.out], [0, '']);
      assert.deepEqual(await urlsIn(out), urls);
    });
  });

  test('after Ctrl-C on a map, --resume with its file or job id writes the whole map', async () => {
    await using site = await openHoldingSite();
    await inTemporaryFolder(async (folder) => {
      const out = join(folder, 'urls.txt');
      site.hold();
      const args = ['map', `${site.origin}/`, '--max-urls', '41', '--delay-ms', '0', '--out', out];
      await using command = startQuern(folder, args, site.settings);
      await command.waitForOutput('read · ');
      command.signal('SIGINT');
      assert.equal(await command.ended, 130);
      site.letGo();
      const id = /quern: (job_\w+) waits in the queue: quern map --resume --out /.exec(command.err())?.[1];
      assert.ok(id !== undefined, command.err());
      const resumed = await runHere(folder, ['map', '--resume', '--out', out], site.settings);
      assert.equal(resumed.code, 0, resumed.err);
      const urls = (await readFile(out, 'utf8')).trimEnd().split('\n');
      assert.equal(new Set(urls).size, 41);
      const again = await runHere(folder, ['map', '--resume', id, '--quiet'], site.settings);
      assert.deepEqual([again.code, again.err, again.out.trimEnd().split('\n')], [0, '', urls]);
    });
  });
});

/** Paths that try to escape the folder or that some file systems reject; each page has its own text. */
const HOSTILE = [
  '/../../etc/passwd',
  '/%2e%2e/%2e%2e/etc',
  '/..%2f..%2fetc',
  '/%2e%2e%5c%2e%2e%5cetc',
  '/nul%00byte',
  '/CON',
  '/con.txt',
  '/a/aux/b',
  `/${'x'.repeat(300)}`,
  `/${'x'.repeat(300)}y`,
  `/${'%F0%9F%A6%89'.repeat(100)}`,
  `/${'deep/'.repeat(300)}end`,
  '/%F0%9F%A6%89',
  '/Case',
  '/case',
  '/CASE/page',
  '/case/page',
  '/a.md',
  '/a.md/b',
  '/a',
  '/a.html',
  '/a/',
  '/a/index',
  '/q?x=1',
  '/q?x=2',
  '//double//slash',
  '/.git/config',
  '/.quern-crawl.json',
  '/%E2%80%AEgpj.exe',
  '/dot.',
  '/space%20',
  '/%ff%fe',
  '/-rf',
  '/~root',
] as const;

test('no URL path escapes the output folder, and no page overwrites the file of another', async () => {
  const said = new Map<string, string>();
  await using site = await startHttpServer(({ url = '/' }, response) => {
    said.set(url, `Page number ${said.size} of the hostile site, which is ${url.length} long.`);
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<p>${said.get(url)}`);
  });
  await inTemporaryFolder(async (folder) => {
    const out = join(folder, 'a/b/tree');
    const urls = HOSTILE.flatMap((path) => ['--urls', site.origin + path]);
    const settings = { QUERN_ALLOW_TARGETS: `127.0.0.1:${site.port}` };
    const args = ['crawl', ...urls, '--delay-ms', '0', '--no-respect-robots', '--out', out];
    const { code, err } = await runHere(folder, args, settings);
    assert.equal(code, 0, err);
    const files = await filesIn(join(folder, 'a'));
    assert.equal(files.length, said.size);
    assert.equal(new Set(files.map((file) => file.toLowerCase())).size, files.length);
    const texts = new Set<string>();
    for (const file of files) {
      assert.ok(file.startsWith(`b/tree/127.0.0.1_${site.port}/`) && file.endsWith('.md'), file);
      for (const name of file.split('/')) assert.ok(Buffer.byteLength(name) <= 200, name);
      texts.add(/\n\n(.*)\n$/.exec(await readFile(join(folder, 'a', file), 'utf8'))?.[1] ?? '');
    }
    assert.deepEqual(texts, new Set(said.values()));
  });
});

test('nothing is written through a symbolic link in the output folder', async () => {
  await using site = await openHoldingSite();
  await inTemporaryFolder(async (folder) => {
    const [out, outside] = [join(folder, 'tree'), join(folder, 'outside')];
    await Promise.all([mkdir(outside), mkdir(out)]);
    site.hold();
    await using command = startQuern(folder, buildCrawlCommand(site, '--out', out), site.settings);
    const host = join(out, `127.0.0.1_${site.port}`);
    for (;;) {
      if ((await filesIn(out)).some((name) => name.endsWith('.md'))) break;
      await wait(20);
    }
    command.signal('SIGINT');
    assert.equal(await command.ended, 130);
    site.letGo();
    await rm(host, { recursive: true });
    await symlink(outside, host);
    const { code, err } = await runHere(folder, ['crawl', '--resume', '--out', out], site.settings);
    assert.equal(code, 2);
    assert.match(err, /invalid_request: --out: .* is not a real folder; nothing is written through links\n$/);
    assert.deepEqual(await readdir(outside), []);
    assert.ok((await lstat(host)).isSymbolicLink());
  });
});
