import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { type Chunk, chunkMarkdown, type Chunking, DEFAULT_CHUNKING } from '#extract/chunks/chunk-markdown.ts';
import { createTokenCounter, TOKENIZERS } from '#extract/chunks/tokens.ts';
import { extract } from '#extract/index.ts';
import { findChunkFaults } from '#testkit/chunk-faults.ts';
import { recordedPages } from '../corpus.ts';
import { read, sentence } from '../pages.ts';

const url = 'https://mill.example/guide';
const NO_ANCHORS = new Map<string, (string | null)[]>();

function cut(markdown: string, options: Partial<Chunking> = {}, title: string | null = null): readonly Chunk[] {
  const chunking = { ...DEFAULT_CHUNKING, ...options };
  return chunkMarkdown({ markdown, url, title, anchors: NO_ANCHORS }, chunking).chunks;
}

function assertSound(markdown: string, chunks: readonly Chunk[], chunking: Chunking = DEFAULT_CHUNKING): void {
  const { lostCharacters, cutBlocks, tooLarge } = findChunkFaults(markdown, chunks, chunking);
  assert.deepEqual({ lostCharacters, cutBlocks, tooLarge }, { lostCharacters: 0, cutBlocks: [], tooLarge: 0 });
  assert.equal(new Set(chunks.map(({ id }) => id)).size, chunks.length, 'IDs are unique');
  assert.deepEqual(
    chunks.map(({ position }) => position),
    chunks.map((_, at) => at),
  );
}

const paragraph = (number: number): string => `${sentence(number)} ${sentence(number + 300)}\n\n`;
const paragraphs = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, at) => paragraph(from + at)).join('');

function toKey({ id, content_hash: hash }: Chunk): string {
  return `${id} ${hash}`;
}

