import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findPassages } from '#features/passages/page-passages.ts';
import { Crawled } from '../support/engine/crawl-result.ts';
import { buildSite, crawlIn, inEachMode, serves } from '../support/engine/crawl-modes.ts';
import { withModel } from '../support/model.ts';
import { brings, SITE, withGate } from './gate.ts';

const FILLER = 'The river runs past the village and the church. '.repeat(6);
const MILL = `<html><head><title>The mill</title></head><body><nav><a href="/">Opening hours of the shop today</a></nav><article>
<h1>The mill</h1><p>${FILLER}</p><p>The mill opens at nine o'clock on weekdays. It grinds rye.</p><p>${FILLER}</p>
<p>On Sundays the mill opens at <b>eleven</b>, for visitors only.</p></article></body></html>`;
const QUOTES = [
  "The mill opens at nine o'clock on weekdays.",
  'On Sundays the mill opens at eleven, for visitors only.',
];
const query = 'When does the mill open?';
const asks = (more: object = {}) => ({ output: ['passages'], passages: { query, ...more } });

test('the passages of a page that match a query are quoted in the order of the page, for no further credits', async () => {
  await withGate({ tierVisits: { http: brings({ text: MILL }) } }, async ({ fetch, spent }) => {
    const { answer } = await fetch(asks());
    assert.deepEqual(
      [answer?.body['passages'], answer?.body['answer'], answer?.body['warnings']],
      [QUOTES, undefined, []],
    );
    const cut = await fetch({ ...asks(), output: ['passages', 'text'], max_chars: 200 });
    assert.deepEqual(cut.answer?.body['passages'], QUOTES);
    assert.ok(String(cut.answer?.body['text']).length <= 200);
    const none = await fetch(asks({ query: 'zeppelins' }));
    assert.deepEqual(none.answer?.body['passages'], []);
    assert.deepEqual(await spent(), [6, 0]);
  });
});

test('max_chars limits the passages, and the best ones are kept', async () => {
  const text = Array.from({ length: 40 }, (_, n) => `Fact ${n} about the kiln is that brick ${n} glows.`).join('\n\n');
  const of = async (max_chars: number) =>
    (await findPassages(text, { query: 'Which fact about the kiln?', max_chars, answer: false }, false)).list;
  const [short, long] = [await of(100), await of(1000)];
  assert.ok(short.length > 0 && short.join('').length <= 100);
  assert.ok(long.length > short.length && long.join('').length <= 1000);
  for (const passages of [short, long]) {
    const places = passages.map((passage) => text.indexOf(passage));
    assert.ok(places.every((place, at) => place >= 0 && place > (places[at - 1] ?? -1)));
  }
});

test('bad options of passages are named', async () => {
  await withGate({ tierVisits: { http: brings({ text: MILL }) } }, async ({ fetch, visits }) => {
    for (const [input, message] of [
      [{ output: ['passages'] }, /passages: is required for output passages/],
      [{ output: ['text'], passages: { query } }, /passages: add passages to output/],
      [asks({ query: '  ' }), /passages\.query/],
      [asks({ max_chars: 20 }), /passages\.max_chars/],
      [asks({ question: 'Why?' }), /passages\.question/],
    ] as const) {
      const { code, error } = await fetch(input);
      assert.equal(code, 'invalid_request');
      assert.match(error?.message ?? '', message);
    }
    assert.equal(visits.length, 0);
  });
});

test('the model answers from the passages, for ten credits, and nothing if they do not say it', async () => {
  await withModel(
    ({ said }) => ({ text: said.includes("o'clock") && said.includes('open?') ? 'At nine.' : 'NONE.' }),
    async ({ model }) =>
      withGate({ tierVisits: { http: brings({ text: MILL }) }, model }, async ({ fetch, spent }) => {
        const { answer } = await fetch(asks({ answer: true }));
        assert.deepEqual(
          [answer?.body['answer'], answer?.body['passages'], answer?.usage?.credits],
          ['At nine.', QUOTES, 12],
        );
        assert.deepEqual(answer?.body['model'], {
          outputs: ['answer'],
          members: [],
          input_tokens: 100,
          output_tokens: 10,
        });
        const unsaid = await fetch(asks({ answer: true, query: 'Why does the mill open?', max_chars: 100 }));
        assert.equal(unsaid.answer?.body['answer'], 'At nine.');
        const other = await fetch(asks({ answer: true, query: 'Who owns the mill?' }));
        assert.deepEqual([other.answer?.body['answer'], other.answer?.usage?.credits], [null, 2]);
        assert.match(JSON.stringify(other.answer?.body['warnings']), /model_refused.*no answer in the passages/);
        const low = await fetch({ ...asks({ answer: true }), max_credits: 11 });
        assert.match(low.error?.message ?? '', /max_credits: .* costs 12/);
        assert.deepEqual(await spent(), [26, 0]);
      }),
  );
});

