import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, RequestListener } from 'node:http';
import { text as bodyOf } from 'node:stream/consumers';
import { PassThrough } from 'node:stream';
import { after, before, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { matchesRule, listOperations, captureResponses } from '#access/browser/response-captures.ts';
import { DevTools } from '#access/browser/devtools.ts';
import { type Tab, runWithTab } from '#access/browser/tab.ts';
import type { CaptureRule } from '#sites/framework/request.ts';
import type { Page } from '#access/page.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { BROWSERS, browserTest, openRendered, type Pages, getPageText } from '#support/rendered.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const inJson =
  (value: unknown): RequestListener =>
  (_, response) =>
    response.writeHead(200, JSON_TYPE).end(JSON.stringify(value));

/** Answers each operation of one path by its own document, as interfaces of GraphQL do. */
async function answerQuery(request: IncomingMessage): Promise<string> {
  const body = await bodyOf(request);
  const [name] = listOperations({ url: 'http://mill.test/graphql', postData: body });
  return JSON.stringify({ data: { [name ?? 'none']: true } });
}

/** How often the response that only arrives the second time was requested. */
let held = 0;

const PAGES: Pages = {
  '/loads': `<ul id="list"></ul><script>
    const post = (body, headers) => fetch('/graphql', { method: 'POST', body, headers });
    const seen = (one) => one.text().then((text) => { list.insertAdjacentHTML('beforeend', '<li>' + text.length + '</li>'); });
    (async () => {
      const asked = new XMLHttpRequest();
      asked.open('GET', '/sacks.json?page=1');
      asked.onload = () => { list.title = asked.responseText.length; };
      asked.send();
      for (const name of ['Head', 'Sacks', 'Tail']) await post(JSON.stringify({ operationName: name, variables: {} })).then(seen);
      await post(JSON.stringify([{ operationName: 'Weather' }, { operationName: 'Sacks' }])).then(seen);
      await post(new URLSearchParams({ fb_api_req_friendly_name: 'Sacks', doc_id: 1 })).then(seen);
      await fetch('/stream').then(seen);
      await fetch('/moved', { method: 'POST', body: '{"operationName":"Sacks"}' }).then(seen);
      await fetch('/broken').catch(() => {});
      list.id = 'done';
    })();</script>`,
  '/sacks.json': inJson({ sacks: ['rye'] }),
  '/graphql': (request, response) =>
    void answerQuery(request).then((body) => response.writeHead(200, JSON_TYPE).end(body)),
  '/stream'(_, response) {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('{"part":1}\n');
    setTimeout(() => response.end('{"part":2}\n'), 50);
  },
  '/moved': (_, response) => response.writeHead(307, { location: '/graphql' }).end(),
  '/broken'(_, response) {
    response.writeHead(200, { ...JSON_TYPE, 'content-length': '100' }).write('{"half":');
    setTimeout(() => response.destroy(), 20);
  },
  '/n.json': (request, response) => response.writeHead(200, JSON_TYPE).end(`{"at":${request.url?.split('=')[1]}}`),
  '/sizes': `<script>
    (async () => {
      for (const size of [10, 900, 20, 30]) await fetch('/size?' + size).then((one) => one.text());
      document.body.insertAdjacentHTML('beforeend', '<p id="done"></p>');
    })();</script>`,
  '/size': (request, response) => response.end('x'.repeat(Number(request.url?.split('?')[1]))),
  '/endless': `<p id="done"></p><script>
    const leaving = new AbortController();
    fetch('/n.json?at=8', { signal: leaving.signal }).catch(() => {});
    leaving.abort();
    fetch('/n.json?at=1'); fetch('/never.json');</script>`,
  '/never.json': (_, response) => void response.writeHead(200, JSON_TYPE).write('{"at":'),
  '/workers': `<script>
    const worker = new Worker('/worker.js');
    worker.onmessage = async () => {
      await navigator.serviceWorker.register('/service.js');
      await navigator.serviceWorker.ready;
      await fetch('/n.json?at=3').then((one) => one.text());
      document.body.insertAdjacentHTML('beforeend', '<p id="done"></p>');
    };
    worker.postMessage(0);</script>`,
  '/worker.js': (_, response) =>
    response
      .writeHead(200, { 'content-type': 'text/javascript' })
      .end('onmessage = () => fetch("/n.json?at=2").then((one) => one.text()).then(postMessage)'),
  '/service.js': (_, response) =>
    response
      .writeHead(200, { 'content-type': 'text/javascript' })
      .end('onactivate = () => clients.claim(); onfetch = (e) => e.respondWith(new Response("made up"));'),
  '/leaves': `<script>fetch('/n.json?at=4').then((one) => one.text()).then(() => { location.href = '/arrives'; });</script>`,
  '/arrives': `<p id="done"></p><script>fetch('/n.json?at=5');</script>`,
  '/held': `<script>
    fetch('/n.json?at=6').then(() => fetch('/held.json')).then(() => {
      document.body.insertAdjacentHTML('beforeend', '<p id="done"></p>');
    });</script>`,
  '/held.json'(_, response) {
    held += 1;
    if (held > 1) response.writeHead(200, JSON_TYPE).end('{}');
  },
  '/grows': `<div id="list"></div><script>
    let at = 0;
    let busy = false;
    const load = async () => {
      if (busy || at >= 6) return;
      busy = true;
      await fetch('/n.json?at=' + at++).then((one) => one.text());
      list.insertAdjacentHTML('beforeend', '<div style="height: 1500px">sack</div>');
      busy = false;
    };
    addEventListener('scroll', () => { if (scrollY + innerHeight > document.body.scrollHeight - 50) load(); });
    load();</script>`,
  '/button': `<div id="list"></div><button id="more">More</button><script>
    let at = 0;
    more.onclick = () => fetch('/n.json?at=' + at++).then((one) => one.text()).then(() => {
      list.insertAdjacentHTML('beforeend', '<p>sack</p>');
      if (at === 3) more.remove();
    });</script>`,
};

let rendered: Awaited<ReturnType<typeof openRendered>>;
before(async () => {
  if (BROWSERS !== null) rendered = await openRendered(PAGES);
});
after(async () => {
  if (BROWSERS !== null) await rendered.close();
});

const NUMBERS: CaptureRule = { name: 'number', path: '/n.json', contentType: /json/ };

function listLines({ captures = [] }: Page): readonly string[] {
  return captures.map(({ name, status, text }) => `${name} ${status} ${text}`);
}

browserTest('responses are captured by path, type and operation, under the name of their rule', async () => {
  const page = await rendered.visit('/loads', {
    waitForSelector: '#done',
    captures: [
      { name: 'sacks', path: '/graphql', operation: 'Sacks' },
      { name: 'ends', path: /^\/graph/, operation: /^(?:Head|Tail)$/ },
      { name: 'list', path: '/sacks.json', contentType: /^application\/json/ },
      { name: 'stream', path: '/stream' },
      { name: 'page', path: '/stream', contentType: /html/ },
      { name: 'broken', path: '/broken' },
    ],
  });
  assert.deepEqual(listLines(page).toSorted(), [
    'ends 200 {"data":{"Head":true}}',
    'ends 200 {"data":{"Tail":true}}',
    'list 200 {"sacks":["rye"]}',
    'sacks 200 {"data":{"Sacks":true}}',
    'sacks 200 {"data":{"Sacks":true}}',
    'sacks 200 {"data":{"Sacks":true}}',
    'sacks 200 {"data":{"Weather":true}}',
    'stream 200 {"part":1}\n{"part":2}\n',
  ]);
  assert.match(getPageText(page), /<ul id="done" title="\d+"><li>/);
});

browserTest('captures are limited in bytes, and have no gap before their end', async () => {
  const sizes = { waitForSelector: '#done', captures: [{ name: 'size', path: '/size', maxBytes: 500 }] };
  const lengths = (await rendered.visit('/sizes', sizes)).captures?.map(({ text }) => text.length);
  assert.deepEqual(lengths, [10]);
});

browserTest(
  'endless, cancelled and worker responses are not captured, and service workers cannot fake any',
  async () => {
    const [endless, worked] = await Promise.all([
      rendered.visit('/endless', { captures: [{ ...NUMBERS, path: /\.json$/ }] }),
      rendered.visit('/workers', { waitForSelector: '#done', captures: [NUMBERS] }),
    ]);
    assert.deepEqual(listLines(endless), ['number 200 {"at":1}']);
    assert.deepEqual(listLines(worked), ['number 200 {"at":3}']);
  },
);

browserTest('a page that navigates elsewhere is followed, with the responses of both pages', async () => {
  const page = await rendered.visit('/leaves', { waitForSelector: '#done', captures: [NUMBERS] });
  assert.equal(page.url, `${rendered.origin}/arrives`);
  // The browser drops the answers of the first page with it, unless they were read by then.
  assert.equal(listLines(page).at(-1), 'number 200 {"at":5}');
});

async function asFar(path: string, rounds: number, click: string | null): Promise<number | undefined> {
  return (await rendered.visit(path, { more: { rounds, click }, captures: [NUMBERS] })).captures?.length;
}

browserTest('more is loaded in rounds, by scrolling or clicking, until nothing more arrives', async () => {
  assert.equal(await asFar('/grows', 2, null), 3);
  assert.equal(await asFar('/grows', 20, null), 6);
  assert.equal(await asFar('/button', 20, '#more'), 3);
});

browserTest('a browser closed during a visit captures nothing, and the next visit starts a new one', async () => {
  const visit = rendered.visit('/held', { waitForSelector: '#done', captures: [NUMBERS] });
  while (rendered.visits('/held.json').length === 0) await turn();
  for (const pid of rendered.pids()) process.kill(pid, 'SIGKILL');
  assert.deepEqual(listLines(await visit), ['number 200 {"at":6}']);
  assert.equal(rendered.visits('/held').length, 2);
});

test('the operation of a request is read from its body or query, and no body causes an error', () => {
  const url = 'https://mill.test/graphql';
  const cases: readonly (readonly [url: string, postData: string | undefined, names: readonly string[]])[] = [
    [url, undefined, []],
    [`${url}?operationName=Sacks`, undefined, ['Sacks']],
    [url, '{"operationName":"Sacks"}', ['Sacks']],
    [url, ' [{"operationName":"A"},null,3,{"operationName":7},{"operationName":"B"}]', ['A', 'B']],
    [url, 'doc_id=1&fb_api_req_friendly_name=Sacks', ['Sacks']],
    [url, '{"operationName":', []],
    [url, `[${'[],'.repeat(10_000)}{"operationName":"late"}]`, []],
    ['not a url', '{"__proto__":{"operationName":"x"}}', []],
  ];
  for (const [address, postData, names] of cases) assert.deepEqual(listOperations({ url: address, postData }), names);
  const rule = { name: 'a', path: '/graphql', operation: 'Sacks' };
  const head = { url, status: 200, contentType: 'application/json' };
  assert.equal(matchesRule(rule, head, ['Sacks']), true);
  assert.equal(matchesRule(rule, head, []), false);
  assert.equal(matchesRule(rule, { ...head, url: `${url}/more` }, ['Sacks']), false);
});

type Spoken = {
  readonly commands: PassThrough;
  readonly say: (method: string, params: object) => void;
  readonly reply: (message: object) => void;
};

/** Provides a page without a browser: `say` sends its events, `commands` are its received commands. */
async function withSpokenTab(signal: AbortSignal, work: (tab: Tab, spoken: Spoken) => Promise<void>): Promise<void> {
  const [to, from] = [new PassThrough(), new PassThrough()];
  const devtools = new DevTools(to, from);
  const reply = (message: object): void => void from.write(`${JSON.stringify({ ...message, sessionId: 's' })}\0`);
  const context = {
    browser: { devtools, version: 149, profile: '', pid: 0, ended: Promise.resolve(), close: () => Promise.resolve() },
    contextId: 'c',
    targetId: 't',
    session: devtools.session('s'),
    proxy: { isMet: true },
    page: { isFrozen: false },
    activeCommands: new Map(),
    close: () => Promise.resolve(),
  };
  const spoken: Spoken = { commands: to, say: (method, params) => reply({ method, params }), reply };
  await runWithTab({ context, clock: SYSTEM_CLOCK, signal }, async (tab) => work(tab, spoken));
}

const RECEIVED = {
  type: 'Fetch',
  response: { url: 'http://shop.test/api', status: 200, mimeType: 'application/json' },
};

test('of 10,000 responses, only as many bodies are read as the rules store', async () => {
  await withSpokenTab(AbortSignal.timeout(60_000), async (tab, { commands, say, reply }) => {
    const captures = captureResponses(tab, [
      { name: 'few', path: '/api', operation: 'Few', max: 3 },
      { name: 'api', path: '/api' },
    ]);
    let asked = 0;
    commands.on('data', (data) => {
      for (const [, id] of String(data).matchAll(/"id":(\d+)/g)) {
        asked += 1;
        reply({ id: Number(id), result: { body: 'rye', base64Encoded: false } });
      }
    });
    for (let at = 0; at < 10_000; at += 1) {
      const requestId = String(at);
      const postData = at % 2 === 0 ? '' : '{"operationName":"Few"}';
      say('Network.requestWillBeSent', { requestId, request: { url: RECEIVED.response.url, postData } });
      say('Network.responseReceived', { requestId, ...RECEIVED });
      say('Network.dataReceived', { requestId, dataLength: 3 });
      say('Network.loadingFinished', { requestId });
    }
    await tab.waitUntil(() => captures.count() === 100, 60_000);
    const names = (await captures.listCaptured()).map(({ name }) => name);
    assert.deepEqual([asked, names.length, names.filter((name) => name === 'few').length], [100, 100, 3]);
  });
});

test('a visit that ends while a response body is read affects nothing else', async () => {
  const leaving = new AbortController();
  const visit = withSpokenTab(leaving.signal, async (tab, { commands, say }) => {
    captureResponses(tab, [{ name: 'api', path: '/api' }]);
    const asked = once(commands, 'data');
    say('Network.responseReceived', { requestId: '1', ...RECEIVED });
    say('Network.loadingFinished', { requestId: '1' });
    assert.match(String(await asked), /Network\.getResponseBody/);
    leaving.abort(new Error('the caller is gone'));
    tab.signal.throwIfAborted();
  });
  await assert.rejects(visit, /the caller is gone/);
  // By then an unhandled rejection would have failed this test.
  await turn();
});
