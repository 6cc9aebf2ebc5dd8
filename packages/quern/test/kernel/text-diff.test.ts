import assert from 'node:assert/strict';
import { applyPatch } from 'diff';
import * as fc from 'fast-check';
import { test } from 'node:test';
import { diffTexts, formatHunks } from '#kernel/text-diff.ts';

const Line = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '- a',
    '+ a',
    '@@ -1,1 +1,1 @@',
    '--- previous',
    '\\ No newline at end of file',
    'a',
    'b',
    'ä€😀',
  ),
  fc.string({ maxLength: 20 }).map((text) => text.replaceAll(/[\r\n]/g, '')),
);
const Text = fc.array(Line, { maxLength: 40 }).map((lines) => lines.join('\n'));

function terminate(text: string): string {
  return text === '' ? '' : `${text}\n`;
}

test('applying a diff to the old text gives the new text', () => {
  fc.assert(
    fc.property(Text, Text, (before, after) => {
      const { hunks, addedLines, removedLines, isTruncated } = diffTexts(before, after);
      assert.ok(hunks !== null);
      assert.equal(isTruncated, false);
      const patch = `--- previous\n+++ current\n${formatHunks(hunks)}`;
      assert.equal(applyPatch(terminate(before), patch), terminate(after));
      assert.equal(addedLines - removedLines, countLines(after) - countLines(before));
    }),
    { numRuns: 500 },
  );
});

function countLines(text: string): number {
  return terminate(text).split('\n').length - 1;
}

test('equal texts have no hunks', () => {
  assert.deepEqual(diffTexts('a\nb', 'a\nb'), { addedLines: 0, removedLines: 0, hunks: [], isTruncated: false });
});

test('a diff beyond 256 KiB ends with the last line that fits, and says so', () => {
  const lines = Array.from({ length: 900 }, (_, n) => `${n} ${'x'.repeat(1000)}`);
  const { hunks, isTruncated, removedLines } = diffTexts(lines.join('\n'), 'y');
  assert.equal(isTruncated, true);
  assert.equal(removedLines, 900);
  const bytes = Buffer.byteLength(formatHunks(hunks ?? []));
  assert.ok(bytes > 255 * 1024 && bytes <= 256 * 1024, String(bytes));
});
