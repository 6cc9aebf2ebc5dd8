import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareContent } from '#features/monitors/compare/diff.ts';
import { followText } from '../../support/engine/following.ts';

test('content with equal text is unchanged, regardless of whitespace', () => {
  const [, second] = followText({}, ['# Title\n\nOne  two\r\nthree', '# Title\nOne two\n\n\nthree\u00a0 ']);
  assert.equal(second?.change, null);
});

test('different content is stored as a unified diff', () => {
  const [first, second] = followText({}, ['a\nb\nc', 'a\nB\nc\nd']);
  const content = second?.change?.content;
  assert.equal(second?.change?.kind, 'content');
  assert.equal(content?.unified_diff, '@@ -1,3 +1,4 @@\n a\n-b\n+B\n c\n+d\n');
  assert.deepEqual([content?.added_lines, content?.removed_lines, content?.diff_truncated], [2, 1, false]);
  assert.equal(content?.previous_hash, first?.baseline.content?.hash);
  assert.equal(content?.new_hash, second?.baseline.content?.hash);
});

test('only the hash of a text above 2 MiB is stored', () => {
  const long = 'a line of text\n'.repeat(150_000);
  const [, same, other] = followText({}, [long, `${long}\n`, `${long}b`]);
  assert.equal(same?.change, null);
  assert.deepEqual([other?.change?.content?.unified_diff, other?.change?.content?.diff_truncated], [null, true]);
  assert.equal(other?.baseline.content?.text, null);
});

test('texts without a common line are counted, not aligned', () => {
  const change = compareContent({ hash: '1', text: lines(5000, 'a') }, { hash: '2', text: lines(5000, 'b') });
  assert.deepEqual([change.added_lines, change.removed_lines, change.unified_diff], [5000, 5000, null]);
  assert.equal(change.diff_truncated, true);
});

test('a long diff is truncated at 256 KiB', () => {
  const change = compareContent(
    { hash: '1', text: lines(500, `${'x'.repeat(1000)} a`) },
    { hash: '2', text: lines(500, `${'x'.repeat(1000)} b`) },
  );
  const bytes = Buffer.byteLength(change.unified_diff ?? '');
  assert.ok(bytes > 250_000 && bytes <= 256 * 1024, String(bytes));
  assert.deepEqual([change.diff_truncated, change.added_lines], [true, 500]);
});

test('matches of ignore_patterns are not compared, and new patterns restart the comparison', () => {
  const watch = { ignore_patterns: [String.raw`Updated \d+:\d+`] };
  const [, same] = followText(watch, ['Price 5\nUpdated 10:00', 'Price 5\nUpdated 10:05']);
  assert.equal(same?.change, null);
});

test('lost text is reported in the second run, and A→B→A as two changes', () => {
  const runs = followText({}, ['a', '', 'a', '', '', 'b', 'b', 'a']);
  const told = runs.map(({ change }) => change !== null);
  assert.deepEqual(told, [false, false, false, false, true, false, true, true]);
  const confirmed = followText({ confirm_runs: 2 }, ['A', 'B', 'A', 'B', 'B']).map(({ change }) => change !== null);
  assert.deepEqual(confirmed, [false, false, false, false, true]);
});

test('the first run of a content watch is reported if requested', () => {
  const [first] = followText({ notify_on_first_run: true }, ['a\nb']);
  assert.equal(first?.change?.kind, 'first_run');
  assert.deepEqual([first?.change?.content?.previous_hash, first?.change?.content?.added_lines], [null, 2]);
});

function lines(count: number, words: string): string {
  return Array.from({ length: count }, (_, index) => `${words} ${index}`).join('\n');
}
