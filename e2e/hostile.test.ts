import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { at, listAt, textAt } from '#support/members.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { openWorldApart, type WorldApart } from '#support/world.ts';

type Hostile = { readonly type: string | null; readonly body: string | Uint8Array };

const pages = new Map<string, Hostile>();
const asked: string[] = [];
const site = await startHttpServer(({ url }, response) => {
  asked.push(url ?? '');
  const page = pages.get(url ?? '');
  if (page?.type !== null) response.setHeader('content-type', page?.type ?? 'text/plain');
  response.end(page?.body);
});
let world: WorldApart;
before(async () => {
  world = await openWorldApart({ QUERN_ALLOW_TARGETS: new URL(site.origin).host });
});
after(async () => {
  await world.close();
  await site[Symbol.asyncDispose]();
});

/** Fetches a page with these bytes. */
async function serve(body: string | Uint8Array, options: Options = {}) {
  const { type = 'text/html; charset=utf-8', ...rest } = options;
  const path = `/${pages.size}`;
  pages.set(path, { type, body });
  return world.fetch(site.origin + path, rest);
}

type Options = Readonly<Record<string, unknown>> & { readonly type?: string | null };

/** The response for a page that must be readable; the service must still respond afterwards. */
async function read(body: string | Uint8Array, options: Options = {}): Promise<unknown> {
  const answer = await serve(body, options);
  assert.equal(answer.status, 200, JSON.stringify(answer.body).slice(0, 300));
  assert.equal((await world.fetch('/articles/bridge-closed-on-sunday')).status, 200);
  return answer.body;
}

suite('hostile pages', { concurrency: 2 }, () => {
  test('a page of any nesting depth is read, including its text', async () => {
    const nested: readonly (readonly [string, string])[] = [
      ['<div>'.repeat(10_000), ''],
      ['<div>'.repeat(100_000), ''],
      ['<div>'.repeat(1_000_000), ''],
      ['<table><tr><td>'.repeat(20_000), ''],
      ['<svg>'.repeat(50_000), '</svg>'.repeat(50_000)],
      ['<b><i><p>'.repeat(5_000), '</b></i>'.repeat(5_000)],
      ['<ul><li>'.repeat(20_000), ''],
      ['<blockquote>'.repeat(20_000), ''],
    ];
    for (const [open, close] of nested) {
      const body = await read(`<title>t</title>${open}${close}rye`, {
        output: ['markdown', 'text'],
        only_main_content: false,
      });
      assert.match(textAt(body, 'text'), /rye/, open.slice(0, 20));
    }
  });

  test('floods of character references, comments and end tags are read in one pass', async () => {
    const floods: readonly (readonly [string, RegExp])[] = [
      ['&amp;'.repeat(5 * 2 ** 20 - 4), /^&&/],
      ['<!--'.repeat(1_000_000), /^$/],
      ['rye</'.repeat(1_000_000), /^rye/],
      ['<a href="'.repeat(300_000), /^$/],
      ['<!DOCTYPE '.repeat(300_000), /^$/],
    ];
    for (const [flood, text] of floods) {
      const body = await read(flood, { output: ['text'], only_main_content: false, max_chars: 1000 });
      assert.match(textAt(body, 'text'), text);
    }
  });

  test('text that slows Markdown parsers is escaped, and the text output is unchanged', async () => {
    for (const piece of ['a_', '[ (](', '![[]()', '`', '*a_ ', '<!--', '> ', '\\', '[a](<b', '**x']) {
      const text = `q${piece.repeat(25_000)}q`;
      const body = await read(`<p>${text.replaceAll('<', '&lt;')}</p>`, { output: ['text', 'markdown'] });
      const flat = text.replaceAll(/\s+/g, ' ');
      assert.equal(textAt(body, 'text').trim(), flat);
      assert.ok(textAt(body, 'markdown').length >= flat.length);
    }
  });

  test('unusual characters are returned unchanged, and NUL is removed', async () => {
    const odd = 'a\u202Eb\u200B\u200Bc\u0301\u0301\u0301d\u{1F33E}e\uFFFEf\uE000g';
    const body = await read(`<title>${odd}\u0000</title><p>${odd}\u0000h</p>`, { output: ['text', 'markdown'] });
    assert.ok(textAt(body, 'text').includes(odd));
    assert.ok(!JSON.stringify(body).includes('\\u0000'));
  });

  test('bytes decide the type if the header does not; images and binaries are never parsed as pages', async () => {
    const html = '<!doctype html><title>t</title><p>rye</p>';
    assert.equal(textAt(await read(html, { type: null, output: ['text'] }), 'text'), 'rye\n');
    assert.equal(textAt(await read(html, { type: 'application/octet-stream', output: ['text'] }), 'text'), 'rye\n');
    assert.match(textAt(await read(html, { type: 'text/plain', output: ['text'] }), 'text'), /<p>rye<\/p>/);
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    const drawn = await read(svg, { type: 'image/svg+xml', output: ['html'] });
    assert.doesNotMatch(textAt(drawn, 'html'), /<script|<svg/);
    for (const [type, bytes] of [
      ['image/png', html],
      ['image/gif', 'GIF89a/*\u0001*/=1;alert(1)'],
      ['text/html', 'GIF89a\u0001\u0000\u0001\u0000\u0000'],
      ['application/octet-stream', '\u0000\u0001\u0002MZ'],
    ] as const) {
      const { status, body } = await serve(bytes, { type });
      assert.deepEqual([status, at(body, 'error.code')], [502, 'unsupported_content'], type);
    }
  });

  test('JSON pages of any depth, size and shape are read', async () => {
    for (const json of [
      `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`,
      `[${'1,'.repeat(1_000_000)}1]`,
      '{"a":1,"a":2,"__proto__":{"x":1},"b":1e400}',
      '{"a":NaN}',
      '\uFEFF{"a":1}',
      '{"a":1}\n{"a":2}',
    ]) {
      const body = await read(json, { type: 'application/json', max_chars: 1000 });
      assert.match(textAt(body, 'markdown'), /^```json\n/);
    }
    const asHtml = await read('{"a":"rye"}', {
      output: ['json'],
      extract: { a: { json_path: '$.a', type: 'string' } },
    });
    assert.deepEqual(at(asHtml, 'json'), { a: 'rye' });
  });

  test('links and images on private networks are listed but not fetched', async () => {
    asked.length = 0;
    const page = `<base href="http://169.254.169.254/"><link rel="icon" href="/icon"><meta property="og:image" content="/og">
      <link rel="alternate" hreflang="de" href="/de"><main><h1>Rye</h1><p><a href="meta-data">a</a><img src="i.png" alt="i"></p></main>`;
    const body = await read(page, { output: ['links', 'images', 'metadata'] });
    assert.deepEqual(
      listAt(body, 'links').map((link) => at(link, 'url')),
      ['http://169.254.169.254/meta-data'],
    );
    assert.equal(listAt(body, 'attempts').length, 1);
    const followed = await world.fetch('http://169.254.169.254/meta-data');
    assert.deepEqual([followed.status, at(followed.body, 'error.code')], [400, 'invalid_request']);
    const script = await read('<base href="javascript:alert(1)//"><main><h1>Rye</h1><a href="x">x</a></main>', {
      output: ['links'],
    });
    assert.doesNotMatch(JSON.stringify(at(script, 'links')), /javascript/);
    assert.equal(new Set(asked).size, asked.length, 'each page was asked for once');
    assert.ok(
      asked.every((path) => pages.has(path)),
      'and nothing else',
    );
  });
});
