import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import type { RequestListener } from 'node:http';
import { BROWSERS, browserTest, openRendered, type Pages, getPageText, type Wishes } from '#support/rendered.ts';

const STORY = 'Rye and wheat are ground here every day. '.repeat(6);
const DELAYS_MS = [0, 50, 100, 150, 200, 300, 500, 800, 1_200, 2_000, 3_000];
/** Just below the maximum wait for text. A page that is read without waiting is read much earlier, even on a slow machine. */
const LATE_MS = 4_500;
const HTML = { 'content-type': 'text/html' };

/** A page with an empty root that its script fills after a while, by a timer or with a slow response. */
const filled = (ms: number, fill: string): string =>
  `<div id="root"></div><script>const show = () => { root.innerHTML = '<h1>Mill</h1><p>${STORY}' };
  setTimeout(() => ${fill}, ${ms});</script>`;

const later: RequestListener = (_, response) => void setTimeout(() => response.end(STORY), 200);

const PAGES: Pages = {
  '/story.txt': later,
  '/story': (_, response) => response.writeHead(200, HTML).end(`<p>${STORY}</p>`),
  ...Object.fromEntries(DELAYS_MS.map((ms) => [`/timer/${ms}`, filled(ms, 'show()')])),
  ...Object.fromEntries(DELAYS_MS.map((ms) => [`/fetch/${ms}`, filled(ms, `fetch('/story.txt').then(show)`)])),
  '/twice': filled(700, `{ root.textContent = 'The mill at the brook'; setTimeout(show, 900); }`),
  '/parts': filled(3_100, `{ show(); setTimeout(() => root.insertAdjacentHTML('beforeend', '<p>the end</p>'), 60); }`),
  '/loading': `<div id="root">Loading…</div><script>setTimeout(() => { root.innerHTML = '<p>${STORY}';
    setTimeout(() => root.insertAdjacentHTML('beforeend', '<p>the end</p>'), 60); }, 3_600);</script>`,
  '/hidden': `<div id="root" style="display: none">${STORY}</div><script>setTimeout(() => { root.style.display = ''; }, 900);
    setTimeout(() => root.insertAdjacentHTML('beforeend', '<p>the end</p>'), 940);</script>`,
  '/meta': `<meta http-equiv="refresh" content="1;url=/story"><p>One moment</p>`,
  '/bare': `<meta http-equiv="refresh" content="0;/story"><p>One moment</p>`,
  '/bare-later': `<meta content='1 "/story"' http-equiv=REFRESH><p>One moment</p>`,
  '/bare-header': (_, response) => response.writeHead(200, { ...HTML, refresh: '1;/story' }).end('<p>Wait'),
  '/header': (_, response) => response.writeHead(200, { ...HTML, refresh: '1; url=/story' }).end('<p>Wait'),
  '/links': `<p>${STORY}<a id="in" href="/timer/500">in</a></p>`,
  '/text': `<p id="root">${STORY}</p><script>setTimeout(() => { root.textContent = 'late'; }, ${LATE_MS});</script>`,
  '/data': `<p id="root">little</p><script type="application/json">{}</script><iframe srcdoc="<script>
    setTimeout(() => { parent.root.textContent = 'late'; }, ${LATE_MS});</script>"></iframe>`,
  '/refusal': `<p id="root">Checking your browser</p><script>window._cf_chl_opt = {};
    setTimeout(() => { root.textContent = 'late'; }, ${LATE_MS});</script>`,
  '/asking': `<p id="root">little</p><button id="onetrust-accept-btn-handler"
    onclick="root.textContent = 'agreed'; clearTimeout(late)">Yes</button>
    <script>const late = setTimeout(() => { document.body.textContent = 'late'; }, ${LATE_MS});</script>`,
  '/empty': `<div id="root"></div><script>setTimeout(() => { root.textContent = 'late'; }, ${LATE_MS});</script>`,
  '/filling': `<div id="root"></div><script>setTimeout(() => { root.textContent = 'late'; }, 3_500);</script>`,
};

/** The visible text of a page, without its scripts. */
const shownAt = async (path: string, wishes: Wishes = {}): Promise<string> =>
  (await rendered.html(path, wishes)).replace(/<script.*?<\/script>|srcdoc="[^"]*"/gs, '');

let rendered: Awaited<ReturnType<typeof openRendered>>;
before(async () => {
  if (BROWSERS !== null) rendered = await openRendered(PAGES, { footer: '', slots: 12 });
});
after(async () => {
  if (BROWSERS !== null) await rendered.close();
});

for (const kind of ['timer', 'fetch']) {
  browserTest(`a page whose root is empty is read after a ${kind} fills it`, async () => {
    const lacking = await Promise.all(
      DELAYS_MS.map(async (ms) => ((await shownAt(`/${kind}/${ms}`)).includes(`<p>${STORY}`) ? [] : [ms])),
    );
    assert.deepEqual(lacking.flat(), []);
  });
}

browserTest('a page that loads in parts is read when all parts are loaded, however late they begin', async () => {
  assert.match(await shownAt('/twice'), /<p>Rye and wheat/);
  for (const path of ['/parts', '/loading', '/hidden']) assert.match(await shownAt(path), /the end/, path);
});

browserTest('a page with little text that soon navigates elsewhere is followed', async () => {
  for (const path of ['/meta', '/header', '/bare', '/bare-later', '/bare-header']) {
    const page = await rendered.visit(path);
    assert.equal(page.url, `${rendered.origin}/story`, path);
    assert.match(getPageText(page), /Rye and wheat/);
  }
});

browserTest('the target of a click is waited for like the page itself', async () => {
  assert.match(await shownAt('/links', { click: ['#in'] }), /<h1>Mill/);
});

browserTest('pages with text, without scripts or with an error are not waited for', async () => {
  for (const path of ['/text', '/data', '/refusal']) assert.doesNotMatch(await shownAt(path), /late/, path);
});

browserTest('a consent dialog is accepted before waiting for text', async () => {
  assert.match(await shownAt('/asking'), /agreed/);
});

browserTest('a visit with a selector does not wait for text', async () => {
  assert.doesNotMatch(await shownAt('/empty', { waitForSelector: '#root' }), /late/);
});

browserTest('the visit waits for text as long as it has time', async () => {
  const began = performance.now();
  const leftMs = (): number => began + 1_200 - performance.now();
  assert.doesNotMatch(await shownAt('/filling', { leftMs }), /late/);
  assert.match(await shownAt('/filling', { leftMs: () => 60_000 }), /late/);
});
