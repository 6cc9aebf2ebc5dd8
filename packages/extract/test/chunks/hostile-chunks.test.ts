import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { chunkMarkdown, DEFAULT_CHUNKING, MAX_CHUNKS } from '#extract/chunks/chunk-markdown.ts';

/** Large enough that a quadratic chunker takes seconds. */
const SIZE = 250_000;

/** Texts that make a naive chunker slow, or its chunks too large. */
const TEXTS: Readonly<Record<string, string>> = {
  'no spaces': 'a'.repeat(SIZE),
  'no spaces in pairs': '😀'.repeat(SIZE / 2),
  headings: Array.from({ length: 25_000 }, (_, at) => `# ${at}\n\n`).join(''),
  'equal headings': '# a\n\nb\n\n'.repeat(25_000),
  'deep lists': Array.from({ length: 700 }, (_, at) => `${'  '.repeat(at)}- item ${at}\n`).join(''),
  'deep quotes': Array.from({ length: 700 }, (_, at) => `${'>'.repeat(at)} line ${at}\n`).join(''),
  'equal items': '- a\n'.repeat(SIZE / 4),
  'equal rows': `| a | b |\n| - | - |\n${'| c | d |\n'.repeat(SIZE / 10)}`,
  'one wide row': `| a | b |\n| - | - |\n| ${'c '.repeat(SIZE / 2)}|\n`,
  'a wide header': `| ${'c '.repeat(SIZE / 2)}|\n| - |\n| a |\n| b |\n`,
  'open fences': '```\n\n'.repeat(SIZE / 5),
  'open brackets': '['.repeat(SIZE),
  'open dollars': '$$ $a '.repeat(SIZE / 6),
  'open backticks': '`a ``'.repeat(SIZE / 5),
  stars: '* * '.repeat(SIZE / 4),
  'blank lines': `a${'\n'.repeat(SIZE)}b`,
  spaces: `a${' '.repeat(SIZE)}b`,
  'a long heading': `# ${'[a](b) *c* '.repeat(SIZE / 11)}`,
  sentences: 'A. '.repeat(SIZE / 3),
};

suite('hostile text', { concurrency: true }, () => {
  for (const [name, markdown] of Object.entries(TEXTS)) {
    test(`${name}: chunks within the bound, in bounded time`, () => {
      const maxTokens = 16;
      const before = process.threadCpuUsage();
      const { chunks, isTruncated } = chunkMarkdown(
        { markdown, url: 'https://mill.example/', title: null, anchors: new Map() },
        { ...DEFAULT_CHUNKING, maxTokens, overlapTokens: maxTokens / 4 },
      );
      const { user, system } = process.threadCpuUsage(before);
      assert.ok((user + system) / 1000 < 4000, `${(user + system) / 1000} ms`);
      assert.ok(chunks.length > 0 && chunks.length <= MAX_CHUNKS);
      assert.equal(isTruncated, chunks.length === MAX_CHUNKS);
      for (const { tokens, text } of chunks) {
        assert.ok(tokens <= maxTokens, `${tokens} tokens`);
        assert.ok(text.isWellFormed());
      }
    });
  }
});
