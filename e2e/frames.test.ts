import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, suite, test } from 'node:test';
import { startHttpServer } from '#testkit/servers.ts';
import { buildPdf } from '#testkit/pdf.ts';
import { at, listAt, textAt } from '#support/members.ts';
import { openWorld, type World } from '#support/world.ts';

let world: World;
let origin = '';
let elsewhere = '';
const asked: string[] = [];
const closing = new AsyncDisposableStack();

const PROSE = 'The mill grinds rye and spelt on Mondays, and oats on every other day of the week in winter.';

function page(body: string, title = 'Mill'): string {
  return `<!DOCTYPE html><title>${title}</title><body><h1>Prices of the mill</h1><p>${PROSE}</p>${body}<p>${PROSE}</p>`;
}

/** The pages of the first site; the URL of the other one is known only after it has started. */
const PAGES: Readonly<Record<string, () => string>> = {
  '/frameset': () =>
    '<html><head><title>Old mill</title></head><frameset cols="20%,*"><frame src="menu"><frame src="/in/table"><noframes>Get a browser</noframes></frameset></html>',
  '/menu': () => '<body><a href="hours">Opening hours</a></body>',
  '/in/table': () =>
    page(
      '<table><tr><th>Grain</th><th>Price</th></tr><tr><td class="rye">Rye</td><td class="cost">$12.50</td></tr></table><p>See the <a href="more">list</a>.',
    ),
  '/outer': () => page('<div><iframe src="/in/middle" title="Grain">no frames</iframe></div>'),
  '/in/middle': () => `<p>Middle of the frames.</b></div></template><iframe src="inner"></iframe><!-- not closed`,
  '/in/inner': () => '<p>Innermost words. <a href="deep?q=1">deep</a></p>',
  '/srcdoc': () =>
    page(
      `<iframe srcdoc="&lt;p&gt;Words of the srcdoc, with &lt;a href='hours'&gt;hours&lt;/a&gt;.&lt;/p&gt;"></iframe>`,
    ),
  '/based': () => '<base href="/in/"><p>Outside.</p><iframe srcdoc="<a href=hours>Inside</a>"></iframe>',
  '/account': () =>
    page(
      '<a href="/account/next">next</a><iframe src="/logout"></iframe><iframe src="/leaves"></iframe><iframe src="/in/inner"></iframe>',
    ),
  '/cut-frame': () => page('<iframe src="/cut"></iframe>'),
  '/pdf': () => page('<object data="/list.pdf" type="application/pdf"><p>No PDF here</p></object>'),
  '/embed': () => page('<embed src="/list.pdf">'),
  '/other-host': () => page(`<iframe src="${elsewhere}/offer"></iframe>`),
  '/refused': () => page('<iframe src="http://10.1.2.3/secret"></iframe>'),
  '/robots': () => page('<iframe src="/shut/page"></iframe>'),
  '/shut/page': () => '<p>Shut words.</p>',
  '/hanging': () => page('<iframe src="/never"></iframe><iframe src="/in/inner"></iframe>'),
  '/form': () => page('<iframe src="/widget/order"></iframe>'),
  '/widget/order': () => '<p>Order by letter.</p>',
  '/missing': () => page('<iframe src="/gone"></iframe>'),
  '/loop': () => page('<iframe src="/loop-b"></iframe>'),
  '/loop-b': () => '<p>Second of the loop.</p><iframe src="/loop"></iframe>',
  '/deep/1': () => '<p>Level one.</p><iframe src="/deep/2"></iframe>',
  '/deep/2': () => '<p>Level two.</p><iframe src="/deep/3"></iframe>',
  '/deep/3': () => '<p>Level three.</p><iframe src="/deep/4"></iframe>',
  '/deep/4': () => '<p>Level four.</p><iframe src="/deep/5"></iframe>',
  '/many': () => page(Array.from({ length: 12 }, (_, n) => `<iframe src="/n/${n}"></iframe>`).join('')),
  '/ordinary': () =>
    page(`<iframe src="https://www.youtube.com/embed/x"></iframe><iframe src="/counter" width="1" height="1"></iframe>
<iframe src="https://ad.doubleclick.net/x"></iframe><div style="display:none"><iframe src="/in/inner"></iframe></div>
<iframe src="about:blank"></iframe><iframe id="google_ads_iframe_1" srcdoc="<p>Buy this</p>"></iframe><iframe src="/user/logout"></iframe>
<iframe src="/counter" style="width:0;height:0;border:0"></iframe><iframe srcdoc="<style>p { color: red }</style>"></iframe><iframe srcdoc="<script>1</script>"></iframe><embed src="/mill.svg" type="image/svg+xml">
<noscript><iframe src="https://www.googletagmanager.com/ns.html" height="0"></iframe></noscript>`),
};

