import { strict as assert } from 'node:assert';
import { type IncomingHttpHeaders, request } from 'node:http';
import { after, before, test } from 'node:test';
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { startSite, type DemoSite } from '#demo/site.ts';

type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer };

let site: DemoSite;
before(async () => {
  site = await startSite({ port: 0 });
});
after(() => site.close());

/** One HTTP exchange without redirects or decoding. */
async function get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  request(`${site.origin}${path}`, { headers, agent: false }, (response) => {
    const parts: Buffer[] = [];
    response.on('data', (part: Buffer) => parts.push(part));
    response.on('end', () =>
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
    );
  })
    .on('error', reject)
    .end();
  return promise;
}

async function read(path: string): Promise<string> {
  return (await get(path)).body.toString('utf8');
}

async function fetchLocation(path: string): Promise<string> {
  return (await get(path)).headers.location ?? '';
}

test('the front page leads to every article, and every link within the site works', async () => {
  const seen = new Set(['/']);
  for (const path of seen) {
    const answer = await get(path);
    assert.ok(answer.status === 200 || path === '/members', `${path} answered ${answer.status}`);
    // The long article is a saved page; its menus lead to sections that this small site does not have.
    if (path === '/articles/a-year-at-the-mill') continue;
    for (const [, link] of answer.body.toString('utf8').matchAll(/(?:href|src)="(\/[^"]*)"/g)) if (link) seen.add(link);
  }
  for (const slug of [
    'the-wheel-turns-again',
    'grain-prices-this-autumn',
    'measuring-a-grind',
    'keeping-a-rye-starter',
  ])
    assert.ok(seen.has(`/articles/${slug}`), slug);
});

test('the long article has the size that the benchmarks mention', async () => {
  const { body } = await get('/articles/a-year-at-the-mill');
  assert.ok(body.length > 44_000 && body.length < 47_000, String(body.length));
});

test('an article has JSON-LD and OpenGraph data', async () => {
  const page = await read('/articles/the-wheel-turns-again');
  const described: unknown = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(page)?.[1] ?? '');
  assert.partialDeepStrictEqual(described, { '@type': 'NewsArticle', headline: 'The wheel turns again' });
  assert.match(page, /<meta property="article:published_time" content="2026-10-17T11:30:00\+02:00">/);
});

test('a product has its price in JSON-LD, microdata and OpenGraph', async () => {
  const page = await read('/shop/whole-rye-flour');
  assert.match(page, /"price":"4\.90","priceCurrency":"EUR"/);
  assert.match(page, /itemprop="price" content="4\.90"/);
  assert.match(page, /property="product:price:amount" content="4\.90"/);
});

test('feeds, sitemap and robots.txt contain the actual origin of the site', async () => {
  for (const path of ['/feed.xml', '/atom.xml', '/sitemap.xml', '/robots.txt'])
    assert.ok((await read(path)).includes(`${site.origin}/`), path);
});

test('images match their content type', async () => {
  const png = await get('/images/sieves.png');
  assert.equal(png.headers['content-type'], 'image/png');
  assert.equal(png.body.toString('latin1', 1, 4), 'PNG');
  assert.equal(png.body.readUInt32BE(16), 64);
  assert.match(await read('/images/wheel.svg'), /^<svg .*width="320" height="200"/);
});

test('blocked pages return the status in their path', async () => {
  for (const status of [403, 429, 999]) assert.equal((await get(`/blocked/${status}`)).status, status);
  const challenge = await get('/blocked/503');
  assert.equal(challenge.status, 503);
  assert.equal(challenge.headers['cf-mitigated'], 'challenge');
});

test('missing, broken and locked pages have a body', async () => {
  for (const [path, status] of [
    ['/nowhere', 404],
    ['/broken', 500],
    ['/members', 401],
  ] as const) {
    const answer = await get(path);
    assert.equal(answer.status, status);
    assert.match(answer.body.toString('utf8'), /<h1>/);
  }
});

test('the redirect chain has the requested length and ends at an article', async () => {
  let path = '/redirect/chain?left=4';
  let hops = 0;
  while (path.startsWith('/redirect')) {
    path = (await get(path)).headers.location ?? '';
    hops++;
  }
  assert.equal(hops, 4);
  assert.equal(path, '/articles/bridge-closed-on-sunday');
});

test('redirects for tests of the egress guard have the intended targets', async () => {
  assert.equal(await fetchLocation('/redirect/loop'), '/redirect/loop-back');
  assert.equal(await fetchLocation('/redirect/loop-back'), '/redirect/loop');
  assert.equal(await fetchLocation('/redirect/private'), 'http://10.0.0.1/admin');
  assert.equal(await fetchLocation('/redirect/file'), 'file:///etc/hostname');
  assert.match(await fetchLocation('/redirect/schemeless'), /^\/\/127\.0\.0\.1:\d+\/articles\//);
  assert.match(await fetchLocation('/redirect/no-tls'), /^https:\/\/127\.0\.0\.1:\d+\/$/);
});

test('pages in other charsets contain the bytes of that charset', async () => {
  const decode = async (path: string, charset: string) =>
    new TextDecoder(charset, { fatal: true }).decode((await get(path)).body);
  assert.match(await decode('/charset/windows-1251', 'windows-1251'), /Ржаной хлеб/);
  assert.match(await decode('/charset/none', 'windows-1251'), /Мельница мелет рожь/);
  assert.match(await decode('/charset/shift-jis', 'shift_jis'), /水車は水曜日/);
  assert.match(await decode('/charset/utf-16', 'utf-16le'), /two bytes/);
  await assert.rejects(decode('/charset/wrong', 'utf-8'));
  assert.equal((await get('/charset/none')).headers['content-type'], 'text/html');
});

test('compressed pages decompress to the original page', async () => {
  const unpackers = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync, deflate: inflateSync };
  for (const [name, unpack] of Object.entries(unpackers)) {
    const { headers, body } = await get(`/encoded/${name}`);
    assert.equal(headers['content-encoding'], name);
    assert.match(unpack(body).toString('utf8'), new RegExp(`Packed with ${name}`));
  }
});

test('the echo page shows the received headers and cookies', async () => {
  const { body } = await get('/echo', { cookie: 'loaf=rye', 'x-miller': 'Ilse' });
  assert.partialDeepStrictEqual(JSON.parse(body.toString('utf8')), {
    headers: { cookie: 'loaf=rye', 'x-miller': 'Ilse' },
  });
});

test('the counter changes with every visit, and the page of today returns 304 for its ETag', async () => {
  assert.match(await read('/counter'), /number 1 /);
  const second = await get('/counter');
  assert.match(second.body.toString('utf8'), /number 2 /);
  assert.equal(second.headers.etag, '"visit-2"');
  assert.equal((await get('/today', { 'if-none-match': '"today-1"' })).status, 304);
});

test('the empty page has no bytes, and the app shell has no text', async () => {
  assert.equal((await get('/empty')).body.length, 0);
  assert.match(await read('/app'), /<div id="root"><\/div>/);
});

test('a slow page responds after its delay, and closing the site does not wait for it', async () => {
  assert.match(await read('/slow?ms=20'), /rose for 20 ms/);
  const other = await startSite({ port: 0 });
  const lost = fetch(`${other.origin}/slow?ms=30000`);
  const refused = assert.rejects(lost);
  await fetch(`${other.origin}/empty`);
  await other.close();
  await refused;
});

test('a path that contains a host stays on the site', async () => {
  assert.equal((await get('//example.org/')).status, 404);
});
