import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { z } from 'zod';
import { EngineRecord } from '#sites/engines/shared.ts';
import type { SiteVerdict } from '#sites/framework/answers.ts';
import { enginePages } from '#sites/index.ts';
import { readSource } from '#sites/read-source.ts';

const FOLDER = join(process.env['QUERN_CORPUS'] ?? '', 'sites/websearch/search');
const hasCorpus = process.env['QUERN_CORPUS'] !== undefined && existsSync(FOLDER);

type EngineKey = keyof typeof enginePages;

/** Parses a page with a source of an engine. */
function readPage(
  engine: EngineKey,
  source: string,
  body: string,
  url = 'https://engine.example/search?q=x',
): SiteVerdict {
  return readSource({
    endpoint: enginePages[engine].id,
    source,
    input: { search: 'x', page: 1, language: 'en', domain: 'com' },
    page: { url, requested: url, status: 200, headers: {}, contentType: 'text/html; charset=utf-8', carry: undefined },
    body: new TextEncoder().encode(body),
    captures: [],
    settings: { origins: {}, constants: {} },
    cursor: null,
    limit: null,
  });
}

function loadRecording(file: string): string {
  return readFileSync(join(FOLDER, file), 'utf8');
}

function getResults(verdict: SiteVerdict): EngineRecord['results'] {
  assert.equal(verdict.kind, 'record', 'reason' in verdict ? verdict.reason : '');
  return verdict.kind === 'record' ? EngineRecord.parse(verdict.record).results : [];
}

const Labels = z.object({
  results: z.array(z.object({ type: z.string(), url: z.string().nullable(), text: z.string().nullable() })),
});

/** Removes the fragment of a URL, because labels have none. */
const removeFragment = (url: string): string => url.split('#')[0] ?? url;

test('finds the labelled results of recorded pages and their descriptions', (t) => {
  const counts = { pages: 0, labelled: 0, found: 0, described: 0, extra: 0 };
  for (const file of hasCorpus ? readdirSync(FOLDER) : []) {
    const labels = file.replace(/\.html$/, '.expected.json');
    if (!file.endsWith('.html') || !existsSync(join(FOLDER, labels))) continue;
    const given = Labels.parse(JSON.parse(loadRecording(labels))).results.filter(({ type }) => type === 'general');
    const results = getResults(readPage('websearch', 'rendered', loadRecording(file))).filter((one) => !one.is_paid);
    counts.pages += 1;
    for (const { url } of given) {
      const found = results.find((one) => removeFragment(one.url) === removeFragment(url ?? ''));
      counts.labelled += 1;
      counts.found += found === undefined ? 0 : 1;
      counts.described += found === undefined || found.description === '' ? 0 : 1;
    }
    counts.extra += results.filter(
      (one) => !given.some(({ url }) => removeFragment(url ?? '') === removeFragment(one.url)),
    ).length;
    assert.ok(
      results.every(({ url_shown: shown, title }) => shown !== '' && title !== ''),
      file,
    );
  }
  t.diagnostic(JSON.stringify(counts));
  if (hasCorpus) assert.ok(counts.pages > 0);
  assert.ok(counts.found >= (counts.labelled * 95) / 96, 'results');
  assert.ok(counts.described >= (counts.labelled * 90) / 96, 'descriptions');
  assert.ok(counts.extra <= counts.pages / 4, 'others taken for results');
});

test('parses a recorded page in another language', () => {
  if (!hasCorpus) return;
  assert.equal(getResults(readPage('websearch', 'rendered', loadRecording('google__search_results.html'))).length, 10);
  assert.equal(getResults(readPage('duckduckgo', 'html', loadRecording('duckduckgo__search_results.html'))).length, 10);
});

test('parses the results of recorded pages of other engines, and recognizes pages without results', () => {
  if (!hasCorpus) return;
  for (const [engine, count] of [
    ['yandex', 11],
    ['baidu', 8],
    ['ecosia', 10],
  ] as const) {
    const results = getResults(readPage(engine, 'page', loadRecording(`${engine}__search_results.html`)));
    assert.equal(results.length, count, engine);
    assert.ok(
      results.every(({ title, description }) => title !== '' && description.length > 10),
      engine,
    );
  }
  for (const engine of ['baidu', 'ecosia'] as const)
    assert.deepEqual(getResults(readPage(engine, 'page', loadRecording(`${engine}__search_no_results.html`))), []);
});

const FeatureLabels = z.object({
  results: z.array(
    z.object({
      type: z.string(),
      details: z
        .looseObject({ items: z.array(z.string()).optional() })
        .nullish()
        .catch(null),
    }),
  ),
});

