import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { platform } from 'node:process';
import { suite, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { createParserThreads, PARSER_LIMITS, type ParserLimits } from '#engine/reading/parser-threads.ts';
import type { ReadRequest } from '#extract/reading.ts';
import { ServiceError } from '#kernel/errors.ts';
import { SOURCE_WORKER } from '#features/sites/site-work.ts';
import { buildZip } from '#testkit/office.ts';
import { buildPdf } from '#testkit/pdf.ts';
import { buildMarkdownRequest } from '#testkit/read-request.ts';
import { ignore } from '../support/store.ts';

/** A page whose parsing takes many times the limits below, in bounded memory. */
const SLOW = '<table><tr><td>&amp;<p><b>x'.repeat(400_000);

const MILL = { tenant: 'mill', weight: 1 };

function requestFor(html: string | Uint8Array<ArrayBuffer>): ReadRequest {
  return buildMarkdownRequest(typeof html === 'string' ? new TextEncoder().encode(html) : html);
}

function openWith(limits: Partial<ParserLimits>) {
  const parsing = createParserThreads(SOURCE_WORKER, SYSTEM_CLOCK, { limits: { ...PARSER_LIMITS, ...limits } });
  return {
    readOfSite: async (html: string | Uint8Array<ArrayBuffer>) => {
      const site = {
        xRobotsTag: '',
        depth: 0,
        rules: null,
        wantsTitles: false,
        missing: null,
        keeps: true,
        obeysTags: false,
        hasLogin: false,
      };
      return parsing.readOfSite(
        { ...requestFor(html), ...site },
        { party: MILL, signal: new AbortController().signal },
      );
    },
    read: async (
      html: string | Uint8Array<ArrayBuffer>,
      signal = new AbortController().signal,
      party = MILL,
      onCost: (ms: number) => void = ignore,
    ) =>
      parsing.read(requestFor(html), { party, signal, onCost }).then(
        ({ outputs }) => outputs.markdown,
        (error: unknown) => (error instanceof ServiceError ? error.message : error),
      ),
    [Symbol.asyncDispose]: async () => parsing.close(),
  };
}

/** A PDF of a few hundred kilobytes whose page unpacks to 96 MiB of spaces. */
function bombPdf(): Uint8Array<ArrayBuffer> {
  const packed = deflateSync(Buffer.alloc(96 * 2 ** 20, ' '), { level: 1 });
  const stream = `<< /Filter /FlateDecode /Length ${packed.length} >>\nstream\n${packed.toString('latin1')}\nendstream`;
  return buildPdf([{ shown: [], content: 6 }], { objects: [stream] });
}

suite('parser threads', { concurrency: true }, () => {
  test('pages are parsed in a thread, which returns errors and preserves the order', async () => {
    await using parsing = openWith({});
    const texts = Array.from({ length: 16 }, (_, at) => `<p>Sack ${at} of flour</p>`);
    const order: number[] = [];
    const read = await Promise.all(
      texts.map(async (text, at) => {
        const markdown = await parsing.read(text);
        order.push(at);
        return markdown;
      }),
    );
    assert.deepEqual(
      read,
      texts.map((_, at) => `Sack ${at} of flour\n`),
    );
    assert.deepEqual(order, [...texts.keys()]);
    assert.match(String(await parsing.read('\u0089PNG\u0000\u0001')), /unsupported content type:/);
  });

  test('the stored part of a site page arrives in a transferable buffer of its own', async () => {
    await using parsing = openWith({});
    const { members } = await parsing.readOfSite('<title>Mill</title><p>A sack of rye, milled slowly.</p>');
    assert.ok(members !== null && members.byteLength > 0);
    assert.equal(members.buffer.byteLength, members.byteLength);
  });

  test('a page above its time limit ends only its thread, and the pages behind it are parsed', async () => {
    await using parsing = openWith({ smallBudgetMs: 1500, largeBytes: 100_000_000 });
    const results = await Promise.all([SLOW, '<p>rye</p>', '<p>oat</p>'].map(async (html) => parsing.read(html)));
    assert.deepEqual(results, ['reading this page takes more than 1.5 s', 'rye\n', 'oat\n']);
  });

  test('a page above its memory limit ends only its thread', async () => {
    await using parsing = openWith({ heapMb: 20, largeBytes: 100_000_000, smallBudgetMs: 60_000 });
    const results = await Promise.all([SLOW.slice(0, 4_000_000), '<p>rye</p>'].map(async (html) => parsing.read(html)));
    const large = 'reading this page takes more memory than is allowed';
    assert.deepEqual(results, [large, 'rye\n']);
  });

  test('documents are parsed one at a time in a separate thread, for calls and crawls', async () => {
    await using parsing = openWith({});
    const rye = buildPdf([{ shown: [{ text: 'Rye', x: 72, y: 700 }] }]);
    const texts = await Promise.all([parsing.read(rye), parsing.read(buildZip({ 'a.txt': 'rye' })), parsing.read(rye)]);
    assert.deepEqual(texts, ['Rye\n', 'unsupported content type: application/zip', 'Rye\n']);
    const { members, links } = await parsing.readOfSite(rye);
    assert.match(Buffer.from(members ?? []).toString(), /"markdown":"Rye\\n".*"page_count":1/);
    assert.deepEqual(links.urls, '');
  });

  test('a document that decompresses to too much, or takes too long, ends only its thread', async () => {
    const bomb = bombPdf();
    const rye = buildPdf([{ shown: [{ text: 'Rye', x: 72, y: 700 }] }]);
    await using small = openWith({ outsideMb: 32 });
    const large = 'reading this page takes more memory than is allowed';
    assert.deepEqual(await Promise.all([small.read(bomb), small.read(rye)]), [large, 'Rye\n']);
    await using quick = openWith({ largeBudgetMs: 200 });
    assert.equal(await quick.read(bomb), 'reading this page takes more than 0.2 s');
  });

  test('large pages do not delay small ones', async () => {
    await using parsing = openWith({ largeBytes: 10_000 });
    await Promise.all([parsing.read('<p>warm</p>'), parsing.read(`<p>${'warm '.repeat(4000)}</p>`)]);
    let isRead = false;
    const large = parsing.read(SLOW.slice(0, 2_000_000)).then(() => (isRead = true));
    for (let count = 0; count < 20; count += 1) assert.equal(await parsing.read('<p>rye</p>'), 'rye\n');
    assert.equal(isRead, false);
    await large;
  });

  test('the page of a call goes before the queued pages of a crawl', async () => {
    await using parsing = openWith({});
    await Promise.all([parsing.read('<p>warm</p>'), parsing.readOfSite('<p>warm</p>')]);
    let read = 0;
    const many = Array.from({ length: 1000 }, async (_, at) => {
      await parsing.readOfSite(`<p>Sack ${at}`);
      read += 1;
    });
    const before = await parsing.read('<p>Mine').then((markdown) => ({ markdown, read }));
    assert.equal(before.markdown, 'Mine\n');
    assert.ok(before.read < 500, `${before.read} pages of the crawl were read first`);
    await Promise.all(many);
    assert.equal(read, 1000);
  });

  test('pages of crawls and maps are parsed by two threads', async () => {
    await using parsing = openWith({ smallBudgetMs: 1500, largeBytes: 100_000_000 });
    const slow = parsing.readOfSite(SLOW).catch((error: unknown) => (error instanceof Error ? error.message : error));
    const others = Array.from({ length: 20 }, async (_, at) => parsing.readOfSite(`<title>Sack ${at}</title>`));
    const titles = (await Promise.all(others)).map(({ title }) => title);
    assert.deepEqual(
      titles,
      Array.from({ length: 20 }, (_, at) => `Sack ${at}`),
    );
    assert.equal(await slow, 'reading this page takes more than 1.5 s');
  });

  test('calls that would wait are parsed by a second thread', async () => {
    await using parsing = openWith({ smallBudgetMs: 1500, largeBytes: 100_000_000 });
    await Promise.all(Array.from({ length: 17 }, async () => parsing.read('<p>warm</p>')));
    const order: string[] = [];
    const note = async (name: string, html: string): Promise<void> => {
      await parsing.read(html);
      order.push(name);
    };
    const slow = note('slow', SLOW);
    const calls = Array.from({ length: 15 }, async (_, at) => note(`behind ${at}`, '<p>rye</p>'));
    await Promise.all([slow, ...calls, note('beside', '<p>oat</p>')]);
    assert.ok(order.indexOf('beside') < order.indexOf('slow'), order.join(', '));
  });

  test('pages of a crawl are parsed despite any number of pages of calls', async () => {
    await using parsing = openWith({});
    await Promise.all([parsing.read('<p>warm</p>'), parsing.readOfSite('<p>warm</p>')]);
    let read = 0;
    const calls = Array.from({ length: 1000 }, async (_, at) => {
      await parsing.read(`<p>Sack ${at}`);
      read += 1;
    });
    const before = await parsing.readOfSite('<p>Theirs').then(() => read);
    assert.ok(before < 500, `${before} pages of calls were read first`);
    await Promise.all(calls);
  });

  test('a cancelled call is answered at once, even if its page is queued, and its slot becomes free', async () => {
    await using parsing = openWith({ largeBytes: 100_000_000, smallBudgetMs: 1500 });
    await parsing.read('<p>warm</p>');
    const gone = new AbortController();
    const reason = new Error('gone');
    const left = [SLOW, SLOW, SLOW, '<p>rye</p>'].map(async (html) => parsing.read(html, gone.signal));
    const stays = parsing.read('<p>oat</p>');
    gone.abort(reason);
    assert.deepEqual(await Promise.all(left), [reason, reason, reason, reason]);
    assert.equal(await stays, 'oat\n');
    assert.equal(await parsing.read('<p>late</p>', gone.signal), reason);
  });
});

suite('parser threads of several tenants', { concurrency: true }, () => {
  /** A page that takes half a second to parse. */
  const HEAVY = SLOW.slice(0, 1_200_000);
  const other = { tenant: 'other', weight: 1 };
  const { signal } = new AbortController();

  test('the pages of one tenant do not wait for the many heavy pages of another', async () => {
    await using parsing = openWith({ largeBytes: 100_000_000, smallBudgetMs: 60_000 });
    await Promise.all([parsing.read('<p>warm</p>'), parsing.read('<p>warm</p>', signal, other)]);
    let ended = 0;
    const heavy = Array.from({ length: 8 }, async () => {
      await parsing.read(HEAVY);
      ended += 1;
    });
    for (let count = 0; count < 20; count += 1) assert.equal(await parsing.read('<p>rye</p>', signal, other), 'rye\n');
    assert.ok(ended < 4, `${ended} heavy pages were read first`);
    await Promise.all(heavy);
  });

  test('a page that yields is parsed to its end while others are parsed', async () => {
    await using parsing = openWith({ largeBytes: 100_000_000, smallBudgetMs: 60_000, smallSlowMs: 20 });
    await parsing.read('<p>warm</p>', signal, other);
    const heavy = parsing.read(HEAVY);
    const others = Array.from({ length: 10 }, async () => parsing.read('<p>rye</p>', signal, other));
    assert.deepEqual(
      await Promise.all(others),
      Array.from({ length: 10 }, () => 'rye\n'),
    );
    assert.match(String(await heavy), /x/);
  });

  test('queued pages leave the shared queue once their tenant proves slow', async () => {
    await using parsing = openWith({ largeBytes: 100_000_000, smallBudgetMs: 60_000, smallSlowMs: 20 });
    await parsing.read('<p>warm</p>', signal, other);
    const pages = 8;
    const count = { begun: 0, ended: 0 };
    const heavy = Array.from({ length: pages }, async () => {
      await parsing.read(HEAVY, signal, undefined, () => (count.begun += 1));
      count.ended += 1;
    });
    while (count.ended < pages) assert.equal(await parsing.read('<p>rye</p>', signal, other), 'rye\n');
    await Promise.all(heavy);
    assert.ok(count.begun <= pages + 3, `${count.begun} times a page of ${pages} took the thread`);
  });

  test('with few processors, slow pages yield to the event loop', { skip: platform !== 'linux' }, async () => {
    await using parsing = openWith({ largeBytes: 100_000_000, smallBudgetMs: 60_000, smallSlowMs: 20 });
    await parsing.read(HEAVY);
    await parsing.read('<p>rye</p>', signal, other);
    const heavy = parsing.read(HEAVY);
    await parsing.read('<p>rye</p>', signal, other);
    await heavy;
    assert.ok(nicenessOfThreads().includes(10));
  });
});

/** The nice value of each thread of this process (proc(5): the 17th field after the name). */
function nicenessOfThreads(): readonly number[] {
  return readdirSync('/proc/self/task').map((thread) => {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
  });
}