function answer(url: string, response: ServerResponse): void {
  const html = { 'content-type': 'text/html; charset=utf-8' };
  if (url === '/robots.txt') return void response.end('User-agent: *\nDisallow: /shut/');
  // There is no response.
  if (url === '/never') return;
  if (url === '/leaves') return void response.writeHead(302, { location: '/logout' }).end();
  // The response is truncated.
  if (url === '/cut') {
    response.writeHead(200, { ...html, 'content-length': '9000' });
    return void response.write(`<p>${PROSE}</p>`.repeat(20), () => setTimeout(() => response.destroy(), 100));
  }
  if (url === '/list.pdf') {
    return void response
      .writeHead(200, { 'content-type': 'application/pdf' })
      .end(buildPdf([{ shown: [{ text: 'Flour of the printed list', x: 72, y: 720 }] }]));
  }
  if (url.startsWith('/n/')) return void response.writeHead(200, html).end(`<p>Number ${url.slice(3)}.</p>`);
  const text = PAGES[url]?.();
  response.writeHead(text === undefined ? 404 : 200, html).end(text ?? 'nothing here');
}

before(async () => {
  const site = closing.use(
    await startHttpServer(({ url = '/' }, response) => {
      asked.push(url);
      answer(url, response);
    }),
  );
  const other = closing.use(
    await startHttpServer(({ headers }, response) => {
      const says =
        headers.cookie === undefined && headers['x-mill'] === undefined ? 'nothing sent along' : 'sent along';
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<p>Offer from elsewhere, ${says}.</p>`);
    }),
  );
  [origin, elsewhere] = [site.origin, other.origin];
  const hosts = [origin, elsewhere].map((one) => new URL(one).host);
  world = await openWorld({ QUERN_ALLOW_TARGETS: hosts.join(',') });
});
after(async () => {
  await world.close();
  await closing.disposeAsync();
});

const WHOLE = { frames: true, only_main_content: false };

async function read(path: string, options: object = WHOLE) {
  const { status, headers, body } = await world.fetch(origin + path, { ...options });
  const warnings = (listAt(body, 'warnings') ?? []).filter((one) => at(one, 'code') === 'frames_left_out');
  const messages = warnings.map((one) => textAt(one, 'message'));
  assert.equal(status, 200);
  return { body, messages, markdown: String(body['markdown']), credits: headers.get('x-credits-used') };
}

suite('frames: true', () => {
  test('a frameset is returned as one page with the documents of its frames', async () => {
    const { body, markdown, messages, credits } = await read('/frameset', {
      ...WHOLE,
      output: ['markdown', 'links', 'tables', 'json'],
      extract: { fields: { cost: { selector: '.cost', type: 'money' } } },
    });
    assert.match(markdown, /Opening hours[\s\S]*\| Rye \| \$12\.50 \|/);
    assert.doesNotMatch(markdown, /Get a browser/);
    const urls = listAt(body, 'links').map((one) => textAt(one, 'url'));
    assert.deepEqual(urls, [`${origin}/hours`, `${origin}/in/more`]);
    assert.equal(listAt(body, 'tables').length, 1);
    assert.equal(at(body, 'json.cost.amount') ?? at(body, 'json.cost'), 12.5);
    assert.deepEqual([messages, textAt(body, 'metadata.title'), credits], [[], 'Old mill', '2']);
  });

  test('a nested frame is inserted at its position, and its markup cannot close surrounding elements', async () => {
    const { markdown, messages } = await read('/outer');
    assert.match(markdown, /Mondays[\s\S]*Middle of the frames\.[\s\S]*Innermost words\.[\s\S]*Mondays/);
    assert.ok(markdown.includes(`[deep](${origin}/in/deep?q=1)`));
    assert.deepEqual(messages, []);
  });

  test('the main content includes the frames', async () => {
    assert.match((await read('/outer', { frames: true })).markdown, /Innermost words/);
  });

  test('a srcdoc frame is read, and its links resolve against the page', async () => {
    const { markdown, messages } = await read('/srcdoc');
    assert.ok(markdown.includes(`Words of the srcdoc, with [hours](${origin}/hours).`), markdown);
    assert.deepEqual(messages, []);
  });

  for (const path of ['/pdf', '/embed']) {
    test(`an embedded PDF is read: ${path}`, async () => {
      const { markdown, messages } = await read(path);
      assert.match(markdown, /Mondays[\s\S]*Flour of the printed list[\s\S]*Mondays/);
      assert.deepEqual([messages, markdown.includes('No PDF here')], [[], false]);
    });
  }

  test('a frame on another host is fetched without the headers and cookies of the caller', async () => {
    const sent = { headers: { 'X-Mill': '1' }, cookies: [{ name: 'a', value: 'b' }] };
    const { markdown } = await read('/other-host', { ...WHOLE, ...sent });
    assert.match(markdown, /Offer from elsewhere, nothing sent along\./);
  });

  test('a warning lists a frame that the egress guard refuses, with the reason', async () => {
    const { markdown, messages } = await read('/refused');
    assert.match(markdown, /Mondays/);
    assert.match(messages.join('\n'), /^frames that could not be read: http:\/\/10\.1\.2\.3\/secret \(/);
  });

  test('with respect_robots, a frame that robots.txt forbids is listed in a warning and not requested', async () => {
    const polite = await read('/robots', { ...WHOLE, respect_robots: true });
    assert.match(polite.messages.join('\n'), /\/shut\/page \(the robots\.txt of .* forbids/);
    assert.ok(!asked.includes('/shut/page'));
    assert.match((await read('/robots')).markdown, /Shut words/);
  });

  test('a frame that times out is listed in a warning, and the page is returned with the other frame', async () => {
    const { markdown, messages } = await read('/hanging', { ...WHOLE, timeout_ms: 6000 });
    assert.match(markdown, /Innermost words/);
    assert.match(messages.join('\n'), /\/never \(/);
  });

  test('a warning lists a frame that returns an error, with its status', async () => {
    assert.match((await read('/missing')).messages.join('\n'), /\/gone \(it returned status 404\)/);
  });

  test('frames that include each other in a cycle appear once', async () => {
    const { markdown, messages } = await read('/loop');
    assert.equal(markdown.split('Second of the loop.').length, 2);
    assert.equal(markdown.split('Prices of the mill').length, 2);
    assert.deepEqual(messages, []);
  });

  test('at most ten frames are read, at most three levels deep, and a warning lists the rest', async () => {
    const deep = await read('/deep/1');
    assert.match(deep.markdown, /Level one[\s\S]*Level two[\s\S]*Level three[\s\S]*Level four/);
    assert.match(deep.messages.join('\n'), /\/deep\/5 \(deeper than 3 frames\)/);
    const many = await read('/many');
    assert.ok(many.markdown.includes('Number 9.') && !many.markdown.includes('Number 10.'));
    assert.match(many.messages.join('\n'), /\/n\/10 .*\/n\/11 /);
  });

  test('links in a srcdoc frame resolve against the base URL of the page', async () => {
    const { markdown } = await read('/based');
    assert.ok(markdown.includes(`[Inside](${origin}/in/hours)`), markdown);
  });

  test('a truncated frame is included as far as it was received, with a warning', async () => {
    const { markdown, body } = await read('/cut-frame');
    assert.ok(markdown.split(PROSE).length > 10);
    const cut = listAt(body, 'warnings').find((one) => at(one, 'code') === 'truncated');
    assert.match(textAt(cut, 'message'), /^frames that came only in part: .*\/cut \(/);
  });

  test('a frame whose URL or redirect may log out is not requested, and is listed in a warning', async () => {
    asked.length = 0;
    const cookies = [{ name: 'sid', value: 'abc' }];
    for (const respect_robots of [true, false]) {
      const { markdown, messages } = await read('/account', { ...WHOLE, cookies, respect_robots });
      assert.match(markdown, /Innermost words/);
      assert.match(messages.join('\n'), /\/logout \(its URL may log out/);
      assert.match(messages.join('\n'), /\/leaves \(its URL may log out/);
    }
    const { body } = await world.call('/v1/crawl', {
      url: `${origin}/account`,
      max_pages: 1,
      sitemap: 'skip',
      fetch: { ...WHOLE, cookies },
    });
    assert.match(JSON.stringify(body), /Innermost words/);
    assert.match(JSON.stringify(body), /\/leaves \(its URL may log out/);
    assert.ok(asked.includes('/leaves') && !asked.includes('/logout'), asked.join(' '));
  });

  test('a crawl includes frames in their pages', async () => {
    const { body } = await world.call('/v1/crawl', {
      url: `${origin}/outer`,
      max_pages: 1,
      sitemap: 'skip',
      fetch: WHOLE,
    });
    assert.match(JSON.stringify(body), /Innermost words/);
  });
});

suite('without frames: true', () => {
  const NAMED: readonly (readonly [string, RegExp])[] = [
    ['/frameset', /\/menu, http[^ ]*\/in\/table; frames: true reads it$/],
    ['/outer', /\/in\/middle; frames: true/],
    ['/srcdoc', /: srcdoc; frames: true/],
    ['/pdf', /\/list\.pdf;/],
    ['/embed', /\/list\.pdf;/],
    ['/many', /\/n\/4 and 7 more; frames: true/],
  ];
  for (const [path, message] of NAMED) {
    test(`one warning lists the frames with content: ${path}`, async () => {
      const { messages, body } = await read(path, {});
      assert.equal(messages.length, 1);
      assert.match(messages.join('\n'), message);
      assert.equal(listAt(body, 'warnings').length, 1);
    });
  }

  test('a frame that contains a form is read with frames: true, and not listed without it', async () => {
    assert.deepEqual((await read('/form', {})).messages, []);
    assert.match((await read('/form')).markdown, /Order by letter/);
  });

  test('frames with players, ads or counters, and hidden or empty frames, are not listed', async () => {
    assert.deepEqual((await read('/ordinary', {})).messages, []);
  });
});