test('finds the labelled related searches and questions of recorded pages', (t) => {
  const counts = { related: 0, labelled: 0, pages: 0, asked: 0 };
  for (const file of hasCorpus ? readdirSync(FOLDER) : []) {
    const labels = file.replace(/\.html$/, '.expected.json');
    if (!file.endsWith('.html') || !existsSync(join(FOLDER, labels))) continue;
    const given = FeatureLabels.parse(JSON.parse(loadRecording(labels))).results;
    const wanted = given.find(({ type }) => type === 'searches_related')?.details?.items ?? [];
    const verdict = readPage('websearch', 'rendered', loadRecording(file));
    const features = verdict.kind === 'record' ? EngineRecord.parse(verdict.record).features : null;
    const related = new Set(features?.related_searches?.map((words) => words.toLowerCase()));
    counts.pages += 1;
    counts.labelled += wanted.length;
    counts.related += wanted.filter((words) => related.has(words.toLowerCase())).length;
    counts.asked += (features?.people_also_ask?.length ?? 0) >= 4 ? 1 : 0;
  }
  t.diagnostic(JSON.stringify(counts));
  assert.equal(counts.related, counts.labelled);
  assert.equal(counts.asked, counts.pages);
});

test('parses all elements of a page besides its results', () => {
  const body = `<input name="q" value="mill"><div id="rso"><div class="g"><a href="https://mill.example/"><h3>Mill</h3></a></div>
    <div class="related-question-pair" data-q="Why do mills turn?"></div>
    <div><div role="heading" aria-level="2">Top stories</div><a class="WlydOe" href="https://news.example/1"><div role="heading">Storm</div><cite>News</cite></a></div>
    <div><div role="heading">What people say</div></div>
    <div><a href="https://video.example/1"><div role="heading" aria-level="3">A mill at work</div><span>2:49</span></a></div>
    <div class="VkpGBb"><div role="heading">Weir mill</div><div class="rllt__details">Lower Weir</div></div></div>
    <div class="kp-wholepage"><div data-attrid="title">Windmill</div><div data-attrid="subtitle">Machine</div><div class="kno-rdesc"><span>It grinds.</span></div></div>
    <div id="m-x-content"><div>None is there.</div><div data-container-id="main-col">${'Mills turn into the wind. '.repeat(5)}</div><a href="https://source.example/">Source</a><a href="https://support.engine.example/">Help</a></div>
    <div id="botstuff"><a href="/search?q=post+mill">post mill</a><a href="/search?q=mill">Try again</a><a href="/search?q=mill&amp;start=10">2</a></div>`;
  const verdict = readPage('websearch', 'rendered', body, 'https://engine.example/search');
  assert.ok(verdict.kind === 'record');
  assert.deepEqual(EngineRecord.parse(verdict.record).features, {
    people_also_ask: ['Why do mills turn?'],
    related_searches: ['post mill'],
    knowledge_panel: { title: 'Windmill', subtitle: 'Machine', description: 'It grinds.' },
    top_stories: [{ title: 'Storm', url: 'https://news.example/1', source: 'News' }],
    videos: [{ title: 'A mill at work', url: 'https://video.example/1', source: null }],
    local_results: [{ title: 'Weir mill', details: 'Lower Weir' }],
    ai_overview: {
      text: 'Mills turn into the wind. '.repeat(5).trim(),
      sources: [{ title: 'Source', url: 'https://source.example/', source: null }],
    },
  });
});

test("no engine parses results from a recorded captcha, or from another engine's page without results", () => {
  if (!hasCorpus) return;
  const walls = ['google', 'baidu', 'ecosia'].map((name) => `${name}__search_captcha.html`);
  for (const file of walls)
    for (const engine of Object.keys(enginePages).filter((name): name is EngineKey => name in enginePages))
      for (const { name } of enginePages[engine].sources) {
        const verdict = readPage(engine, name, loadRecording(file));
        assert.ok(
          verdict.kind === 'blocked' || verdict.kind === 'unusable',
          `${engine} ${name} ${file}: ${verdict.kind}`,
        );
      }
  assert.deepEqual(readPage('websearch', 'rendered', loadRecording('google__search_captcha.html')), {
    kind: 'blocked',
    reason: 'captcha',
  });
});

test('a page with the script of a soft block is blocked only if it is empty', () => {
  const script = '<noscript><meta content="0;url=/httpservice/retry/enablejs"></noscript>';
  const good = `${script}<div id="rso"><div class="g"><a href="https://mill.example/"><h3>Mill</h3></a></div></div>`;
  assert.equal(getResults(readPage('websearch', 'rendered', good)).length, 1);
  // A rendered page lacks the noscript element.
  for (const empty of [`${script}<div id="main"></div>`, '<body><div id="main"></div></body>'])
    for (const source of ['rendered', 'wml'])
      assert.deepEqual(readPage('websearch', source, empty), { kind: 'blocked', reason: 'soft_block' });
});
