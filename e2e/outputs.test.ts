import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { OUTPUTS } from '#extract/reading.ts';
import { at, listAt, textAt } from '#support/members.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { openWorld, type World } from '#support/world.ts';

const WHEEL = '/articles/the-wheel-turns-again';
const RYE = '/shop/whole-rye-flour';

let world: World;
before(async () => {
  world = await openWorld({ QUERN_ALLOW_TARGETS: '127.0.0.2' });
});
after(async () => world.close());

/** The body of a successful fetch. */
async function read(path: string, options: Readonly<Record<string, unknown>> = {}) {
  const { status, body } = await world.fetch(path, options);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

async function refuse(path: string, options: Readonly<Record<string, unknown>> = {}) {
  const { status, body } = await world.fetch(path, options);
  return { status, code: textAt(body, 'error.code'), message: textAt(body, 'error.message'), body };
}

function listCodes(body: unknown): readonly unknown[] {
  return listAt(body, 'warnings').map((warning) => at(warning, 'code'));
}

suite('one page in every output', { concurrency: true }, () => {
  test('a response has exactly the requested outputs', async () => {
    const asked = OUTPUTS.filter((name) => name !== 'json');
    const body = await read(WHEEL, { output: asked, attributes: [{ selector: 'h1', attribute: 'id' }] });
    for (const name of asked) assert.notEqual(body[name], undefined, name);
    assert.match(textAt(body, 'markdown'), /^# The wheel turns again\n/m);
    assert.match(textAt(body, 'text'), /^On Saturday at ten past nine, .*\n/m);
    assert.match(textAt(body, 'html'), /<h1>The wheel turns again<\/h1>/);
    assert.match(textAt(body, 'raw_html'), /^<!doctype html>/i);
    assert.equal(at(body, 'metadata.author'), 'Tomas Reed');
    assert.equal(at(body, 'metadata.published_date'), '2026-10-17');
    assert.ok(listAt(body, 'links').length > 3);
    const one = await read(WHEEL, { output: ['text'] });
    for (const name of OUTPUTS) assert.equal(one[name] !== undefined, ['text', 'metadata'].includes(name), name);
  });

  test('an output without content on the page is present and empty', async () => {
    const body = await read('/charset/windows-1251', { output: ['tables', 'images', 'links', 'structured_data'] });
    assert.deepEqual([body['tables'], body['images'], body['links']], [[], [], []]);
    assert.deepEqual(body['structured_data'], { json_ld: [], microdata: [], rdfa: [], opengraph: {} });
  });

  test('tables, images and structured data are returned as records', async () => {
    const tables = await read('/articles/grain-prices-this-autumn', { output: ['tables'] });
    assert.ok(listAt(tables, 'tables').length > 0);
    const product = await read(RYE, { output: ['structured_data', 'images'] });
    assert.equal(at(product, 'structured_data.json_ld.0.sku'), 'HM-RYE-1000');
    assert.ok(textAt(product, 'images.0.url').startsWith(world.site));
  });

  test('chunks of a page, a batch and a crawl are the same, with stable IDs, and bounds out of range are refused', async () => {
    const chunking = {
      max_tokens: 64,
      overlap_tokens: 8,
      tokenizer: 'cl100k_base',
      heading_depth: 2,
      contextual: true,
    };
    const body = await read(WHEEL, { output: ['chunks', 'markdown'], chunking });
    const chunks = listAt(body, 'chunks');
    assert.ok(chunks.length > 3);
    assert.ok(textAt(body, 'chunks.0.url').startsWith(world.site + WHEEL));
    assert.deepEqual(listAt(body, 'chunks.0.heading_path'), ['The wheel turns again']);
    for (const [index, chunk] of chunks.entries()) {
      assert.match(textAt(chunk, 'id'), /^chk_[\w-]{22}$/);
      assert.match(textAt(chunk, 'content_hash'), /^[\w-]{43}$/);
      assert.match(textAt(chunk, 'text'), /The wheel turns again/);
      assert.ok(Number(at(chunk, 'tokens')) <= 64);
      assert.equal(at(chunk, 'position'), index);
    }
    assert.equal(at(body, 'usage.credits'), at(await read(WHEEL, { output: ['markdown'] }), 'usage.credits'), 'free');
    const urls = [world.site + WHEEL];
    const crawled = await world.call('/v1/crawl', { urls, output: ['chunks'], fetch: { chunking } });
    assert.deepEqual(at(crawled.body, 'pages.0.chunks'), chunks);
    const batch = await world.call('/v1/fetch/batch', { urls, output: ['chunks'], chunking });
    assert.deepEqual(at(batch.body, 'results.0.chunks'), chunks);
    assert.equal(at(batch.body, 'results.0.markdown'), undefined);
    for (const tokens of [0, 1, 1e9]) {
      const { status, message } = await refuse(WHEEL, { output: ['chunks'], chunking: { max_tokens: tokens } });
      assert.equal(status, 400);
      assert.match(message, /chunking\.max_tokens.*whole number from 16 to 100000/);
    }
    const long = await refuse(WHEEL, { output: ['chunks'], chunking: { overlap_tokens: 300 } });
    assert.match(long.message, /overlap_tokens.*at most half of max_tokens/);
    assert.match((await refuse(WHEEL, { chunking: {} })).message, /add chunks to output/);
    const withoutOutput = await world.call('/v1/crawl', { urls, fetch: { chunking } });
    assert.match(textAt(withoutOutput.body, 'error.message'), /add chunks to output to use fetch\.chunking/);
  });

  test('attributes are returned as written, and their parameter and output need each other', async () => {
    const attributes = [
      { selector: 'html', attribute: 'lang' },
      { selector: 'img', attribute: 'data-missing' },
    ];
    const body = await read(RYE, { output: ['attributes'], attributes });
    assert.deepEqual(body['attributes'], [
      { selector: 'html', attribute: 'lang', values: ['en'] },
      { selector: 'img', attribute: 'data-missing', values: [] },
    ]);
    const bare = await refuse(RYE, { output: ['attributes'] });
    assert.deepEqual([bare.status, bare.code], [400, 'invalid_request']);
    assert.match(bare.message, /attributes.* is required for output attributes/);
    assert.match((await refuse(RYE, { attributes })).message, /add attributes to output/);
    const wrong = await refuse(RYE, { output: ['attributes'], attributes: [{ selector: 'a >', attribute: 'href' }] });
    assert.match(wrong.message, /attributes.*not a CSS selector/);
  });

  test('block is accepted on every tier, and refuses unknown and repeated kinds', async () => {
    assert.equal(textAt(await read(RYE, { block: ['ads', 'images'] }), 'attempts.0.tier'), 'http');
    assert.match((await refuse(RYE, { block: ['frames'] })).message, /block/);
    assert.match((await refuse(RYE, { block: ['ads', 'ads'] })).message, /block.*duplicates/);
  });

  test('options of a screenshot that contradict each other are refused', async () => {
    const clip = { x: 0, y: 0, width: 10, height: 10 };
    const output = ['screenshot'];
    const quality = await refuse(RYE, { output, screenshot: { quality: 50 } });
    assert.match(quality.message, /screenshot\.quality.* png/);
    const both = await refuse(RYE, { output, screenshot: { clip, full_page: true } });
    assert.match(both.message, /screenshot\.clip.* full_page/);
    const size = await refuse(RYE, { output, screenshot: { viewport: { width: 99, height: 500 } } });
    assert.match(size.message, /screenshot\.viewport\.width/);
    const element = await refuse(RYE, { output, screenshot: { selector: 'h1', full_page: true } });
    assert.match(element.message, /screenshot\.selector.* full_page or clip/);
    const wrong = await refuse(RYE, { output, screenshot: { selector: 'h1 >' } });
    assert.match(wrong.message, /screenshot\.selector: /);
    assert.deepEqual([quality.status, both.status, size.status, element.status, wrong.status], Array(5).fill(400));
  });

  test('selectors include and exclude parts of the page, and are ignored for content that is not HTML', async () => {
    const kept = await read(RYE, { include_selectors: ['.facts'] });
    assert.match(textAt(kept, 'markdown'), /HM-RYE-1000/);
    assert.doesNotMatch(textAt(kept, 'markdown'), /Median grain/);
    const dropped = await read(RYE, { exclude_selectors: ['.facts'] });
    assert.doesNotMatch(textAt(dropped, 'markdown'), /HM-RYE-1000/);
    assert.match(textAt(dropped, 'markdown'), /Median grain/);
    assert.deepEqual(listCodes(await read('/data/prices.csv', { include_selectors: ['p'] })), ['selectors_ignored']);
  });

  test('only_main_content: false includes the menus', async () => {
    const whole = textAt(await read(WHEEL, { only_main_content: false }), 'markdown');
    assert.ok(whole.length > textAt(await read(WHEEL), 'markdown').length);
  });

  test('extract.fields reads by name and selector, and extract.schema reads structured data', async () => {
    const fields = { price: 'money', stock: { selector: '.stock', type: 'string' }, colour: 'string' };
    const byFields = await read(RYE, { output: ['json'], extract: { fields } });
    assert.deepEqual(byFields['json'], { price: { amount: 4.9, currency: 'EUR' }, stock: 'In stock', colour: null });
    const properties = { sku: { type: 'string' }, colour: { type: ['string', 'null'] } };
    const bySchema = await read(RYE, { output: ['json'], extract: { schema: { type: 'object', properties } } });
    assert.deepEqual(bySchema['json'], { sku: 'HM-RYE-1000', colour: null });
    assert.deepEqual(listCodes(bySchema), ['model_not_configured']);
    const required = { type: 'object', properties: { colour: { type: 'string' } }, required: ['colour'] };
    const unmet = await refuse(RYE, { output: ['json'], extract: { schema: required } });
    assert.deepEqual([unmet.status, unmet.code], [422, 'extraction_failed']);
    assert.match(unmet.message, /colour/);
  });

  test('joined slices are the whole text', async () => {
    const whole = textAt(await read('/articles/a-year-at-the-mill'), 'markdown');
    let joined = '';
    let offset: unknown = 0;
    while (offset !== undefined) {
      const slice = await read('/articles/a-year-at-the-mill', {
        max_chars: 9000,
        offset_chars: offset,
        max_age_ms: 60_000,
      });
      assert.ok(textAt(slice, 'markdown').length <= 9000);
      assert.equal(slice['truncated'], slice['next_offset'] !== undefined);
      assert.equal(listCodes(slice).includes('truncated'), slice['truncated']);
      joined += textAt(slice, 'markdown');
      offset = slice['next_offset'];
    }
    assert.equal(joined, whole);
  });
});

suite('irregular pages', { concurrency: true }, () => {
  test('text is decoded from every charset, and a guessed charset gives a warning', async () => {
    for (const [path, charset, warnings] of [
      ['/charset/windows-1251', 'windows-1251', []],
      ['/charset/shift-jis', 'shift_jis', []],
      ['/charset/utf-16', 'utf-16le', []],
      ['/charset/none', 'windows-1251', ['charset_guessed']],
    ] as const) {
      const body = await read(path);
      assert.match(textAt(body, 'markdown'), /^# (Ржаной хлеб|ライ麦パン|Bread in two bytes)\n/, path);
      assert.equal(textAt(body, 'metadata.charset').toLowerCase(), charset, path);
      assert.deepEqual(listCodes(body), warnings, path);
    }
  });

  test('every content encoding is decoded', async () => {
    for (const coding of ['gzip', 'br', 'zstd', 'deflate']) {
      assert.match(textAt(await read(`/encoded/${coding}`), 'markdown'), new RegExp(`# Packed with ${coding}\\n`));
    }
  });

  test('redirects are followed to the final URL, but not in loops or into private networks', async () => {
    const body = await read('/redirect/chain?left=3');
    assert.equal(body['final_url'], `${world.site}/articles/bridge-closed-on-sunday`);
    assert.equal(body['url'], `${world.site}/redirect/chain?left=3`);
    for (const [path, code] of [
      ['/redirect/chain?left=11', 'unusable_response'],
      ['/redirect/loop', 'unusable_response'],
      ['/redirect/private', 'target_unreachable'],
      ['/redirect/file', 'unusable_response'],
    ] as const) {
      const refusal = await refuse(path);
      assert.deepEqual([refusal.status, refusal.code], [502, code], path);
    }
  });

  test('a target page with an error status is returned with a warning', async () => {
    const missing = await read('/nothing/here');
    assert.deepEqual([missing['status_code'], listCodes(missing)], [404, ['target_error']]);
    assert.match(textAt(missing, 'markdown'), /Nothing is ground here/);
    const members = await read('/members');
    assert.deepEqual([members['status_code'], listCodes(members)], [401, ['target_error', 'login_page']]);
    assert.ok(listCodes(await read('/app')).includes('thin_content'));
  });

  test('blocks, timeouts and refused connections are reported, free and logged with their attempts', async () => {
    for (const [path, options, code, outcome] of [
      ['/blocked/403', {}, 'target_blocked', 'blocked'],
      ['/blocked/429', {}, 'target_blocked', 'rate_limited'],
      ['/blocked/999', {}, 'target_blocked', 'blocked'],
      ['/blocked/503', {}, 'target_blocked', 'challenge'],
      ['/slow?ms=8000', { timeout_ms: 2500 }, 'timeout', 'timeout'],
      ['/redirect/no-tls', {}, 'target_unreachable', 'tls_error'],
    ] as const) {
      const { status, headers, body } = await world.fetch(path, options);
      assert.deepEqual([status, at(body, 'error.code')], [code === 'timeout' ? 504 : 502, code], path);
      assert.equal(headers.get('x-credits-used'), '0');
      const logged = await world.call(`/v1/requests/${textAt(body, 'request_id')}`);
      assert.deepEqual([at(logged.body, 'code'), at(logged.body, 'credits')], [code, 0]);
      assert.equal(at(listAt(logged.body, 'attempts').at(-1), 'outcome'), outcome, path);
    }
  });

  test('a file type without a reader is unsupported content', async () => {
    await using pdf = await startHttpServer(
      (_request, response) => response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-1.7\n'),
      { host: '127.0.0.2' },
    );
    const refusal = await refuse(pdf.origin.replace('127.0.0.1', '127.0.0.2'));
    assert.deepEqual([refusal.status, refusal.code], [502, 'unsupported_content']);
  });
});

suite('headers and cookies', { concurrency: true }, () => {
  test('headers and cookies are sent to the target, but not to another origin that it redirects to', async () => {
    const sent = {
      headers: { 'X-Miller': 'Ilse', Authorization: 'Bearer mill' },
      cookies: [{ name: 'loaf', value: 'rye' }],
      output: ['raw_html'],
    };
    const direct = textAt(await read('/echo', sent), 'raw_html');
    for (const wanted of ['Ilse', 'Bearer mill', 'loaf=rye']) assert.ok(direct.includes(wanted), wanted);
    await using elsewhere = await startHttpServer(
      (_request, response) => response.writeHead(302, { location: `${world.site}/echo` }).end(),
      { host: '127.0.0.2' },
    );
    const redirected = textAt(await read(elsewhere.origin.replace('127.0.0.1', '127.0.0.2'), sent), 'raw_html');
    assert.doesNotMatch(redirected, /Ilse|mill|loaf/);
  });

  test('headers and body of a response report the same credits', async () => {
    const { headers, body } = await world.fetch(WHEEL);
    assert.equal(headers.get('x-request-id'), body['request_id']);
    assert.equal(headers.get('x-credits-used'), String(at(body, 'usage.credits')));
    assert.equal(headers.get('x-credits-base'), String(at(body, 'usage.base')));
    assert.equal(headers.get('x-credits-surcharge'), String(at(body, 'usage.surcharge')));
    assert.equal(headers.get('x-access-tier'), at(body, 'usage.tier'));
    assert.equal(headers.get('x-credits-remaining'), null);
  });
});
