import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computeFeatures } from '#extract/content/content.ts';
import { explainContent } from '#extract/content/explain.ts';
import { TRAINED_MODEL } from '#extract/content/model/trained.ts';
import { computeKeptShare } from '#extract/content/rules/kept-share.ts';
import type { BlockVerdict } from '#extract/content/rules/scored-page.ts';
import { parseHtml } from '#extract/html/parse.ts';
import { paragraphs, read } from '../../pages.ts';

const URL = 'https://example.com/news/wheel';

const NO_KIND = { article: 0, documentation: 0, service: 0, forum: 0, product: 0, listing: 0, collection: 0 };

/** The kept share of a page with these verdicts and scores. `documentation` is its probability of documentation. */
function computeShare(
  html: string,
  found: readonly (readonly [BlockVerdict, number])[],
  documentation = 0,
): number | null {
  const features = computeFeatures(parseHtml(html), URL, TRAINED_MODEL);
  assert.ok(features !== null);
  const verdicts = found.map(([verdict]) => verdict);
  const weighed = Float32Array.from(found, ([, score]) => score);
  return computeKeptShare(features, { verdicts, adjustedScores: weighed, kinds: { ...NO_KIND, documentation } });
}

const P = `<p>${'word '.repeat(60)}</p>`;

test('excluded blocks count by their probability of main text', () => {
  const [kept, likely, unlikely] = [['kept', 1] as const, ['low_score', 0.64] as const, ['low_score', 0.01] as const];
  const two = `<body>${P}${P}`;
  assert.ok(Math.abs((computeShare(two, [kept, likely]) ?? 0) - 1 / (1 + 0.512)) < 0.001);
  assert.ok((computeShare(two, [kept, unlikely]) ?? 0) > 0.99);
  assert.ok((computeShare(two, [kept, ['hidden', 0.64]]) ?? 1) < 0.7);
  assert.equal(computeShare(two, [kept, ['chrome', 0.9]]), 1);
  assert.equal(computeShare(`<body><p>${'word '.repeat(20)}</p>`, [kept]), null);
});

test('in documentation all excluded plain text counts, except links, footers, copyright and hidden text', () => {
  const kept = ['kept', 0.3] as const;
  const left = ['low_score', 0.05] as const;
  const share = (other: string) => computeShare(`<body>${P}${other}`, [kept, left], 0.4) ?? 0;
  assert.ok(share(P) < 0.6);
  for (const other of [
    `<footer>${P}</footer>`,
    `<a href=/x>${P}</a>`,
    `<div hidden>${P}</div>`,
    `<div class=sidebar>${P}</div>`,
  ])
    assert.ok(share(other) > 0.98, other);
  assert.ok(share(P.replace('word', '© 2024 word')) > 0.98);
  assert.ok((computeShare(`<body>${P}${P}`, [['kept', 0.9], left]) ?? 0) > 0.96);
});

const LOTS = Array.from({ length: 90 }, (_, at) => `<div><span>lot ${at}</span> <b>kg ${at * 7}</b></div>`).join('');
const REDUCED = `<title>The wheel | Herald</title><body><div class=extra>${LOTS}</div><article><h1>The wheel</h1>${paragraphs(0, 5)}</article>`;

test('a warning says how much likely main text was left out and how to get it, and so does the explanation', () => {
  const { warnings } = read(REDUCED, { url: URL });
  const reduced = warnings.find(({ code }) => code === 'content_reduced');
  const share = explainContent(parseHtml(REDUCED), URL)?.share ?? 1;
  assert.ok(share < 0.88, String(share));
  const percent = Math.round((1 - share) * 100);
  assert.match(reduced?.message ?? '', new RegExp(`about ${percent} % of .* left out; set only_main_content to false`));
});

test('long menus, comments and cookie notices do not count as missing', () => {
  const links = Array.from({ length: 60 }, (_, at) => `<li><a href=/s/${at}>Section ${at} of the whole site</a></li>`);
  const notice = 'We use cookies to store data on your device, and we ask for your consent to tracking. '.repeat(20);
  const around = `<div><ul>${links.join('')}</ul></div><div class=x><p>${notice}</p><button>Accept</button></div>`;
  const comments = `<div id=comments>${paragraphs(20, 30)}</div>`;
  const html = `<title>The wheel | Herald</title><body>${around}<article><h1>The wheel</h1>${paragraphs(0, 8)}</article>${comments}`;
  const { outputs, warnings } = read(html, { url: URL });
  assert.doesNotMatch(outputs.markdown ?? '', /Section 7|cookies|year 1825/);
  assert.deepEqual(warnings, []);
});

test('complete readings and whole pages have no warning about reduced content', () => {
  const whole = `<title>The wheel</title><h1>The wheel</h1>${paragraphs(0, 8)}`;
  assert.deepEqual(read(REDUCED, { url: URL, onlyMainContent: false }).warnings, []);
  assert.deepEqual(read(whole, { url: URL }).warnings, []);
});

test('without main content all visible text is read in order', () => {
  const { markdown } = read(REDUCED, { url: URL, onlyMainContent: false }).outputs;
  const places = ['lot 0', 'kg 315', 'lot 89', '# The wheel'].map((text) => markdown?.indexOf(text) ?? -1);
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  );
  assert.ok(!places.includes(-1));
});
