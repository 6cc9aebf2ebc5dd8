import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { checkSelector } from '#extract/select/css.ts';
import { Extract } from '#extract/grammar.ts';

function describeProblems(raw: unknown): string {
  const read = Extract.safeParse(raw);
  return read.success ? '' : read.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
}

function object(properties: unknown) {
  return { schema: { type: 'object', properties } };
}

function nested(depth: number): unknown {
  return depth === 0 ? { a: 'string' } : { a: { fields: nested(depth - 1) } };
}

test('a bare map of names parses as fields, with short forms expanded', () => {
  assert.deepEqual(Extract.parse({ title: 'string', tags: 'string[]', price: { type: 'money[]' } }), {
    fields: {
      title: { type: 'string', many: false },
      tags: { type: 'string', many: true },
      price: { type: 'money', many: true },
    },
  });
});

test('a bare JSON Schema parses as schema, with local references resolved', () => {
  const schema = {
    type: 'object',
    properties: { a: { $ref: '#/$defs/name', description: 'A' } },
    $defs: { name: { type: 'string' } },
  };
  assert.deepEqual(Extract.parse(schema), {
    schema: { type: 'object', properties: { a: { type: 'string', description: 'A' } } },
  });
});

test('the long form parses to itself', () => {
  const extract = Extract.parse({
    rows: {
      selector: 'tr',
      many: true,
      key: 'id',
      fields: { id: 'integer', at: { xpath: './td[2]', type: 'date', locale: 'de' } },
    },
  });
  assert.deepEqual(Extract.parse(extract), extract);
});

test('the grammar has a JSON Schema for OpenAPI, and its output can be sent to another thread', () => {
  const described = z.toJSONSchema(z.object({ extract: Extract.optional() }), { io: 'input', unrepresentable: 'any' });
  assert.match(JSON.stringify(described), /json_path/);
  assert.doesNotMatch(JSON.stringify(described), /\$ref/);
  const extract = Extract.parse({ a: 'string' });
  assert.deepEqual(structuredClone(extract), extract);
});

const REFUSED: readonly (readonly [string, unknown, RegExp])[] = [
  [
    'both fields and schema',
    { fields: { a: 'string' }, schema: { type: 'object', properties: {} } },
    /exactly one of fields and schema/,
  ],
  ['a prompt, because there is no model', { prompt: 'the price' }, /^prompt: unknown member/],
  ['no field at all', {}, /at least one field/],
  ['a list', [], /expected an object/],
  ['null', null, /expected an object/],
  ['an unknown type', { a: 'text' }, /^a: unknown type; expected one of string, integer/],
  ['an unknown member', { a: { selectr: 'h1' } }, /^a\.selectr: unknown member; the nearest known name is selector/],
  ['two sources', { a: { selector: 'h1', xpath: '//h1' } }, /^a\.xpath: only one of/],
  ['a broken selector', { a: { selector: 'h1 >' } }, /^a\.selector: not a CSS selector/],
  ['an unknown pseudo-class', { a: { selector: ':nope' } }, /^a\.selector: not a CSS selector: Unknown pseudo-class/],
  ['a broken XPath', { a: { xpath: '//a[' } }, /^a\.xpath: not an XPath/],
  ['an XPath loop', { a: { xpath: 'for $i in 1 to 1000000000 return $i' } }, /^a\.xpath: .* not available/],
  ['an XPath that reads documents', { a: { xpath: 'doc("file:///etc/passwd")' } }, /^a\.xpath: the function doc\(\)/],
  ['a broken JSONPath', { a: { json_path: '$[' } }, /^a\.json_path: not a JSONPath/],
  [
    'a JSONPath that multiplies its work',
    { a: { json_path: `$${'[0,0]'.repeat(10)}` } },
    /^a\.json_path: .*too many selectors/,
  ],
  ['an attribute without a selector', { a: { attribute: 'href' } }, /^a\.attribute: requires selector or xpath/],
  [
    'a key that is no member',
    { a: { selector: 'tr', many: true, key: 'sku', fields: { id: 'string' } } },
    /^a\.key: is not a member of fields/,
  ],
  [
    'a key without many',
    { a: { selector: 'tr', key: 'id', fields: { id: 'string' } } },
    /^a\.key: requires fields and many/,
  ],
  ['a type beside fields', { a: { type: 'string', fields: { id: 'string' } } }, /^a\.type: /],
  ['a currency on a string', { a: { type: 'string', currency: 'EUR' } }, /^a\.currency: requires the type money/],
  ['a currency that does not exist', { a: { type: 'money', currency: 'EURO' } }, /^a\.currency: expected an ISO 4217/],
  ['a locale on a URL', { a: { type: 'url', locale: 'de' } }, /^a\.locale: requires one of the types/],
  ['a locale that is none', { a: { type: 'date', locale: 'not a locale' } }, /^a\.locale: expected a BCP 47/],
  ['many against the type', { a: { type: 'string[]', many: false } }, /^a\.many: contradicts/],
  ['17 levels', nested(16), /nested at most 16 levels deep/],
  [
    '201 fields',
    Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`f${at}`, 'string'])),
    /at most 200 fields/,
  ],
];

