import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { chunkMarkdown, DEFAULT_CHUNKING, MAX_CHUNKS } from '#extract/chunks/chunk-markdown.ts';

const MEGABYTE = 1_000_000;

/** Texts of about a megabyte that make a naive chunker slow, or its chunks too large. */
const TEXTS: Readonly<Record<string, string>> = {
  'no spaces': 'a'.repeat(MEGABYTE),
  'no spaces in pairs': '😀'.repeat(MEGABYTE / 2),
  headings: Array.from({ length: 100_000 }, (_, at) => `# ${at}\n\n`).join(''),
  'equal headings': '# a\n\nb\n\n'.repeat(100_000),
  'deep lists': Array.from({ length: 1400 }, (_, at) => `${'  '.repeat(at)}- item ${at}\n`).join(''),
  'deep quotes': Array.from({ length: 1400 }, (_, at) => `${'>'.repeat(at)} line ${at}\n`).join(''),
  'equal items': '- a\n'.repeat(MEGABYTE / 4),
  'equal rows': `| a | b |\n| - | - |\n${'| c | d |\n'.repeat(MEGABYTE / 10)}`,
  'one wide row': `| a | b |\n| - | - |\n| ${'c '.repeat(MEGABYTE / 2)}|\n`,
  'a wide header': `| ${'c '.repeat(MEGABYTE / 2)}|\n| - |\n| a |\n| b |\n`,
  'open fences': '```\n\n'.repeat(MEGABYTE / 5),
  'open brackets': '['.repeat(MEGABYTE),
  'open dollars': '$$ $a '.repeat(MEGABYTE / 6),
  'open backticks': '`a ``'.repeat(MEGABYTE / 5),
  stars: '* * '.repeat(MEGABYTE / 4),
  'blank lines': `a${'\n'.repeat(MEGABYTE)}b`,
  spaces: `a${' '.repeat(MEGABYTE)}b`,
  'a long heading': `# ${'[a](b) *c* '.repeat(MEGABYTE / 11)}`,
  sentences: 'A. '.repeat(MEGABYTE / 3),
};

suite('hostile text', { concurrency: true }, () => {
  for (const [name, markdown] of Object.entries(TEXTS)) {
    test(`${name}: chunks within the bound, in bounded time`, () => {
      for (const maxTokens of [16, 512]) {
        const before = process.threadCpuUsage();
        const { chunks, isTruncated } = chunkMarkdown(
          { markdown, url: 'https://mill.example/', title: null, anchors: new Map() },
          { ...DEFAULT_CHUNKING, maxTokens, overlapTokens: maxTokens / 4 },
        );
        const { user, system } = process.threadCpuUsage(before);
        assert.ok((user + system) / 1000 < 8000, `${(user + system) / 1000} ms`);
        assert.ok(chunks.length > 0 && chunks.length <= MAX_CHUNKS);
        assert.equal(isTruncated, chunks.length === MAX_CHUNKS);
        for (const { tokens, text } of chunks) {
          assert.ok(tokens <= maxTokens, `${tokens} tokens`);
          assert.ok(text.isWellFormed());
        }
      }
    });
  }
});
