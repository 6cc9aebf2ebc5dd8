import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { z } from 'zod';
import { ServiceError } from '#kernel/errors.ts';
import { readJson } from '#transports/json.ts';
import { readParameters, parseQuery, buildParameters, throwWithoutInputPath } from '#transports/parameters.ts';

const PARAMETERS = buildParameters(
  z.strictObject({
    text: z.string().optional(),
    integer: z.int().optional(),
    number: z.number().optional(),
    flag: z.boolean().optional(),
    word: z.enum(['a', 'b']).nullable().optional(),
    either: z.union([z.string(), z.int()]).optional(),
    wordOrNumber: z.union([z.enum(['all']), z.int()]).optional(),
    words: z.array(z.enum(['a', 'b'])).default(['a']),
    numbers: z.array(z.int()).optional(),
    maybe: z.array(z.int()).nullable().optional(),
    number_or_null: z.int().nullable().optional(),
    object: z.record(z.string(), z.unknown()).optional(),
    objects: z.array(z.object({ selector: z.string() })).optional(),
    textsOrObjects: z.array(z.union([z.string(), z.object({ url: z.string() })])).optional(),
    textOrObject: z.union([z.string(), z.object({ url: z.string() })]).optional(),
  }),
);

/** The values that name and text pairs are parsed as. */
function read(...pairs: readonly (readonly [string, string])[]): unknown {
  return readParameters(PARAMETERS, pairs);
}

test('text is converted by the schema, or stays text for validation to report', () => {
  assert.deepEqual(read(['integer', '-12'], ['number', '1.5e3'], ['flag', 'false'], ['text', '5']), {
    integer: -12,
    number: 1500,
    flag: false,
    text: '5',
  });
  for (const text of ['1.0', '01', ' 1', '1_000', '-0', '0x1', '9007199254740992', 'one']) {
    assert.deepEqual(read(['integer', text]), { integer: text });
  }
  for (const text of ['1.', '.5', '1e999', '-0', 'NaN', 'Infinity']) {
    assert.deepEqual(read(['number', text]), { number: text });
  }
  assert.deepEqual(read(['flag', 'yes'], ['word', 'null']), { flag: 'yes', word: 'null' });
  assert.deepEqual(read(['unknown', '5']), { unknown: '5' });
});

test('text stays text if any string is allowed, and becomes a number if only enum strings are', () => {
  assert.deepEqual(read(['either', '5'], ['wordOrNumber', '5']), { either: '5', wordOrNumber: 5 });
  assert.deepEqual(read(['wordOrNumber', 'all']), { wordOrNumber: 'all' });
});

test('lists are repeated values; lists of enum values and numbers may also be comma lists', () => {
  assert.deepEqual(read(['words', 'a,b'], ['words', 'a']), { words: ['a', 'b', 'a'] });
  assert.deepEqual(read(['maybe', '1'], ['maybe', '2'], ['number_or_null', '3']), { maybe: [1, 2], number_or_null: 3 });
  assert.deepEqual(read(['numbers', '1'], ['numbers', '2,3']), { numbers: [1, 2, 3] });
});

test('objects are JSON with the rules of request bodies', () => {
  assert.deepEqual(read(['object', '{"a":[1,{"b":null}]}']), { object: { a: [1, { b: null }] } });
  assert.deepEqual(read(['object', 'plain']), { object: 'plain' });
  for (const text of ['{', '{"a":1,"a":2}', '{"__proto__":1}']) {
    assert.throws(() => read(['object', text]), ServiceError);
  }
});

test('if text or an object is allowed, text that begins with a brace is an object', () => {
  assert.deepEqual(read(['textOrObject', '{"url":"https://mill.example/"}']), {
    textOrObject: { url: 'https://mill.example/' },
  });
  assert.deepEqual(read(['textOrObject', 'https://mill.example/']), { textOrObject: 'https://mill.example/' });
  assert.throws(() => read(['textOrObject', '{"url"']), /textOrObject: /);
});

test('a list whose items may be objects is JSON, in one value or in several', () => {
  assert.deepEqual(read(['objects', '[{"selector":"a"},{"selector":"b"}]'], ['objects', '{"selector":"c"}']), {
    objects: [{ selector: 'a' }, { selector: 'b' }, { selector: 'c' }],
  });
  assert.deepEqual(read(['textsOrObjects', 'https://mill.example/,1'], ['textsOrObjects', '[{"url":"b"},"c"]']), {
    textsOrObjects: ['https://mill.example/,1', { url: 'b' }, 'c'],
  });
  assert.deepEqual(read(['words', '[a']), { words: ['[a'] });
  for (const text of ['[', '[{"selector":"a"}', '[{"a":1,"a":2}]'])
    assert.throws(() => read(['objects', text]), /^ServiceError: objects: /);
});

test('a repeated scalar is rejected', () => {
  assert.throws(() => read(['text', 'a'], ['text', 'a']), /text: given more than once/);
  assert.throws(() => read(['unknown', 'a'], ['unknown', 'b']), /unknown: given more than once/);
});

test('integers and texts survive formatting and parsing', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.string({ minLength: 1, unit: 'grapheme' }), (integer, text) => {
      fc.pre(!text.includes('\0'));
      const query = new URLSearchParams({ integer: String(integer), text }).toString();
      assert.deepEqual(readParameters(PARAMETERS, parseQuery(query)), { integer, text });
    }),
  );
});

test('any query is either parsed or rejected with invalid_request', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (query) => {
      try {
        readParameters(PARAMETERS, parseQuery(query));
      } catch (error) {
        assert.ok(error instanceof ServiceError);
        assert.equal(error.code, 'invalid_request');
      }
    }),
  );
});

test('a query longer than 128 KiB is refused', () => {
  assert.throws(() => parseQuery(`text=${'a'.repeat(131_072)}`), /longer than 131072/);
});

test('JSON is parsed like JSON.parse for any strings', () => {
  const inherited = new Set(Object.getOwnPropertyNames(Object.prototype));
  const key = fc.string({ minLength: 1, unit: 'binary' }).filter((name) => !inherited.has(name));
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.string({ unit: 'binary' }),
      fc.constantFrom('"', '\\', '\\"', '{"a":[', ':,]}'),
      fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Object.is(number, -0)),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 5 }),
      fc.dictionary(key, tie('value'), { maxKeys: 5, noNullPrototype: true }),
    ),
  }));
  fc.assert(
    fc.property(value, fc.nat(3), (written, space) => {
      const text = JSON.stringify(written, null, space);
      assert.deepEqual(readJson(text, 'body'), JSON.parse(text));
    }),
  );
});

test('an error of a submitted job names its parameters as a call without a job does', () => {
  for (const [message, shown] of [
    ['input.url: must be a URL; input.page.size: is missing', 'url: must be a URL; page.size: is missing'],
    ['input.geo: is not a known country; use an input.code', 'geo: is not a known country; use an input.code'],
    ['input: 70000 bytes, and plan free allows 65536', 'input: 70000 bytes, and plan free allows 65536'],
    ['max_credits: the cheapest outcome of this job costs 2', 'max_credits: the cheapest outcome of this job costs 2'],
  ] as const) {
    const error = new ServiceError('rate_limited', message, { retryAfterSeconds: 7 });
    assert.throws(
      () => throwWithoutInputPath(error),
      (thrown) =>
        thrown instanceof ServiceError &&
        thrown.message === shown &&
        thrown.code === 'rate_limited' &&
        thrown.retryAfterSeconds === 7,
    );
  }
});
