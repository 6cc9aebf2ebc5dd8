import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { allocateFloat64s, runInScratch, allocateInt32s, allocateUint8s } from '#extract/html/scratch.ts';
import { readPage, readPageWithTree } from '#extract/read-page.ts';
import { OUTPUTS } from '#extract/reading.ts';
import { buildMarkdownRequest } from '#testkit/read-request.ts';
import { paragraphs } from '../pages.ts';

test('arrays of one page share memory, are zeroed and do not overlap', () => {
  const first = runInScratch(() => {
    const [bytes, numbers, reals] = [
      allocateUint8s(3).fill(7),
      allocateInt32s(5).fill(-1),
      allocateFloat64s(2).fill(0.5),
    ];
    assert.equal(bytes.buffer, numbers.buffer);
    assert.deepEqual([...bytes, ...numbers, ...reals], [7, 7, 7, -1, -1, -1, -1, -1, 0.5, 0.5]);
    return bytes;
  });
  const next = runInScratch(() => {
    const bytes = allocateUint8s(64);
    assert.ok(bytes.every((byte) => byte === 0));
    return bytes;
  });
  assert.deepEqual([next.buffer, next.byteOffset], [first.buffer, first.byteOffset]);
});

test('arrays created outside a page, or beyond the scratch memory, have their own memory', () => {
  assert.equal(allocateInt32s(9).buffer.byteLength, 36);
  runInScratch(() => {
    assert.equal(allocateUint8s(2 ** 22).buffer.byteLength, 2 ** 22);
    assert.ok(allocateUint8s(1).buffer.byteLength > 1);
  });
});

test('scratch memory is released after a failure, but not before the outermost reading ends', () => {
  const places: number[] = [];
  const note = (): number => places.push(allocateUint8s(8).byteOffset);
  assert.throws(() =>
    runInScratch(() => {
      note();
      throw new Error('unreadable');
    }),
  );
  runInScratch(() => {
    note();
    runInScratch(note);
    note();
  });
  assert.deepEqual(places, [0, 0, 8, 16]);
});

test('reading a page does not depend on earlier pages', () => {
  const article = readFileSync(new URL('../fixtures/article.html', import.meta.url), 'utf8');
  const pages = [article, paragraphs(0, 2_000), '<p>x', paragraphs(3, 40), '<table><tr><td>1<p>2</table>3'].map(
    (html) => ({
      ...buildMarkdownRequest(new TextEncoder().encode(html), 'https://example.com/a'),
      outputs: OUTPUTS,
    }),
  );
  const alone = pages.map((page) => readPageWithTree(page).reading);
  assert.deepEqual(
    pages.map((page) => readPage(page)),
    alone,
  );
  assert.deepEqual(
    pages.toReversed().map((page) => readPage(page)),
    alone.toReversed(),
  );
});
