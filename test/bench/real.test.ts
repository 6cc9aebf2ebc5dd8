import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildMarkdownTruth, scorePage } from '#bench/real/scores.ts';
import { listSources, buildSource } from '#bench/real/sources.ts';
import { BUILT_ORIGIN, serveFolder } from '#bench/real/static-site.ts';
import { isWikiCompatible, toWikiMarkup } from '#bench/real/wikis/markup.ts';
import { WIKITEXT } from '#bench/real/wikis/mediawiki.ts';

const FENCE = '```js\nmill()\n```';
const TEXT = `Turns. ${'It turns and turns. '.repeat(60)}`;

test('sources are the same READMEs on each run, each with code and one title', () => {
  const sources = listSources(20);
  assert.deepEqual(listSources(20), sources);
  assert.equal(new Set(sources.map(({ slug }) => slug)).size, 20);
  for (const { title, body } of sources) assert.ok(title !== '' && body.includes('```') && !body.startsWith('# '));
});

test('a source is a README without badges and contents, and READMEs with template syntax are rejected', () => {
  const head = '# Mill ![badge](https://b.example/x.svg)\n\n<p align="center">Banner</p>\n\n';
  const source = buildSource('@grain/mill', `${head}## Contents\n\n- [Use](#use)\n\n## Use\n\n${TEXT}\n\n${FENCE}\n`);
  assert.deepEqual(source, { slug: 'grain-mill', title: 'Mill', body: `## Use\n\n${TEXT}\n\n${FENCE}` });
  assert.equal(buildSource('mill', `# Mill\n\n${TEXT} {{ speed }}\n\n${FENCE}\n`), null);
  assert.equal(buildSource('mill', `# Mill\n\n${TEXT}\n`), null);
  assert.equal(buildSource('mill', `# Mill\n\n# Again\n\n${TEXT}\n\n${FENCE}\n`), null);
});

function buildPage(markdown: string) {
  return {
    final_url: 'https://lab.example/mill',
    markdown,
    metadata: { title: 'Mill', published_date: null },
    tier: 'http',
  };
}

test('a page is scored by its words, structure and complete code blocks with their languages', () => {
  const source = { slug: 'mill', title: 'Mill', body: `Turns [fast](https://f.example/).\n\n${FENCE}\n\n    plain` };
  const truth = buildMarkdownTruth(source, 'https://lab.example/mill');
  const whole = scorePage(
    buildPage(`# Mill\n\nTurns [fast](https://f.example/).\n\n${FENCE}\n\n\`\`\`\nplain\n\`\`\``),
    truth,
  );
  assert.deepEqual([whole.recall, whole.precision, whole.fences], [1, 1, { found: 2, all: 2 }]);
  assert.deepEqual([whole.hasTitle, whole.kept.links], [true, { found: 1, all: 1 }]);
  const other = scorePage(buildPage('# Mill\n\nTurns fast.\n\n```ts\nmill()\n```\n\nMore'), truth);
  assert.deepEqual(other.fences, { found: 0, all: 2 });
  assert.deepEqual(other.kept.links, { found: 0, all: 1 });
  assert.ok(other.precision < 1 && other.recall < 1);
});

test('a source is converted to wiki markup if the markup can express it', () => {
  const body = `## Use *it*\n\nSee [the mill](https://m.example/a) or \`a[0]\`.\n\n- one\n  1. deep\n- two\n\n${FENCE}\n\n| a | b |\n|---|---|\n| x | y |`;
  const source = { slug: 'mill', title: 'Mill', body };
  assert.equal(isWikiCompatible(source), true);
  assert.equal(
    toWikiMarkup(source, WIKITEXT),
    `== Use ''it'' ==\n\nSee [https://m.example/a the mill] or <code>a&#91;0&#93;</code>.\n\n* one\n*# deep\n* two\n\n<syntaxhighlight lang="js">\nmill()\n</syntaxhighlight>\n\n{| class="wikitable"\n! a !! b\n|-\n| x || y\n|}\n`,
  );
  assert.equal(isWikiCompatible({ ...source, body: `- one\n\n  ${FENCE.replaceAll('\n', '\n  ')}` }), false);
});

test('a folder is served as by a static host, with its links rewritten to the actual origin', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quern-lab-'));
  writeFileSync(join(folder, 'mill.html'), `<a href="${BUILT_ORIGIN}/corn">Corn</a>`);
  writeFileSync(join(folder, '404.html'), 'none');
  const { origin, close } = await serveFolder(folder);
  try {
    const answers = await Promise.all(
      ['mill', 'mill.html', 'corn', '..%2f..%2fetc/passwd'].map((path) => fetch(`${origin}/${path}`)),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 404, 404],
    );
    assert.equal(await answers[0]?.text(), `<a href="${origin}/corn">Corn</a>`);
  } finally {
    await close();
    rmSync(folder, { recursive: true });
  }
});
