import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KEY_LENGTH } from '#extract/urls/canonical-key.ts';
import type { ClassifiedLink } from '#extract/urls/link-classifier.ts';
import { readLinkColumns, toLinkColumns } from '#extract/urls/link-columns.ts';

function buildLink(at: number, host = 'example.org'): ClassifiedLink {
  return {
    url: `https://${host}/a/${at}`,
    key: String(at).padStart(KEY_LENGTH, 'k'),
    host,
    depth: at % 4,
    skip: at % 5 === 0 ? 'scope' : null,
  };
}

test('link columns return the links that are not passed over unchanged', () => {
  const links = Array.from({ length: 60 }, (_, at) =>
    buildLink(at, at % 7 === 0 ? 'xn--bcher-kva.example' : undefined),
  );
  const titles = new Map([[buildLink(8).url, 'Eight\nof ü 日']]);
  for (const wanted of [[], [0], [59], [0, 1, 8, 30, 31, 59], links.map((_, at) => at)]) {
    const found = readLinkColumns(toLinkColumns(links, titles), (place) => !wanted.includes(place / KEY_LENGTH));
    assert.deepEqual(
      found,
      wanted.map((at) => ({ ...links[at], title: at === 8 ? 'Eight of ü 日' : null })),
    );
  }
  assert.deepEqual(
    readLinkColumns(toLinkColumns([], null), () => false),
    [],
  );
});

test('a link read from columns does not keep them in memory', () => {
  const links = Array.from({ length: 10_000 }, (_, at) => buildLink(at));
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const found = Array.from({ length: 300 }, () => readLinkColumns(toLinkColumns(links, null), (place) => place !== 0));
  globalThis.gc?.();
  const held = process.memoryUsage().heapUsed - before;
  assert.equal(found.flat().length, 300);
  // The columns of all pages take 190 MB; the garbage collector may postpone up to a quarter.
  assert.ok(held < 100 * 2 ** 20, `${held} bytes`);
});
