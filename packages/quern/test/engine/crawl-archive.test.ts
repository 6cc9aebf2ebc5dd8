import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { createHttp } from '#access/http/http.ts';
import { DEFAULT_LIMITS } from '#access/limits.ts';
import type { Visit } from '#access/page.ts';
import { DESKTOP_PROFILE } from '#access/http/browser-headers.ts';
import { toUuid } from '#kernel/ids.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { onEveryStore } from '../support/store.ts';
import { guardWith } from '#testkit/visitor.ts';
import { type WarcEntry, readWarc } from '../support/warc.ts';
import { type Gate, type GateOptions, withGate } from './gate.ts';
import { listStoredObjects } from '../support/engine/listing.ts';
import { checkBooks, openJobTools, getOperation, runClaimed } from '../support/engine/queue.ts';
import { hangsAt } from '../support/engine/crawl-modes.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';

/** The paths of a real site: bodies, content codings and redirects. */
const PAGES: Readonly<Record<string, string>> = {
  '/': '<title>Mill</title><a href="/rye">rye</a><a href="/old">old</a><a href="/packed">packed</a><a href="/gone">gone</a>',
  '/rye': '<title>Rye</title><main><p>Rye is milled on Mondays.</p></main><a href="/">home</a>',
  '/new': '<title>New</title><main><p>The new page of the mill.</p></main>',
  '/packed': `<title>Packed</title><main><p>${'Spelt, in chunks and packed. '.repeat(40)}</p></main>`,
  '/listed': '<title>Listed</title><main><p>Only the sitemap names this page.</p></main>',
};
const ROBOTS = 'User-agent: *\nAllow: /\nSitemap: /sitemap.xml\n';
const SITEMAP = '<?xml version="1.0"?><urlset><url><loc>/listed</loc></url></urlset>';

const Result = z.looseObject({ pages: z.array(z.looseObject({ final_url: z.string() })) });

type Setting = { readonly gate: Gate; readonly origin: string; readonly site: Site };
type Site = Awaited<ReturnType<typeof openMill>>;

async function openMill(more: Readonly<Record<string, string>> = {}) {
  const asked = new Map<string, number>();
  const site = await startHttpServer((request, response) => {
    const path = request.url ?? '/';
    asked.set(path, (asked.get(path) ?? 0) + 1);
    const found = { ...PAGES, ...more }[path];
    if (path === '/robots.txt') response.writeHead(200, { 'content-type': 'text/plain' }).end(ROBOTS);
    else if (path === '/sitemap.xml')
      response
        .writeHead(200, { 'content-type': 'application/xml' })
        .end(SITEMAP.replace('/listed', `${getOrigin()}/listed`));
    else if (path === '/old') response.writeHead(301, { location: '/new', 'set-cookie': 'way=1' }).end('moved');
    else if (path === '/packed') {
      response.writeHead(200, 'Fine', { 'content-type': 'text/html', 'content-encoding': 'gzip' });
      const bytes = gzipSync(found ?? '');
      response.write(bytes.subarray(0, 20));
      response.end(bytes.subarray(20));
    } else if (found === undefined) response.writeHead(404).end('none');
    else response.writeHead(200, { 'Content-Type': 'text/html' }).end(found);
  });
  function getOrigin(): string {
    return `http://mill.example:${site.port}`;
  }
  return { ...site, origin: getOrigin(), asked };
}

/** A gate with the real tier `http`, for a real site. */
async function withMill(
  options: Omit<GateOptions, 'tierVisits'> & {
    readonly more?: never;
    readonly pages?: Readonly<Record<string, string>>;
    readonly tier?: (visit: Visit) => Visit;
    readonly browser?: Visit;
  },
  work: (setting: Setting) => Promise<void>,
): Promise<void> {
  const { pages, tier = (visit: Visit) => visit, browser, ...rest } = options;
  await using site = await openMill(pages);
  const { guard } = guardWith({
    allow: 'mill.example',
    resolveAllowed: async () => ({ addresses: [{ address: '127.0.0.1', family: 4 }], ttlMs: 1000 }),
  });
  const http = createHttp({
    guard,
    limits: { ...DEFAULT_LIMITS, wireBytes: 3_000_000 },
    profile: DESKTOP_PROFILE,
    clock: SYSTEM_CLOCK,
    authorities: [],
  });
  try {
    await withGate(
      { ...rest, tierVisits: { http: tier(http.visit), ...(browser === undefined ? {} : { browser }) } },
      async (gate) => work({ gate, origin: site.origin, site }),
    );
  } finally {
    await http.close();
  }
}

