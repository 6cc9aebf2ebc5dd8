import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSource } from '#sites/read-source.ts';

const APP = '284882215';
const buildEntry = (n: number, rating: string) => ({
  id: { label: String(n) },
  'im:rating': { label: rating },
  link: { attributes: { href: `https://apps.example/review?id=${APP}` } },
});

test('a review feed has a next page if the current page is full, even if one of its reviews cannot be parsed', () => {
  const entries = Array.from({ length: 50 }, (_none, n) => buildEntry(n, n === 7 ? 'many' : '5'));
  const url = 'https://itunes.example/us/rss/customerreviews/page=1/json';
  const verdict = readSource({
    endpoint: 'appstore.reviews',
    source: 'feed',
    input: { id: APP, sort: 'newest', country: 'US' },
    page: { url, requested: url, status: 200, headers: {}, contentType: 'application/json', carry: undefined },
    body: new TextEncoder().encode(JSON.stringify({ feed: { entry: entries } })),
    captures: [],
    settings: { origins: {}, constants: {} },
    cursor: null,
    limit: 200,
  });
  assert.equal(verdict.kind, 'record', JSON.stringify(verdict).slice(0, 300));
  assert.equal('next' in verdict && verdict.next, '2');
});
