import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '#kernel/errors.ts';
import { BROWSERS, browserTest, FOOTER, openRendered, type Pages, getPageText } from '../../support/rendered.ts';
import { captureFailure } from '#testkit/visitor.ts';

const GRAIN = JSON.stringify({ text: 'rye and wheat' });

const PAGES: Pages = {
  '/app': `<div id="root">Loading…</div><img src="/mill.png"><video src="/mill.mp4" preload="auto"></video>
    <script>fetch('/grain').then((one) => one.json()).then(({ text }) => { root.textContent = text; });</script>`,
  '/grain': (_, response) => void setTimeout(() => response.end(GRAIN), 300),
  '/feed': `<ul id="list"></ul><button id="more">More</button><script>
    let at = 0;
    const load = () => fetch('/feed.json?at=' + at++).then((one) => one.json()).then((one) => {
      list.insertAdjacentHTML('beforeend', '<li>' + one.at + '</li>');
    });
    more.onclick = load; load(); fetch('/grain');</script>`,
  '/feed.json': (request, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ at: Number(request.url?.split('=')[1]) })),
  '/late': `<p>mill</p><script>setTimeout(() => { document.body.innerHTML += '<p id="ready">ground</p>'; }, 700);</script>`,
  '/lazy': `<div id="list"></div><div id="end" style="height: 10px"></div><script>
    let n = 0;
    const grow = () => { for (let i = 0; i < 10; i += 1) { n += 1; list.insertAdjacentHTML('beforeend', '<p style="height: 300px">sack ' + n + '</p>'); } };
    grow();
    new IntersectionObserver(([one]) => { if (one.isIntersecting && n < 50) setTimeout(grow, 30); }).observe(end);</script>`,
  '/covered': `<style>body { overflow: hidden } .cookie-bar { position: fixed }</style>
    <div id="onetrust-consent-sdk">We value your privacy</div><div class="cookie-bar">This site bakes</div>
    <article class="cookie-recipes">Oat cookies</article><ins class="adsbygoogle">Buy flour</ins><noscript>Turn scripts on</noscript>`,
  '/walled': `<div id="onetrust-consent-sdk"><button id="onetrust-accept-btn-handler"
    onclick="document.body.innerHTML = '<p>The whole mill.'">Yes</button></div>`,
  '/dialogs': `<p id="said"></p><script>alert('a'); said.textContent = [confirm('b'), prompt('c', 'd')].join();
    onbeforeunload = (event) => event.preventDefault();</script>`,
  '/opener': `<p id="said"></p><script>const one = open('/opened'); said.textContent = String(one === null);</script>`,
  '/opened': '<script>fetch("/seen-from-popup")</script>',
  '/saves': `<p>mill</p><script>for (const name of ['sack.bin', 'sack.pdf']) { const link = document.createElement('a');
    link.href = '/' + name; link.download = '../../' + name; link.click(); }</script>`,
  '/sack.bin': (_, response) =>
    response
      .writeHead(200, { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' })
      .end('rye'),
  '/sack.pdf': (_, response) => response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-1.7 rye'),
  '/sack.json': (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(GRAIN),
  '/nothing': (_, response) => response.writeHead(204).end(),
  '/gone': (_, response) => response.writeHead(410, { 'content-type': 'text/html' }).end('<p>milled away'),
  '/broken': (_, response) => response.writeHead(500).end(),
  '/moved': (_, response) => response.writeHead(302, { location: '/app' }).end(),
  '/leads-twice': (_, response) => response.writeHead(302, ['Location', '/trap', 'Location', '/trap']).end(),
  '/leads': (_, response) => response.writeHead(302, { location: '/trap' }).end(),
  '/walks': `<p>stays</p>${FOOTER}<script>location.href = '/trap'</script>`,
  '/programs': `<p>stays</p><iframe src="mailto:miller@example.com"></iframe>
    <script>onload = () => { location.href = 'intent://mill#Intent;end'; setTimeout(() => { location.href = 'millapp://open'; }, 30); };</script>`,
  '/leaves': `<p id="said">early</p>${FOOTER}<script>
    location.href = 'millapp://open';
    setTimeout(() => { said.textContent = 'late'; }, 7_500);
  </script>`,
  '/measures': `<p id="said"></p><p id="framed"></p><script>
    said.textContent = [innerWidth, innerHeight, outerWidth, outerHeight, screen.width, screen.height, devicePixelRatio].join(' ');
    let frames = 0;
    const draw = () => { frames += 1; if (frames < 5) requestAnimationFrame(draw); else framed.textContent = 'drawn'; };
    draw();</script>`,
  '/shadowed': `<p>a mill</p><mill-sacks></mill-sacks><script>
    customElements.define('mill-sacks', class extends HTMLElement {
      connectedCallback() {
        this.attachShadow({ mode: 'open' }).innerHTML = '<h2>Sacks</h2><div></div>';
        this.shadowRoot.querySelector('div').attachShadow({ mode: 'open' }).innerHTML = '<p>rye flour</p>';
      }
    });</script>`,
  '/sandboxed': (_, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html', 'content-security-policy': "img-src 'self'; Sandbox allow-forms" })
      .end('<p id="said">as it came</p><script>said.textContent = "changed"</script>'),
  '/writes': (_, response) => response.writeHead(302, { location: 'mailto:miller@example.com' }).end(),
  '/half': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': '500' }).write('<p>half a sack');
    setTimeout(() => response.destroy(), 50);
  },
  '/circle': (_, response) => response.writeHead(302, { location: '/circle' }).end(),
  '/to-pdf': `<script>location.href = '/sack.pdf'</script>`,
  '/reloads': '<script>location.reload()</script>',
  '/loop': '<p>mill</p><script>while (true);</script>',
  '/history': `<script>for (let n = 0; ; n += 1) history.pushState(null, '', '/history?' + n);</script>`,
  '/alerts': `<script>while (true) alert('grind');</script>`,
  '/bakes': (_, response) =>
    response
      .writeHead(200, { 'set-cookie': 'seen=1', 'content-type': 'text/html' })
      .end(
        `<p id="kept"></p>${FOOTER}<script>kept.textContent = String(localStorage.seen); localStorage.seen = 1;</script>`,
      ),
  '/vast': `<script>document.write('x'.repeat(3e6))</script>`,
  '/pump': `<script>(async () => { for (;;) await (await fetch('/megabyte?' + Math.random())).text(); })()</script>`,
  '/megabyte': (_, response) => response.end('x'.repeat(2 ** 20)),
  '/language': `<meta name="viewport" content="width=device-width"><p id="said"></p><script>said.textContent = [navigator.language, (1234.5).toLocaleString(),
    innerWidth < 500, navigator.userAgent.includes('Mobile'), 'ontouchstart' in window].join(' ')</script>`,
  '/asks': `<p id="said"></p><script>navigator.geolocation.getCurrentPosition(() => { said.textContent = 'granted'; },
    () => { said.textContent = 'denied'; });</script>`,
};

let rendered: Awaited<ReturnType<typeof openRendered>>;
before(async () => {
  if (BROWSERS !== null) rendered = await openRendered(PAGES, { limits: { decodedBytes: 2e6 } });
});
after(async () => {
  if (BROWSERS !== null) await rendered.close();
});

browserTest('a page filled by a script is read as rendered', async () => {
  const page = await rendered.visit('/app');
  assert.match(getPageText(page), /<div id="root">rye and wheat<\/div>/);
  assert.equal(page.contentType, 'text/html; charset=utf-8');
  assert.equal(page.status, 200);
  assert.ok(page.wireBytes > GRAIN.length);
  for (const path of ['/mill.png', '/mill.mp4']) assert.equal(rendered.visits(path).length, 0, path);
});

browserTest('responses that a page loads are captured on request, including those after a click', async () => {
  const page = await rendered.visit('/feed', {
    click: ['#nothing', '#more'],
    captures: [{ name: 'feed', path: /./, contentType: /^application\/json$/ }],
  });
  assert.deepEqual(
    page.captures?.map(({ name, status, text }) => [name, status, text]),
    [
      ['feed', 200, '{"at":0}'],
      ['feed', 200, '{"at":1}'],
    ],
  );
  assert.ok(rendered.visits('/grain').length > 0);
  assert.match(getPageText(page), /<li>0<\/li><li>1<\/li>/);
  assert.equal((await rendered.visit('/feed')).captures, undefined);
});

browserTest('a page that opens external protocol links is still read', async () => {
  assert.match(getPageText(await rendered.visit('/programs')), /<p>stays<\/p>/);
});

browserTest('a page that opens an external protocol while loading is read without further waiting', async () => {
  // The page never finishes loading, and slow pages are read after eight seconds.
  assert.match(await rendered.html('/leaves'), />early</);
});

browserTest('a headless page has the window, screen and animation frames of a visible one', async () => {
  const html = await rendered.html('/measures', { waitForSelector: '#framed:not(:empty)' });
  assert.match(html, /<p id="said">1366 900 1366 900 1920 1080 1<\/p>/);
});

browserTest('a redirect is followed to the page, with its URL and status', async () => {
  const page = await rendered.visit('/moved');
  assert.equal(page.url, `${rendered.origin}/app`);
  assert.match(getPageText(page), /rye and wheat/);
});

browserTest('content of open shadow trees is part of the page', async () => {
  const html = await rendered.html('/shadowed', { scroll: true });
  const inner = '<template shadowrootmode="open"><p>rye flour</p></template>';
  assert.match(html, /^<!DOCTYPE html>\s*<html>.*<p>a mill<\/p>.*<\/html>$/s);
  assert.ok(html.includes(`<template shadowrootmode="open"><h2>Sacks</h2><div>${inner}</div></template></mill-sacks>`));
});

browserTest('a page that forbids scripts is read as it was received, scrolled or not', async () => {
  for (const scroll of [false, true]) assert.match(await rendered.html('/sandboxed', { scroll }), />as it came</);
});

browserTest('a truncated page is distinguished from a complete one', async () => {
  const page = await rendered.visit('/half');
  assert.match(getPageText(page), /half a sack/);
  assert.deepEqual(
    page.warnings.map(({ code }) => code),
    ['truncated'],
  );
  assert.deepEqual((await rendered.visit('/lazy')).warnings, []);
});

browserTest('a redirect to an external protocol is reported as such', async () => {
  const error = await captureFailure(async () => rendered.visit('/writes'));
  assert.deepEqual(
    [error.code, error.message],
    ['unusable_response', 'the target redirects to an address that cannot be followed'],
  );
});

browserTest('a redirect that must not be followed is reported, and its target is not requested', async () => {
  const asked: string[] = [];
  const follows = async (to: URL): Promise<boolean> => {
    asked.push(to.pathname);
    return false;
  };
  const page = await rendered.visit('/leads', { follows });
  assert.deepEqual([page.status, page.url, page.body.byteLength], [302, `${rendered.origin}/trap`, 0]);
  assert.match(await rendered.html('/walks', { follows }), /stays/);
  assert.equal((await rendered.visit('/leads-twice', { follows })).url, `${rendered.origin}/trap`);
  assert.deepEqual(asked, ['/trap', '/trap', '/trap']);
  assert.equal(rendered.visits('/trap').length, 0);
});

browserTest('a page already loaded by a cheaper tier is not requested again', async () => {
  const body = new Uint8Array(
    Buffer.from(`<div id="root"></div><script>root.textContent = document.cookie;
    fetch('/grain').then((one) => one.text()).then((text) => { root.textContent += text; })</script>`),
  );
  const head = { status: 200, headers: { 'content-type': 'text/html', 'content-encoding': 'br', 'set-cookie': 'a=1' } };
  const arrived = {
    ...head,
    url: `${rendered.origin}/once`,
    contentType: 'text/html',
    body,
    wireBytes: 1,
    warnings: [],
  };
  const page = await rendered.visit('/moved-once', { arrived });
  assert.match(getPageText(page), /<div id="root">a=1\{.*rye/);
  assert.equal(page.url, arrived.url);
  for (const path of ['/once', '/moved-once']) assert.equal(rendered.visits(path).length, 0, path);
});

browserTest('an element that the visit waits for is in the result', async () => {
  assert.match(await rendered.html('/late', { waitForSelector: '#ready' }), /ground/);
  assert.match(await rendered.html('/late', { waitMs: 1_500 }), /ground/);
});

browserTest('an invalid selector is an input error', async () => {
  assert.equal(
    (await captureFailure(async () => rendered.visit('/late', { waitForSelector: 'p:nope(' }))).code,
    'invalid_request',
  );
});

browserTest('scrolling loads content that loads only when visible', async () => {
  assert.doesNotMatch(await rendered.html('/lazy'), /sack 50/);
  assert.match(await rendered.html('/lazy', { scroll: true }), /sack 50/);
});

browserTest('consent dialogs, ads and fallbacks are removed, and text that resembles them is not', async () => {
  const html = await rendered.html('/covered');
  assert.doesNotMatch(html, /privacy|bakes|Buy flour|Turn scripts on/);
  assert.match(html, /Oat cookies/);
});

browserTest('a page that waits for consent receives it', async () => {
  assert.match(await rendered.html('/walled'), /The whole mill/);
});

browserTest('dialogs are dismissed and do not block the page', async () => {
  assert.match(await rendered.html('/dialogs'), /<p id="said">false,<\/p>/);
});

browserTest(
  'endless scripts, history changes and alerts end at the deadline, and the next page is served',
  async () => {
    for (const path of ['/loop', '/history', '/alerts']) {
      const error = await captureFailure(async () => rendered.visit(path, {}, AbortSignal.timeout(1_500)));
      assert.equal(error.code, 'timeout', path);
    }
    assert.match(await rendered.html('/app'), /rye and wheat/);
  },
);

browserTest('a page that navigates endlessly is unusable', async () => {
  assert.equal((await captureFailure(async () => rendered.visit('/reloads'))).code, 'unusable_response');
  assert.equal((await captureFailure(async () => rendered.visit('/circle'))).code, 'unusable_response');
});

browserTest('windows opened by a page load nothing', async () => {
  await rendered.visit('/opener', { waitMs: 500 });
  assert.equal(rendered.visits('/seen-from-popup').length, 0);
});

browserTest('downloads started by a page are denied', async () => {
  assert.match(await rendered.html('/saves', { waitMs: 300 }), /mill/);
});

browserTest('content that is not HTML is returned as its bytes', async () => {
  for (const [path, type, text] of [
    ['/sack.pdf', 'application/pdf', '%PDF-1.7 rye'],
    ['/sack.json', 'application/json', GRAIN],
    ['/sack.bin', 'application/octet-stream', 'rye'],
    ['/to-pdf', 'application/pdf', '%PDF-1.7 rye'],
  ] as const) {
    const page = await rendered.visit(path);
    assert.deepEqual([page.contentType, getPageText(page)], [type, text], path);
  }
});

browserTest('a response without a body is an empty page with its status', async () => {
  for (const [path, status] of [
    ['/nothing', 204],
    ['/broken', 500],
  ] as const) {
    const page = await rendered.visit(path);
    assert.deepEqual([page.status, page.body.byteLength], [status, 0], path);
  }
});

browserTest('an error page of the target is returned with its status', async () => {
  const page = await rendered.visit('/gone');
  assert.equal(page.status, 410);
  assert.match(getPageText(page), /milled away/);
});

browserTest('no data of one visit is visible in another', async () => {
  for (let n = 0; n < 2; n += 1) assert.match(await rendered.html('/bakes'), /<p id="kept">undefined<\/p>/);
  assert.deepEqual(
    rendered.visits('/bakes').map(({ headers }) => headers.cookie),
    [undefined, undefined],
  );
});

browserTest('headers and cookies of the caller are sent only to their own origin', async () => {
  const other = await openRendered({ '/there': '<p>elsewhere' });
  const here = await openRendered({
    '/here': (_, response) => response.writeHead(302, { location: `${other.origin}/there` }).end(),
  });
  try {
    const given = { headers: { authorization: 'Bearer x', 'x-mill': 'stone' }, cookies: [{ name: 'own', value: 'v' }] };
    assert.match(getPageText(await here.visit('/here', given)), /elsewhere/);
    const [first] = here.visits('/here');
    assert.deepEqual([first?.headers['x-mill'], first?.headers.cookie], ['stone', 'own=v']);
    const [second] = other.visits('/there');
    assert.deepEqual(
      [second?.headers['x-mill'], second?.headers.authorization, second?.headers.cookie],
      [undefined, undefined, undefined],
    );
  } finally {
    await here.close();
    await other.close();
  }
});

browserTest('a page that is too large, or loads too much, is rejected', async () => {
  for (const path of ['/vast', '/pump']) {
    assert.equal((await captureFailure(async () => rendered.visit(path))).code, 'content_too_large', path);
  }
});

browserTest('device and language are as requested', async () => {
  assert.match(await rendered.html('/language'), /en-US 1,234.5 false false false/);
  const phone = await rendered.html('/language', { device: 'mobile', locale: 'de-DE' });
  assert.match(phone, /de-DE 1.234,5 true true true/);
});

browserTest('permissions that a page requests are denied', async () => {
  assert.match(await rendered.html('/asks', { waitMs: 300 }), /denied/);
});

browserTest('a host that cannot be reached is unreachable', async () => {
  const error = await captureFailure(async () => rendered.visit('http://127.0.0.1:1/'));
  assert.ok(error instanceof ServiceError);
  assert.equal(error.code, 'target_unreachable');
});

browserTest('a browser navigates to web URLs only', async () => {
  for (const url of ['file:///etc/passwd', 'chrome://version', 'view-source:http://example.com/']) {
    await assert.rejects(async () => rendered.visit(url), /a browser was sent to/, url);
  }
});

browserTest('all requests go through the proxy, and the browser makes none by itself', async () => {
  await delay(500);
  const strangers = rendered.asked().filter((line) => !line.includes('127.0.0.1'));
  assert.deepEqual(strangers, []);
});