async function submit({ gate, origin }: Setting, input: object = {}): Promise<string> {
  const { answer, error } = await gate.ask(getOperation('crawl'), {
    url: `${origin}/`,
    delay_ms: 0,
    archive: true,
    ...input,
  });
  if (answer === null) throw error ?? new Error('no answer');
  assert.equal(answer.status, 202);
  return String(answer.body['id']);
}

async function run({ gate }: Setting, worker = 'w1'): Promise<string> {
  const [claimed] = await gate.queue.leases.claim(worker, 1);
  assert.ok(claimed !== undefined);
  return runClaimed(gate, claimed);
}

async function readArchive(gate: Gate, id: string, more: object = {}): Promise<readonly WarcEntry[]> {
  const { answer, error } = await openJobTools(gate).result(id, { format: 'warc', ...more });
  if (answer === null || answer.stream === null) throw error ?? new Error('no stream');
  assert.equal(answer.stream.type, 'application/warc');
  return readWarc(toBytes(answer.stream.pieces));
}

async function* toBytes(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield Buffer.from(piece);
}

function responses(archive: readonly WarcEntry[], url: string): readonly WarcEntry[] {
  return archive.filter(({ type, uri }) => type === 'response' && uri === url);
}

onEveryStore('an archive has each page once, as served, and the other requested files', async (store) => {
  await withMill({ store }, async (mill) => {
    const { gate, origin, site } = mill;
    const id = await submit(mill);
    assert.equal(await run(mill), 'ok');
    const { pages } = Result.parse((await openJobTools(gate).result(id)).answer?.body);
    assert.deepEqual(
      pages.map(({ final_url: url }) => url.slice(origin.length)).toSorted(),
      Object.keys(PAGES).toSorted(),
    );
    const archive = await readArchive(gate, id);
    for (const { final_url: url } of pages) {
      const [kept, ...twins] = responses(archive, url);
      assert.equal(kept?.payload.toString(), PAGES[url.slice(origin.length)], url);
      assert.deepEqual(twins, [], url);
    }
    const listStatuses = (path: string): readonly unknown[] =>
      responses(archive, origin + path).map(({ status }) => status);
    assert.deepEqual(['/old', '/gone', '/robots.txt', '/sitemap.xml'].map(listStatuses), [[301], [404], [200], [200]]);
    assert.equal(responses(archive, `${origin}/robots.txt`)[0]?.payload.toString(), ROBOTS);
    // Every request to the site is recorded, as many times as it was sent.
    const all = archive.filter(({ type }) => type === 'response').map(({ uri }) => uri.slice(origin.length));
    assert.deepEqual(
      all.toSorted(),
      [...site.asked].flatMap(([path, n]) => Array.from({ length: n }, () => path)).toSorted(),
    );
    await checkBooks(gate);
  });
});

test('an archive starts with a warcinfo record, and has each request with its response', async () => {
  await withMill({}, async (mill) => {
    const id = await submit(mill, { respect_robots: false });
    assert.equal(await run(mill), 'ok');
    const [info, ...rest] = await readArchive(mill.gate, id);
    assert.equal(info?.type, 'warcinfo');
    assert.equal(info.id, `<urn:uuid:${toUuid(id)}>`);
    const said = info.payload.toString();
    assert.match(said, /^software: Quern\/0\.0\.0\r\nformat: WARC File Format 1\.1\r\n/);
    assert.match(said, new RegExp(`\r\nisPartOf: ${id}\r\nrobots: ignore\r\n$`));
    const answers = new Map(rest.filter(({ type }) => type === 'response').map((one) => [one.id, one]));
    const requests = rest.filter(({ type }) => type === 'request');
    assert.equal(requests.length * 2, rest.length);
    assert.equal(answers.size, requests.length);
    for (const { concurrentTo, uri, date, ip, warcinfo, fields } of requests) {
      const answer = answers.get(concurrentTo ?? '');
      assert.deepEqual([answer?.uri, answer?.date, answer?.ip, answer?.warcinfo], [uri, date, ip, warcinfo]);
      assert.deepEqual([ip, warcinfo], ['127.0.0.1', info.id]);
      assert.equal(fields.get('host'), new URL(uri).host);
      assert.match(date, /^2026-11-21T12:00:00\.\d{3}Z$/);
    }
  });
});