test('without a model the answer is null, with a warning, and an error page is not sent to a model', async () => {
  await withGate({ tierVisits: { http: brings({ text: MILL }) } }, async ({ fetch, spent }) => {
    const { answer } = await fetch(asks({ answer: true }));
    assert.deepEqual([answer?.body['answer'], answer?.body['passages']], [null, QUOTES]);
    assert.match(JSON.stringify(answer?.body['warnings']), /model_not_configured.*passages\.answer/);
    assert.deepEqual(await spent(), [2, 0]);
  });
  await withModel([{ text: 'At nine.' }], async ({ model, asked }) =>
    withGate({ tierVisits: { http: brings({ text: MILL, status: 404 }) }, model }, async ({ fetch, spent }) => {
      const { answer } = await fetch(asks({ answer: true }));
      assert.deepEqual([answer?.body['answer'], asked.length], [null, 0]);
      assert.match(JSON.stringify(answer?.body['warnings']), /answer: the model is not used for an error page/);
      assert.deepEqual(await spent(), [0, 0]);
    }),
  );
});

const TOWN = serves(
  buildSite({
    '/': { links: ['/inn', '/oven'], says: 'The mill of the town grinds fresh rye every morning.' },
    '/inn': { links: [], says: 'The inn of the town pours dark beer in the evening.' },
    '/oven': { links: [], says: 'The oven of the town bakes fresh rye bread on Fridays.' },
  }),
);
const RYE = { query: 'fresh rye', answer: true };
const EXPECTED = {
  '/': ['The mill of the town grinds fresh rye every morning.'],
  '/inn': [],
  '/oven': ['The oven of the town bakes fresh rye bread on Fridays.'],
};

function listByPath(pages: unknown, name: string) {
  const list: readonly Readonly<Record<string, unknown>>[] = Array.isArray(pages) ? pages : [];
  return Object.fromEntries(list.map((page) => [new URL(String(page['url'])).pathname, page[name]]));
}

inEachMode(
  'a crawl quotes passages of each page',
  { kind: 'crawl', options: { tierVisits: { http: TOWN } } },
  async (crawl, gate) => {
    const { pages } = await crawl({ output: ['passages', 'text'], fetch: { passages: RYE } });
    assert.deepEqual(listByPath(pages, 'passages'), EXPECTED);
    assert.deepEqual(listByPath(pages, 'answer'), { '/': null, '/inn': null, '/oven': null });
    assert.match(JSON.stringify(pages), /model_not_configured/);
    assert.deepEqual(await gate.spent(), [6, 0]);
  },
);

inEachMode(
  'a page of a batch may have a query of its own',
  { kind: 'fetch.batch', options: { tierVisits: { http: TOWN } } },
  async (fetchAll) => {
    const [mill, inn, oven] = ['/', '/inn', '/oven'].map((path) => new URL(path, SITE).href);
    const beer = { url: inn, passages: { query: 'dark beer' } };
    const { results } = await fetchAll({ urls: [mill, beer, oven], output: ['passages'], passages: RYE });
    const own = { ...EXPECTED, '/inn': ['The inn of the town pours dark beer in the evening.'] };
    assert.deepEqual(listByPath(results, 'passages'), own);
    assert.deepEqual(listByPath(results, 'answer'), { '/': null, '/inn': undefined, '/oven': null });
  },
);

test('a crawl pays for the answers that the model gives', async () => {
  await withModel(
    ({ said }) => ({ text: said.includes('bakes') ? 'NONE' : 'At the mill.' }),
    async ({ model, asked }) =>
      withGate({ tierVisits: { http: TOWN }, model }, async (gate) => {
        const order = { output: ['passages'], fetch: { passages: RYE } };
        const { pages, usage } = Crawled.parse(await crawlIn(gate, { mode: 'inline', kind: 'crawl' }, order));
        assert.deepEqual(listByPath(pages, 'answer'), { '/': 'At the mill.', '/inn': null, '/oven': null });
        assert.deepEqual(listByPath(pages, 'credits'), { '/': 12, '/inn': 2, '/oven': 2 });
        assert.deepEqual([asked.length, usage.credits], [2, 16]);
        assert.deepEqual(await gate.spent(), [16, 0]);
      }),
  );
});
