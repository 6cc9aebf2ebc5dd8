import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseEmbeddedJson } from '#extract/dom/scripts.ts';
import { parseJsLiteral } from '#extract/json/literal.ts';
import { findClosingBracket, findValueAfter, listValuesAround } from '#extract/json/embedded-json.ts';
import { findObjectsWith, mergeFragments } from '#extract/json/find-objects.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { getMember } from '#extract/values/json.ts';

const EMBEDDED: readonly (readonly [string, unknown])[] = [
  ['{"a":1}', { a: 1 }],
  [' \uFEFF{"a":1} ', { a: 1 }],
  ['for (;;);{"a":1}', { a: 1 }],
  [")]}'\n[1]", [1]],
  ['<!--{"a":1}-->', { a: 1 }],
  ['{"a":1}\n{"a":2}\n', [{ a: 1 }, { a: 2 }]],
  ['{&quot;a&quot;:&quot;x &amp; y&quot;}', { a: 'x & y' }],
  [Buffer.from('{"deep":{"list":[1,2]}}').toString('base64'), { deep: { list: [1, 2] } }],
  ['{"a":undefined,"b":"undefined"}', { a: null, b: 'undefined' }],
  ["{a: 'it\\'s', \"b\": [1,,], }", undefined],
  ['window.x = 1', undefined],
  ['', undefined],
];

test('embedded JSON is found behind guards, comments, escapes and base64', () => {
  for (const [written, expected] of EMBEDDED) assert.deepEqual(parseEmbeddedJson(written), expected, written);
});

test('a JavaScript literal is parsed without running it', () => {
  const source = `{'a': 'it\\'s "x"', b: [1, -2.5e3, .5, 0x1f,], /* } */ c: !0, d: void 0, // {
    "e": \`t\`, "\\u0066": "\\x41\\u{1F600}\\u0000", __proto__: {g: null}} trailing`;
  assert.deepEqual(
    JSON.parse(JSON.stringify(parseJsLiteral(source, 0)?.value)),
    JSON.parse('{"a":"it\'s \\"x\\"","b":[1,-2500,0.5,31],"c":true,"d":null,"e":"t","f":"A😀","__proto__":{"g":null}}'),
  );
  assert.equal(source.slice(parseJsLiteral(source, 0)?.end), ' trailing');
  for (const code of ['{a: b()}', '{a: `${x}`}', '{a 1}', '[1', '{"a":"x\ny"}', 'function(){}', '['.repeat(10_000)])
    assert.equal(parseJsLiteral(code, 0), null, code.slice(0, 20));
});

test('every JSON value parses as a literal', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const written = JSON.stringify(value).replaceAll(String.raw`\u0000`, '');
      assert.deepEqual(parseJsLiteral(`${written};rest`, 0)?.value, JSON.parse(written));
    }),
  );
});

test('bracket matching ignores strings, comments and regular expressions', () => {
  const closed = String.raw`{"a":"}\"]", b: '{', c: /* } */ [1] // }
  , d: /["']/ }`;
  assert.equal(findClosingBracket(`${closed} }`, 0), closed.length);
  assert.equal(findClosingBracket('{"a":"x', 0), -1);
  assert.equal(findClosingBracket('', 0), -1);
});

test('the first anchor with a value counts', () => {
  const script = `if (typeof ytInitialData == "x") {} var ytInitialData = {"a":"};"};
    P.when('A').execute(function(){ var data = { 'colorImages': { 'initial': [{"hiRes":"u"}] }, 'x': f() }; });
    window.state = JSON.parse("{\\"b\\":[1]}"); window.late = JSON.parse(decodeURIComponent("%7B%22c%22%3A2%7D")); n: 5,`;
  assert.deepEqual(findValueAfter(script, 'ytInitialData'), { a: '};' });
  assert.deepEqual(findValueAfter(script, "'colorImages'"), { initial: [{ hiRes: 'u' }] });
  assert.deepEqual(findValueAfter(script, 'window.state'), { b: [1] });
  assert.deepEqual(findValueAfter(script, 'window.late'), { c: 2 });
  assert.equal(findValueAfter(script, 'n:'), 5);
  assert.equal(findValueAfter(script, 'absent'), undefined);
});

test('the largest JSON values around a word are found', () => {
  const script = `requireLazy(["X"],function(m){m.handle({"r":[{"event":{"id":"1","t":"a}"}}]});m.handle(x,{"event":2})});
    other({"id":3}); broken({"event":{"id":"4"`;
  assert.deepEqual(listValuesAround(script, '"event"'), [{ r: [{ event: { id: '1', t: 'a}' } }] }, { event: 2 }]);
  assert.deepEqual(listValuesAround(script, '"absent"'), []);
});

test('objects are found by member in document order, outer before inner', () => {
  const value: unknown = JSON.parse('{"x":[{"id":1,"in":{"id":2}},{"id":3}],"id":0,"__proto__":{"id":4}}');
  const ids = findObjectsWith(value, 'id').map((object) => getMember(object, 'id'));
  assert.deepEqual(ids, [0, 1, 2, 3, 4]);
  assert.deepEqual(findObjectsWith(value, 'id', 'in').length, 1);
  assert.deepEqual(
    mergeFragments([
      { a: null, b: 1 },
      { a: 2, b: 3, c: null },
    ]),
    { a: 2, b: 1, c: null },
  );
});

function nested(depth: number): string {
  return `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
}

test('hostile text neither throws nor hangs', () => {
  for (const hostile of [
    nested(100_000),
    '['.repeat(300_000),
    '/*'.repeat(300_000),
    '//'.repeat(300_000),
    '"\\'.repeat(300_000),
    '`\'"'.repeat(200_000),
    '{"a":{'.repeat(100_000),
    `${'{"event":[x,'.repeat(20_000)}${']}'.repeat(20_000)}`,
    '\\'.repeat(300_000),
    'event = '.repeat(100_000),
  ]) {
    parseEmbeddedJson(hostile);
    listValuesAround(hostile, '"event"');
    listValuesAround(hostile, 'a');
    findValueAfter(hostile, 'event');
    parseJsLiteral(hostile, 0);
    findClosingBracket(hostile, 0);
  }
  assert.equal(findObjectsWith(JSON.parse(nested(5000)), 'a').length, 513);
  fc.assert(
    fc.property(fc.stringMatching(/^[{}[\]"'`\\/*,:a1 \n]{0,60}$/), (source) => {
      for (const value of listValuesAround(source, 'a')) assert.ok(Array.isArray(value) || isJsonObject(value));
      const end = findClosingBracket(source, 0);
      assert.ok(end === -1 || (end > 0 && end <= source.length));
      assert.ok((parseJsLiteral(source, 0)?.end ?? 0) <= source.length);
      getMember(parseEmbeddedJson(source), 'a');
      findValueAfter(source, 'a');
    }),
    { numRuns: 1500 },
  );
});