test('an archive stores response heads as received, except for the transfer encoding', async () => {
  await withMill({}, async (mill) => {
    const id = await submit(mill);
    await run(mill);
    const [packed] = responses(await readArchive(mill.gate, id), `${mill.origin}/packed`);
    assert.equal(packed?.fields.get('content-encoding'), 'gzip');
    assert.equal(packed.fields.get('transfer-encoding'), undefined);
    assert.equal(packed.fields.get('x-archive-orig-transfer-encoding'), 'chunked');
  });
});

test('an archive has a rendered page in addition to the response', async () => {
  const shell = '<title>Oats</title><div id="root"></div><script src="/oats.js"></script>';
  const shown = `<title>Oats</title><main><p>${'Oats are rolled, not milled. '.repeat(20)}</p></main>`;
  const browser: Visit = async ({ url }) => ({
    url: url.href,
    status: 200,
    headers: {},
    contentType: 'text/html; charset=utf-8',
    body: new Uint8Array(Buffer.from(shown)),
    wireBytes: 0,
    warnings: [],
  });
  await withMill({ pages: { '/oats': shell }, browser }, async (mill) => {
    const id = await submit(mill, { url: `${mill.origin}/oats` });
    assert.equal(await run(mill), 'ok');
    const archive = await readArchive(mill.gate, id);
    const kept = archive.filter(({ uri }) => uri === `${mill.origin}/oats`);
    assert.deepEqual(
      kept.map(({ type }) => type),
      ['request', 'response', 'resource'],
    );
    assert.deepEqual([kept[1]?.payload.toString(), kept[2]?.payload.toString()], [shell, shown]);
    assert.equal(kept[2]?.warcinfo, archive[0]?.id);
    await checkBooks(mill.gate);
  });
});

test('secrets that the caller sends to the site are masked in all records', async () => {
  await withMill({}, async (mill) => {
    const id = await submit(mill, {
      fetch: {
        headers: { authorization: 'Bearer mill-secret', 'x-api-key': 'mill-secret' },
        cookies: [{ name: 'session', value: 'mill-secret' }],
      },
    });
    assert.equal(await run(mill), 'ok');
    const archive = await readArchive(mill.gate, id);
    const [page] = archive.filter(({ type, uri }) => type === 'request' && uri === `${mill.origin}/`);
    const sent = ['authorization', 'x-api-key', 'cookie'].map((name) => page?.fields.get(name));
    assert.deepEqual(sent, ['********', '********', '********']);
    assert.ok(archive.every(({ fields }) => ![...fields.values()].some((value) => value.includes('mill-secret'))));
  });
});

test('a body that is too large is stored truncated and marked as truncated', async () => {
  await withMill({ pages: { '/rye': 'x'.repeat(4_000_000) } }, async (mill) => {
    const id = await submit(mill);
    assert.equal(await run(mill), 'ok');
    const archive = await readArchive(mill.gate, id);
    const [large] = responses(archive, `${mill.origin}/rye`);
    assert.deepEqual([large?.status, large?.truncated], [200, 'length']);
    assert.ok(archive.filter(({ truncated }) => truncated !== null).length === 1);
  });
});

onEveryStore('a large page is stored as an object and deleted with the result', async (store) => {
  const noise = Array.from({ length: 20_000 }, (_, n) => createHash('sha256').update(String(n)).digest('hex')).join(
    ' ',
  );
  await withMill({ store, pages: { '/rye': noise } }, async (mill) => {
    const { gate } = mill;
    const id = await submit(mill, { output: ['metadata'] });
    assert.equal(await run(mill), 'ok');
    assert.ok((await listStoredObjects(gate)).some((key) => key.endsWith('.warc.gz')));
    const [kept] = responses(await readArchive(gate, id), `${mill.origin}/rye`);
    assert.equal(kept?.payload.toString(), noise);
    // Only objects without a row are deleted.
    await gate.objects?.put(
      (await listStoredObjects(gate))[0]?.replace(/[^/]+$/, 'x.warc.gz') ?? '',
      new Uint8Array(1),
    );
    await gate.results.sweep(new AbortController().signal);
    assert.ok((await listStoredObjects(gate)).every((key) => !key.endsWith('/x.warc.gz')));
    assert.equal(responses(await readArchive(gate, id), `${mill.origin}/rye`).length, 1);
    await openJobTools(gate).cancel(id);
    assert.deepEqual(await listStoredObjects(gate), []);
    assert.deepEqual(await gate.db.query('select seq from result_segments where job_id = $1', [id]), []);
    assert.equal((await openJobTools(gate).result(id, { format: 'warc' })).code, 'result_expired');
  });
});