suite('chunks of a page', { concurrency: true }, () => {
  test('each section is a chunk with its headings, and a heading without text belongs to the section below it', () => {
    const markdown = `Before.\n\n# Guide\n\n## Install *now*\n\nOne.\n\n#### Note\n\nTwo.\n\n## Use \`it\`\n\n- a\n- b\n`;
    const chunks = cut(markdown);
    assert.deepEqual(
      chunks.map(({ text, heading_path: path, kind }) => [text, path, kind]),
      [
        ['Before.', [], 'text'],
        ['# Guide\n\n## Install *now*\n\nOne.\n\n#### Note\n\nTwo.', ['Guide', 'Install now'], 'text'],
        ['## Use `it`\n\n- a\n- b', ['Guide', 'Use it'], 'list'],
      ],
    );
    assert.deepEqual(
      cut(markdown, { headingDepth: 1 }).map(({ heading_path: path }) => path),
      [[], ['Guide']],
    );
    assertSound(markdown, chunks);
  });

  test('the URL of a chunk has the anchor of the page: of the heading, in it, before it or of its section', () => {
    const page = `<!doctype html><title>Guide</title><body><main>
      <h1 id=top>Guide</h1><p>${sentence(1)}</p>
      <h2><a name="in stall"></a>Install</h2><p>${sentence(2)}</p>
      <a id=use></a><h2>Use</h2><p>${sentence(3)}</p>
      <h3>Bare</h3><p>${sentence(4)}</p>
      <section id=end><h2>End</h2><p>${sentence(5)}</p></section>
      <h2 id=again>Install</h2><p>${sentence(6)}</p></main>`;
    const { outputs } = read(page, { outputs: ['chunks'] });
    const base = 'https://example.com/docs/page.html?q=1';
    assert.deepEqual(
      outputs.chunks?.map((chunk) => [chunk.heading_path.at(-1), chunk.url]),
      [
        ['Guide', `${base}#top`],
        ['Install', `${base}#in%20stall`],
        ['Use', `${base}#use`],
        ['Bare', `${base}#use`],
        ['End', `${base}#end`],
        ['Install', `${base}#again`],
      ],
    );
    assert.deepEqual(Object.keys(outputs), ['chunks'], 'the Markdown is not returned with them');
  });

  test('a long section is cut between blocks, and a list between items', () => {
    const items = Array.from({ length: 40 }, (_, at) => `- ${sentence(at)}\n`).join('');
    const markdown = `# Records\n\n${paragraphs(0, 12)}${items}\n${paragraphs(50, 60)}`;
    const chunks = cut(markdown, { maxTokens: 200 });
    assertSound(markdown, chunks, { ...DEFAULT_CHUNKING, maxTokens: 200 });
    assert.ok(chunks.length > 10);
    assert.ok(chunks.every(({ split, tokens }) => split === undefined && tokens > 30));
    assert.match(chunks[0]?.text ?? '', /^# Records\n\nThe harbour/, 'a heading stays with the text below it');
  });

  test('parts of a long table repeat its header, and parts of long code its fences', () => {
    const rows = Array.from({ length: 60 }, (_, at) => `| ${at} | ${sentence(at)} |\n`).join('');
    const lines = Array.from({ length: 80 }, (_, at) => `  const year${at} = ${at};\n`).join('');
    const markdown = `# Tables\n\n| Year | Record |\n| --- | --- |\n${rows}\n# Code\n\n- \`\`\`js\n${lines}  \`\`\`\n`;
    const chunks = cut(markdown, { maxTokens: 256 });
    assertSound(markdown, chunks, { ...DEFAULT_CHUNKING, maxTokens: 256 });
    const tables = chunks.filter(({ kind }) => kind === 'table');
    assert.ok(tables.length > 5 && tables.every(({ split }) => split === true));
    for (const { text } of tables) assert.match(text, /(?:^|\n)\| Year \| Record \|\n\| --- \| --- \|\n\| \d+ \|/);
    const codes = chunks.filter(({ heading_path: [heading] }) => heading === 'Code');
    assert.ok(codes.length > 2);
    for (const { text } of codes) assert.match(text, /^(?:# Code\n\n- | {2})```js\n(?: {2}const .*\n)+ {2}```$/);
  });

  test('formulas, inline code and links are not cut', () => {
    const formula = String.raw`$$a_1 + a_2. b_3 ! c_4 \frac{1}{2}$$`;
    const text = Array.from(
      { length: 30 },
      (_, at) => `word${at} ${formula} [a link. Here](https://x.example/${at})`,
    ).join(' ');
    const chunks = cut(text, { maxTokens: 64 });
    assertSound(text, chunks, { ...DEFAULT_CHUNKING, maxTokens: 64 });
    assert.ok(chunks.length > 10);
    for (const { text: own } of chunks) {
      assert.equal(own.split('$$').length % 2, 1, own);
      assert.equal(own.split('[').length, own.split('](').length, own);
    }
  });

  test('an edited text keeps its ID and changes its hash; an inserted paragraph changes few chunks', () => {
    const sections = Array.from(
      { length: 8 },
      (_, at) => `## Part ${at}\n\n${paragraphs(at * 40, at * 40 + 2 + 8 * (at % 3))}`,
    );
    const markdown = `# Book\n\n${sections.join('')}`;
    const before = cut(markdown, { maxTokens: 256 });
    const known = new Set(before.map(toKey));
    const edited = cut(markdown.replace(sentence(1), 'Nobody wrote in that year.'), { maxTokens: 256 });
    assert.deepEqual(
      edited.map(({ id }) => id),
      before.map(({ id }) => id),
    );
    assert.equal(edited.filter((chunk) => !known.has(toKey(chunk))).length, 1);
    const places = Array.from(markdown.matchAll(/\n\n(?=The harbour)/g), ({ index }) => index + 2);
    assert.ok(places.length > 60);
    const written = places.map((place) => {
      const inserted = `Inserted at ${place}: the archive was moved to the town hall.\n\n`;
      const after = cut(markdown.slice(0, place) + inserted + markdown.slice(place), { maxTokens: 256 });
      return after.filter((chunk) => !known.has(toKey(chunk))).length;
    });
    assert.ok(
      written.every((count) => count >= 1 && count <= 3),
      written.join(' '),
    );
    assert.ok(written.filter((count) => count > 2).length <= 0.03 * places.length, written.join(' '));
  });

  test('overlap repeats the end of the chunk before within a section, within the bound and never half of a pair', () => {
    const maxTokens = 128;
    const plain = `# A\n\n${paragraphs(0, 20)}# B\n\n${paragraphs(40, 41)}`;
    for (const text of [plain, '😀'.repeat(3000), `${'水の記録'.repeat(20)}。`.repeat(40)]) {
      for (const tokenizer of TOKENIZERS) {
        const chunks = cut(text, { maxTokens, overlapTokens: 40, tokenizer });
        assert.ok(chunks.length > 3);
        for (const [at, chunk] of chunks.entries()) {
          assert.ok(chunk.text.isWellFormed(), `${tokenizer}, chunk ${at}`);
          assert.ok(chunk.tokens <= maxTokens, `${tokenizer}: ${chunk.tokens}`);
          assert.equal(chunk.tokens, createTokenCounter(tokenizer)(chunk.text));
        }
      }
    }
    const [first, second] = cut(plain, { maxTokens, overlapTokens: 40 });
    const [start = ''] = second?.text.split('\n') ?? [];
    assert.ok(start.length > 50 && first?.text.endsWith(start), start);
    assert.match(cut(plain, { maxTokens, overlapTokens: 40 }).at(-1)?.text ?? '', /^# B\n/);
  });

  test('contextual text starts with title and headings, which may take a quarter of the bound', () => {
    const markdown = `# Guide\n\n## Install\n\n${paragraphs(0, 6)}`;
    const chunks = cut(markdown, { contextual: true, maxTokens: 128 }, 'The Mill');
    assert.ok(chunks.length > 2);
    for (const { text, tokens } of chunks) {
      assert.match(text, /^The Mill > Guide > Install\n\n/);
      assert.ok(tokens <= 128);
    }
    const [long] = cut(markdown, { contextual: true, maxTokens: 128 }, 'word '.repeat(100));
    assert.match(long?.text ?? '', /^Guide > Install\n\n/);
  });

  test('a Markdown file is cut as it is written: underlined headings, indented code, loose lists', () => {
    const source = `Title\n=====\n\nIntro\n  \nPart\n----\n\n    code\n\n    more\n\n1. a\n\n   b\n2. c\n\n> # quoted\n`;
    const { outputs } = read(source, { contentType: 'text/markdown', outputs: ['chunks', 'markdown'] });
    assert.deepEqual(
      outputs.chunks?.map(({ heading_path: path }) => path),
      [['Title'], ['Title', 'Part']],
    );
    assertSound(source, outputs.chunks ?? []);
  });

  test('the public API takes options, and refuses bounds with the range', () => {
    const page = `<main><h1>Mill</h1>${paragraphs(0, 9)
      .split('\n\n')
      .map((text) => `<p>${text}</p>`)
      .join('')}</main>`;
    const options = { url, outputs: ['chunks' as const] };
    const { chunks = [] } = extract(page, { ...options, chunking: { maxTokens: 64, tokenizer: 'cl100k_base' } });
    assert.ok(chunks.length > 5 && chunks.every(({ tokens }) => tokens <= 64));
    for (const maxTokens of [0, 1, 15, 1e9, 16.5, Number.NaN])
      assert.throws(() => extract(page, { ...options, chunking: { maxTokens } }), /maxTokens .*from 16 to 100000/);
    const chunking = { maxTokens: 64, overlapTokens: 33 };
    assert.throws(() => extract(page, { ...options, chunking }), /overlapTokens .*from 0 to 32/);
  });
});

const word = fc.oneof(
  fc.constantFrom(
    'the',
    'mill',
    'grinds.',
    'Rye!',
    'and',
    '😀',
    '水車',
    '`a. b`',
    '$x. y$',
    '[l. m](/u)',
    '/',
    '-',
    '#',
    '|',
    'ａ',
  ),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).map((text) => text.replaceAll(/\s|[`~$]/g, 'x')),
);
const line = fc.array(word, { minLength: 1, maxLength: 40 }).map((words) => `w ${words.join(' ')}`);
const block = fc.oneof(
  line,
  fc.tuple(fc.integer({ min: 1, max: 6 }), line).map(([level, text]) => `${'#'.repeat(level)} ${text}`),
  fc.array(line, { minLength: 1, maxLength: 12 }).map((items) => items.map((text) => `- ${text}`).join('\n')),
  fc
    .array(line, { minLength: 1, maxLength: 6 })
    .map((items) => items.map((text, at) => `${at + 1}. ${text}\n   - inner`).join('\n')),
  fc.array(line, { minLength: 0, maxLength: 12 }).map((lines) => `\`\`\`js\n${lines.join('\n')}\n\`\`\``),
  fc.array(line, { minLength: 1, maxLength: 6 }).map((lines) => lines.map((text) => `> ${text}`).join('\n>\n')),
  fc
    .array(line, { minLength: 1, maxLength: 12 })
    .map(
      (rows) => `| a | b |\n| --- | --- |\n${rows.map((text) => `| 1 | ${text.replaceAll('|', 'x')} |`).join('\n')}`,
    ),
);
const documents = fc.array(block, { minLength: 1, maxLength: 14 }).map((blocks) => `${blocks.join('\n\n')}\n`);

test('of any Markdown no character is lost, no block is cut that fits, and no chunk is above the bound', () => {
  const options = fc.record({
    maxTokens: fc.constantFrom(16, 24, 64, 256),
    tokenizer: fc.constantFrom(...TOKENIZERS),
    headingDepth: fc.integer({ min: 1, max: 6 }),
  });
  fc.assert(
    fc.property(documents, options, (markdown, own) => {
      assertSound(markdown, cut(markdown, own), { ...DEFAULT_CHUNKING, ...own });
    }),
    { numRuns: 300 },
  );
});

test('of recorded pages no word is lost and no block is cut', () => {
  const pages = recordedPages(120);
  let chunked = 0;
  for (const { name, body } of pages) {
    for (const maxTokens of [64, 512]) {
      const chunking = { ...DEFAULT_CHUNKING, maxTokens };
      const { outputs } = read('', { body, outputs: ['markdown', 'chunks'], chunking, contentType: 'text/html' });
      const { markdown = '', chunks = [] } = outputs;
      const { lostCharacters, cutBlocks, tooLarge } = findChunkFaults(markdown, chunks, chunking);
      assert.deepEqual(
        { name, lostCharacters, cutBlocks, tooLarge },
        { name, lostCharacters: 0, cutBlocks: [], tooLarge: 0 },
      );
      chunked += chunks.length;
    }
  }
  console.log(`${chunked} chunks of ${pages.length} recordings`);
});