for (const [what, raw, message] of REFUSED) {
  test(`the grammar refuses ${what}`, () => assert.match(describeProblems(raw), message));
}

test('16 levels and 200 fields are accepted', () => {
  assert.equal(describeProblems(nested(15)), '');
  assert.equal(describeProblems(Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`f${at}`, 'string']))), '');
});

test('prototype names, empty names and very long names are refused without harm', () => {
  for (const name of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '', 'x'.repeat(1 << 20)]) {
    const text = describeProblems(JSON.parse(`{${JSON.stringify(name)}:"string"}`));
    assert.notEqual(text, '', name.slice(0, 20));
    assert.ok(text.length < 400);
  }
  assert.match(
    describeProblems(Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`k${at}`, 'string']))),
    /at most 200/,
  );
  assert.equal(Object.keys(Object.prototype).length, 0);
});

test('regular expressions use RE2 syntax, and catastrophic patterns are harmless', () => {
  for (const regex of [
    '(?=a)b',
    '(?<=a)b',
    '(?!a)',
    String.raw`(a)\1`,
    '{1,1000}{1,1000}',
    '(a{1,1000}){1,1000}',
    '(?>a)',
    '[',
  ]) {
    assert.match(describeProblems({ a: { regex } }), /^a\.regex: /, regex);
  }
  for (const regex of ['^(a+)+$', '(a|a)*$', '(.*)*x', String.raw`(?P<year>\d{4})-\d\d`])
    assert.equal(describeProblems({ a: { regex } }), '', regex);
});

test('JSONPath refuses script filters and regular expression functions', () => {
  for (const path of [
    'env',
    '$ENV',
    'input',
    'include "x"',
    'halt',
    'debug',
    '.a | env',
    '$.a[?match(@.b, "(a+)+$")]',
    '$[?search(@, "x")]',
    '$..a..b..c',
  ]) {
    assert.match(describeProblems({ a: { json_path: path } }), /^a\.json_path: /, path);
  }
  for (const path of ['$.a.b', '$..price', '$.items[?@.price < 10].name', '$[0, 1, -1]', '$.a[1:3].*'])
    assert.equal(describeProblems({ a: { json_path: path } }), '', path);
});

test('a JSON Schema with remote or circular references, hostile patterns or excessive size is refused with its path', () => {
  const deep = (levels: number): unknown =>
    levels === 0 ? { type: 'string' } : { type: 'object', properties: { a: deep(levels - 1) } };
  const cases: readonly (readonly [unknown, RegExp])[] = [
    [
      object({ a: { $ref: 'https://example.org/s.json' } }),
      /^schema\.properties\.a\.\$ref: only references within the schema/,
    ],
    [object({ a: { $ref: 'file:///etc/passwd' } }), /^schema\.properties\.a\.\$ref/],
    [object({ a: { $ref: '#/properties/a' } }), /the reference is circular/],
    [object({ a: { $ref: '#' } }), /the reference is circular/],
    [object({ a: { $ref: '#/$defs/none' } }), /does not exist in the schema/],
    [object({ a: { type: 'string', pattern: String.raw`(a)\1` } }), /^schema\.properties\.a\.pattern: /],
    [{ schema: deep(1000) }, /at most 16 levels/],
    [
      object(Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`p${at}`, { type: 'string' }]))),
      /at most 200 properties/,
    ],
    [object({ a: { type: 'string', if: {} } }), /^schema\.properties\.a\.if: this keyword is not supported/],
    [object({ a: { type: 'text' } }), /^schema\.properties\.a\.type: expected one of/],
    [object({ a: true }), /a schema must be an object/],
    [{ schema: { type: 'array', items: {} } }, /root of a schema must be of type object/],
    [JSON.parse('{"schema":{"type":"object","properties":{"__proto__":{"type":"string"}}}}'), /reserved/],
  ];
  for (const [raw, message] of cases) assert.match(describeProblems(raw), message);
  const defs: Record<string, unknown> = { d0: { type: 'string' } };
  for (let at = 1; at < 12; at++) {
    defs[`d${at}`] = { anyOf: Array.from({ length: 10 }, () => ({ $ref: `#/$defs/d${at - 1}` })) };
  }
  assert.match(
    describeProblems({ schema: { type: 'object', properties: { a: { $ref: '#/$defs/d11' } }, $defs: defs } }),
    /at most/,
  );
});

test('CSS selectors are checked', () => {
  assert.equal(checkSelector('main > p:not(.ad), article a[href^="/x"]'), null);
  assert.match(checkSelector('a[') ?? '', /not a CSS selector/);
  assert.match(checkSelector('p::before') ?? '', /not a CSS selector/);
  assert.match(checkSelector(' ') ?? '', /must not be empty/);
  assert.match(checkSelector('a'.repeat(1001)) ?? '', /at most 1000/);
});