onEveryStore('a crawl continues its archive after its worker dies, with each stored page once', async (store) => {
  const hung: { death?: ReturnType<typeof hangsAt>['death'] } = {};
  const tier = (visit: Visit): Visit => {
    const { visit: hanging, death } = hangsAt('/packed', visit);
    hung.death = death;
    return hanging;
  };
  await withMill({ store, tier }, async (mill) => {
    const { gate, origin } = mill;
    const id = await submit(mill);
    const zombie = run(mill);
    await hung.death?.came;
    gate.clock.pass(31_000);
    await gate.queue.leases.recover(null, async () => gate.plan);
    gate.clock.pass(1000);
    // Committed records can be read while the crawl runs.
    const early = await readArchive(gate, id, { partial: true });
    assert.equal(early[0]?.type, 'warcinfo');
    assert.equal((await openJobTools(gate).result(id, { format: 'warc' })).code, 'job_not_finished');
    assert.equal(await run(mill, 'w2'), 'ok');
    hung.death?.end();
    assert.equal(await zombie, 'lost');
    const archive = await readArchive(gate, id);
    for (const path of Object.keys(PAGES)) assert.equal(responses(archive, origin + path).length, 1, path);
    assert.ok(early.length > 0 && early.length < archive.length);
    assert.equal(new Set(archive.map((one) => one.id)).size, archive.length);
    await checkBooks(gate);
  });
});

test('a job without an archive says so in every state', async () => {
  await withMill({}, async (mill) => {
    const { gate } = mill;
    const id = await submit(mill, { archive: false, max_pages: 30 });
    assert.equal((await openJobTools(gate).result(id, { format: 'warc' })).code, 'archive_not_kept');
    assert.equal(await run(mill), 'ok');
    const { code, error } = await openJobTools(gate).result(id, { format: 'warc' });
    assert.equal(code, 'archive_not_kept');
    assert.match(error?.message ?? '', /archive: true/);
    const fetched = await openJobTools(gate).queued({ url: `${mill.origin}/` });
    assert.equal((await openJobTools(gate).result(fetched, { format: 'warc' })).code, 'archive_not_kept');
    assert.deepEqual(await gate.db.query('select seq from result_segments where seq < 0'), []);
  });
});

test('an archive cannot be requested in pages', async () => {
  await withMill({}, async (mill) => {
    const id = await submit(mill);
    await run(mill);
    for (const more of [{ limit: 1 }, { cursor: 'x' }]) {
      assert.equal((await openJobTools(mill.gate).result(id, { format: 'warc', ...more })).code, 'invalid_request');
    }
  });
});

onEveryStore('the exchanges of a helper process are archived too', async (store) => {
  const links = Array.from({ length: 200 }, (_, n) => `<a href="/p${n}">${n}</a>`).join('');
  const pages = {
    '/': links,
    ...Object.fromEntries(
      Array.from({ length: 200 }, (_, n) => [`/p${n}`, `<p>Page ${n} of the mill has ${n} sacks.`]),
    ),
  };
  const hung: { death?: ReturnType<typeof hangsAt>['death'] } = {};
  const tier = (visit: Visit): Visit => {
    const { visit: hanging, death } = hangsAt('/p3', visit);
    hung.death = death;
    return hanging;
  };
  await withMill({ store, pages, tier }, async (mill) => {
    const { gate, origin } = mill;
    const id = await submit(mill, { max_pages: 1000, dedupe_content: false });
    const own = run(mill);
    await hung.death?.came;
    const input = { url: `${origin}/`, delay_ms: 0, archive: true, max_pages: 1000, dedupe_content: false };
    await gate.assist({ kind: 'crawl', input, jobId: id });
    hung.death?.end();
    assert.equal(await own, 'ok');
    const archive = await readArchive(gate, id);
    for (let n = 0; n < 200; n += 1) assert.equal(responses(archive, `${origin}/p${n}`).length, 1, String(n));
    // Each process that visited a page has fetched them.
    const files = responses(archive, `${origin}/robots.txt`).length;
    assert.ok(files === 1 || files === 2, `${files} times`);
  });
});
