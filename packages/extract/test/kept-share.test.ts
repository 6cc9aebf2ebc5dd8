import assert from 'node:assert/strict';
import { test } from 'node:test';
import { featuresOf } from '#extract/content/content.ts';
import { explainContent } from '#extract/content/explain.ts';
import { TRAINED_MODEL } from '#extract/content/model/trained.ts';
import { computeKeptShare } from '#extract/content/rules/kept-share.ts';
import type { BlockVerdict } from '#extract/content/rules/scored-page.ts';
import { parseHtml } from '#extract/html/parse.ts';
import { paragraphs, read } from './pages.ts';

const URL = 'https://example.com/news/wheel';

const NO_KIND = { article: 0, documentation: 0, service: 0, forum: 0, product: 0, listing: 0, collection: 0 };

/** The share of a page whose blocks have these verdicts and scores; `documentation` is how likely it is a reference. */
function shareOf(html: string, found: readonly (readonly [BlockVerdict, number])[], documentation = 0): number | null {
  const features = featuresOf(parseHtml(html), URL, TRAINED_MODEL);
  assert.ok(features !== null);
  const verdicts = found.map(([verdict]) => verdict);
  const weighed = Float32Array.from(found, ([, score]) => score);
  return computeKeptShare(features, { verdicts, weighed, kinds: { ...NO_KIND, documentation } });
}

const P = `<p>${'word '.repeat(60)}</p>`;

test('what is left out counts by how likely it is main text', () => {
  const [kept, likely, unlikely] = [['kept', 1] as const, ['low_score', 0.64] as const, ['low_score', 0.01] as const];
  const two = `<body>${P}${P}`;
  assert.ok(Math.abs((shareOf(two, [kept, likely]) ?? 0) - 1 / (1 + 0.512)) < 0.001);
  assert.ok((shareOf(two, [kept, unlikely]) ?? 0) > 0.99);
  assert.ok((shareOf(two, [kept, ['hidden', 0.64]]) ?? 1) < 0.7);
  assert.equal(shareOf(two, [kept, ['chrome', 0.9]]), 1);
  assert.equal(shareOf(`<body><p>${'word '.repeat(20)}</p>`, [kept]), null);
});

test('of a reference all plain text that is left out counts, but not links, footers, rights and what is hidden', () => {
  const kept = ['kept', 0.3] as const;
  const left = ['low_score', 0.05] as const;
  const share = (other: string) => shareOf(`<body>${P}${other}`, [kept, left], 0.4) ?? 0;
  assert.ok(share(P) < 0.6);
  for (const other of [
    `<footer>${P}</footer>`,
    `<a href=/x>${P}</a>`,
    `<div hidden>${P}</div>`,
    `<div class=sidebar>${P}</div>`,
  ])
    assert.ok(share(other) > 0.98, other);
  assert.ok(share(P.replace('word', '© 2024 word')) > 0.98);
  assert.ok((shareOf(`<body>${P}${P}`, [['kept', 0.9], left]) ?? 0) > 0.96);
});

const LOTS = Array.from({ length: 90 }, (_, at) => `<div><span>lot ${at}</span> <b>kg ${at * 7}</b></div>`).join('');
const REDUCED = `<title>The wheel | Herald</title><body><div class=extra>${LOTS}</div><article><h1>The wheel</h1>${paragraphs(0, 5)}</article>`;

test('a reading that leaves out much that may be main text says how much and how to get it, and the explanation does too', () => {
  const { warnings } = read(REDUCED, { url: URL });
  const reduced = warnings.find(({ code }) => code === 'content_reduced');
  const share = explainContent(parseHtml(REDUCED), URL)?.share ?? 1;
  assert.ok(share < 0.88, String(share));
  const percent = Math.round((1 - share) * 100);
  assert.match(reduced?.message ?? '', new RegExp(`about ${percent} % of .* left out; set only_main_content to false`));
});

test('long menus, comments and a notice on cookies are not said to be missing', () => {
  const links = Array.from({ length: 60 }, (_, at) => `<li><a href=/s/${at}>Section ${at} of the whole site</a></li>`);
  const notice = 'We use cookies to store data on your device, and we ask for your consent to tracking. '.repeat(20);
  const around = `<div><ul>${links.join('')}</ul></div><div class=x><p>${notice}</p><button>Accept</button></div>`;
  const comments = `<div id=comments>${paragraphs(20, 30)}</div>`;
  const html = `<title>The wheel | Herald</title><body>${around}<article><h1>The wheel</h1>${paragraphs(0, 8)}</article>${comments}`;
  const { outputs, warnings } = read(html, { url: URL });
  assert.doesNotMatch(outputs.markdown ?? '', /Section 7|cookies|year 1825/);
  assert.deepEqual(warnings, []);
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
