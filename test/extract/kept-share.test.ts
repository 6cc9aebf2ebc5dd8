import assert from 'node:assert/strict';
import { test } from 'node:test';
import { featuresOf } from '#extract/content/content.ts';
import { explainContent } from '#extract/content/explain.ts';
import { TRAINED } from '#extract/content/model/trained.ts';
import { keptShare } from '#extract/content/rules/kept-share.ts';
import type { BlockVerdict } from '#extract/content/rules/scored-page.ts';
import { parseHtml } from '#extract/html/parse.ts';
import { paragraphs, read } from './pages.ts';

const URL = 'https://example.com/news/wheel';

function shareOf(html: string, verdicts: readonly BlockVerdict[]): number | null {
  const features = featuresOf(parseHtml(html), URL, TRAINED);
  assert.ok(features !== null);
  return keptShare(features, verdicts);
}

const P = `<p>${'word '.repeat(60)}</p>`;

test('the share that is kept counts what is seen outside of navigation, links, comments and what is hidden', () => {
  assert.equal(shareOf(`<body>${P}${P}`, ['kept', 'low_score']), 0.5);
  assert.equal(
    shareOf(`<body>${P}${P}<nav>${P}</nav><footer>${P}</footer>`, ['kept', 'kept', 'low_score', 'low_score']),
    1,
  );
  assert.equal(
    shareOf(`<body>${P}${P}<a href=/x>${P}</a><div hidden>${P}</div>`, ['kept', 'kept', 'low_score', 'low_score']),
    1,
  );
  assert.equal(shareOf(`<body>${P}${P}${P}`, ['kept', 'comment', 'low_score']), 0.5);
  assert.equal(shareOf(`<body>${P}`, ['low_score']), null);
});

const LOTS = Array.from({ length: 90 }, (_, at) => `<div><span>lot ${at}</span> <b>kg ${at * 7}</b></div>`).join('');
const REDUCED = `<title>The wheel | Herald</title><body><div class=extra>${LOTS}</div><article><h1>The wheel</h1>${paragraphs(0, 5)}</article>`;

test('a reading that leaves out much of the visible text says how much it holds, and the explanation does too', () => {
  const { warnings } = read(REDUCED, { url: URL });
  const reduced = warnings.find(({ code }) => code === 'content_reduced');
  const share = explainContent(parseHtml(REDUCED), URL)?.share ?? 1;
  assert.ok(share < 0.6, String(share));
  assert.match(reduced?.message ?? '', new RegExp(`is ${Math.round(share * 100)} % of the visible text`));
});

test('a reading that is whole, or was not asked for the main content, is not said to be reduced', () => {
  const whole = `<title>The wheel</title><h1>The wheel</h1>${paragraphs(0, 8)}`;
  assert.deepEqual(read(REDUCED, { url: URL, onlyMainContent: false }).warnings, []);
  assert.deepEqual(read(whole, { url: URL }).warnings, []);
});

test('without the choice of content all that is visible is read, in its order', () => {
  const { markdown } = read(REDUCED, { url: URL, onlyMainContent: false }).outputs;
  const places = ['lot 0', 'kg 315', 'lot 89', '# The wheel'].map((text) => markdown?.indexOf(text) ?? -1);
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  );
  assert.ok(!places.includes(-1));
});
