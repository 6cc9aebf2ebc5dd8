import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillSchema } from '#extract/fields/fill-schema.ts';

const ROW = { type: 'object', properties: { name: { type: 'string' }, price: { type: ['number', 'null'] } } };
const SCHEMA = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    rows: { type: 'array', items: ROW },
    tags: { type: 'array', items: { type: 'string' } },
    maker: { anyOf: [{ type: 'null' }, { ...ROW, required: ['name'] }] },
  },
  required: ['title'],
};

test('known values stay, and only gaps are filled from the answer', () => {
  const known = {
    title: 'Rye',
    rows: [
      { name: 'a', price: null },
      { name: 'b', price: 2 },
    ],
    tags: null,
    maker: null,
  };
  const answer = {
    title: 'Wheat',
    rows: [
      { name: 'x', price: 1 },
      { name: 'y', price: 9 },
    ],
    tags: ['dark'],
    maker: { name: 'Ada', price: null, more: true },
    extra: 1,
  };
  const { json, missing, unmet, filled } = fillSchema(SCHEMA, known, answer);
  assert.deepEqual(json, {
    title: 'Rye',
    rows: [
      { name: 'a', price: 1 },
      { name: 'b', price: 2 },
    ],
    tags: ['dark'],
    maker: { name: 'Ada', price: null },
  });
  assert.deepEqual({ missing, unmet, filled }, { missing: [], unmet: [], filled: ['rows[].price', 'tags', 'maker'] });
});

test('invalid values are not filled in, and required ones are reported', () => {
  const known = { title: null, rows: [{ name: 'a', price: null }], tags: [], maker: null };
  const answer = { title: 7, rows: [{ price: 1 }, { price: 2 }], tags: [1], maker: { price: 3 } };
  const { json, missing, unmet, filled } = fillSchema(SCHEMA, known, answer);
  assert.deepEqual(json, { title: null, rows: [{ name: 'a', price: null }], tags: [], maker: null });
  assert.deepEqual([missing, unmet, filled], [['title', 'rows[].price', 'maker'], ['title'], []]);
});

test('prototype names in an answer are plain data', () => {
  const schema = { type: 'object', properties: { toString: { type: 'string' }, plain: { type: 'object' } } };
  const answer: unknown = JSON.parse('{"__proto__": {"x": 1}, "plain": {"__proto__": {"y": 1}}}');
  const { json } = fillSchema(schema, {}, Object(answer));
  assert.equal(json['toString'], null);
  assert.equal('x' in json, false);
});
