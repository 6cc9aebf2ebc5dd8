import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildInputChecker } from '#engine/call/validation.ts';
import { observeContent, observeFields, buildContentFetch } from '#features/monitors/compare/observation.ts';
import { buildOutputShapes } from '#features/monitors/compare/shapes.ts';
import { checkWatch } from '#features/monitors/compare/watch-check.ts';
import { getWatchedContent, Watch } from '#features/monitors/compare/watch.ts';
import { mergePatch, MONITOR_FIELDS, checkMonitor, toTarget } from '#features/monitors/definition-input.ts';
import { fetchPage } from '#features/fetch/operation.ts';
import { interact } from '#features/interact/operation.ts';
import { z } from 'zod';
import { shapes } from '../../support/engine/following.ts';

const Body = z.strictObject(MONITOR_FIELDS).superRefine(checkMonitor);

function asked(watch: unknown) {
  return buildContentFetch(getWatchedContent(Watch.parse(watch)) ?? assert.fail());
}

/** The paths of the members that a schema rejects. */
function refused(schema: z.ZodType, raw: unknown): readonly string[] {
  return (schema.safeParse(raw).error?.issues ?? []).map(({ path }) => path.join('.'));
}

test('a watch has defaults, and accepts its own output', () => {
  const watch = Watch.parse({});
  assert.deepEqual(
    [
      watch.on,
      watch.mode,
      watch.baseline,
      watch.confirm_runs,
      watch.null_policy,
      watch.digest,
      watch.notify_on_first_run,
    ],
    ['any', 'fields', 'last_change', 1, 'confirm', null, false],
  );
  for (const thresholds of [{ abs: 1 }, { price: { pct: 0 } }, { abs: { pct: 3 } }]) {
    const read = Watch.parse({ thresholds });
    assert.deepEqual(read.thresholds, thresholds);
    assert.deepEqual(Watch.parse(JSON.parse(JSON.stringify(read))), read);
  }
});

test('an invalid watch is rejected with the path of the field', () => {
  const rows = [
    [{ on: 'some' }, 'on'],
    [{ thresholds: {} }, 'thresholds'],
    [{ thresholds: { abs: -1 } }, 'thresholds.abs'],
    [{ thresholds: { price: {} } }, 'thresholds.price'],
    [{ thresholds: { price: { abs: Number.POSITIVE_INFINITY } } }, 'thresholds.price.abs'],
    [{ thresholds: { price: { abs: 1, rel: 1 } } }, 'thresholds.price'],
    [{ mode: 'content', thresholds: { abs: 1 } }, 'thresholds'],
    [{ mode: 'content', fields: ['a'] }, 'fields'],
    [{ mode: 'content', array_fields: { a: {} } }, 'array_fields'],
    [{ content: { of: 'text' } }, 'content'],
    [{ mode: 'content', content: { of: 'selector' } }, 'content.selector'],
    [{ mode: 'content', content: { selector: 'p' } }, 'content.selector'],
    [{ mode: 'content', content: { of: 'text', ignore_selectors: ['p['] } }, 'content.ignore_selectors.0'],
    [{ ignore_patterns: ['(?=a)'] }, 'ignore_patterns.0'],
    [{ ignore_patterns: Array.from({ length: 21 }, () => 'a') }, 'ignore_patterns'],
    [{ digest: { interval_minutes: 14 } }, 'digest.interval_minutes'],
    [{ digest: { interval_minutes: 60, at: '25:00' } }, 'digest.at'],
    [{ confirm_runs: 0 }, 'confirm_runs'],
    [{ fields: ['a', 'a'] }, 'fields'],
    [{ parity_threshold: { abs: 1 } }, ''],
  ] as const;
  for (const [raw, path] of rows)
    assert.ok(refused(Watch, raw).includes(path), `${JSON.stringify(raw)}: ${refused(Watch, raw).join(' ')}`);
});

const PRODUCT = shapes({
  price: 'money',
  name: 'string',
  tags: 'string[]',
  offer: { fields: { amount: 'number' } },
  items: { selector: 'li', many: true, key: 'sku', fields: { sku: 'string', price: 'money' } },
  loose: { selector: 'li', many: true, fields: { price: 'money' } },
});

test('a watch is checked against the fields of its target', () => {
  const rows: readonly (readonly [unknown, string | null, RegExp?])[] = [
    [{ fields: ['price', 'offer', 'offer.amount'] }, null],
    [{ fields: ['prize'] }, 'fields.0', /nearest known name is price/],
    [{ thresholds: { pct: 5 } }, null],
    [{ thresholds: { pct: 5 }, fields: ['name'] }, 'thresholds', /no number/],
    [{ thresholds: { 'items.price': { pct: 5 }, 'offer.amount': { abs: 1 } } }, null],
    [{ thresholds: { 'loose.price': { pct: 5 } } }, 'thresholds.loose.price', /array_fields.loose.key/],
    [{ thresholds: { 'loose.price': { pct: 5 } }, array_fields: { loose: { key: 'price' } } }, null],
    [{ thresholds: { name: { pct: 5 } } }, 'thresholds.name', /needs a number/],
    [{ thresholds: { price: { pct: 5 } }, fields: ['name'] }, 'thresholds.price', /not among the watched/],
    [{ array_fields: { price: { compare: 'set' } } }, 'array_fields.price', /needs an array/],
    [{ array_fields: { loose: { compare: 'keyed' } } }, 'array_fields.loose.key', /is required/],
    [{ array_fields: { tags: { key: 'a' } } }, 'array_fields.tags.key', /array of objects/],
    [{ array_fields: { items: { compare: 'list', key: 'sku' } } }, 'array_fields.items.key', /is not allowed/],
    [{ array_fields: { items: { fields: ['stock'] } } }, 'array_fields.items.fields', /unknown field stock/],
    [{ array_fields: { nothing: {} } }, 'array_fields.nothing', /unknown field/],
  ];
  for (const [raw, path, message] of rows) {
    const problems = checkWatch(Watch.parse(raw), PRODUCT);
    assert.equal(problems[0]?.path.join('.') ?? null, path, JSON.stringify(raw));
    if (message !== undefined) assert.match(problems[0]?.message ?? '', message);
  }
});

test('the fields of an operation are the members of its answer without those about the call', () => {
  const output = z.toJSONSchema(fetchPage.output, { unrepresentable: 'any' });
  const fields = buildOutputShapes(output);
  assert.equal(fields.get('markdown')?.kind, 'string');
  assert.equal(fields.get('metadata.title')?.kind, 'string');
  assert.equal(fields.get('links')?.kind, 'rows');
  assert.equal(fields.get('structured_data.opengraph')?.kind, 'any');
  for (const name of ['usage', 'attempts', 'warnings', 'cache.hit', 'truncated', 'model.input_tokens'])
    assert.equal(fields.has(name), false, name);
  const session = buildOutputShapes(z.toJSONSchema(interact.output, { unrepresentable: 'any' }));
  assert.deepEqual(
    ['steps', 'model.input_tokens', 'completed', 'extracted'].map((name) => session.has(name)),
    [false, false, true, true],
  );
  const record = z.object({
    rate: z.object({ price: z.object({ amount: z.number(), currency: z.string() }).nullable(), stars: z.int() }),
    provider: z.string(),
  });
  const rate = buildOutputShapes(z.toJSONSchema(record));
  assert.deepEqual(
    [...rate].map(([name, { kind }]) => `${name} ${kind}`),
    ['rate.price money', 'rate.stars number'],
  );
  const seen = observeFields({ rate: { price: { amount: 3, currency: 'EUR' }, stars: 'four' } }, rate, 'record');
  assert.deepEqual(seen.values, { 'rate.price': 3, 'rate.stars': null });
  assert.deepEqual(seen.field_meta, {
    'rate.price': { source: 'record', currency: 'EUR' },
    'rate.stars': { source: 'record', raw: 'four' },
  });
});

test('missing and unreadable fields are distinguished, and prices in text are parsed', () => {
  const seen = observeFields({ json: { price: '€1.234,56', offer: null, tags: [] } }, PRODUCT, 'extract');
  assert.deepEqual([seen.values['price'], seen.field_meta['price']], [1234.56, { source: 'extract', currency: 'EUR' }]);
  assert.deepEqual(
    [seen.values['offer.amount'], seen.field_meta['offer.amount']],
    [null, { source: 'extract', missing: true }],
  );
  assert.deepEqual([seen.values['tags'], seen.field_meta['tags']?.missing], [null, true]);
  const bad = observeFields({ json: { price: 'on request' } }, PRODUCT, 'extract').field_meta['price'];
  assert.deepEqual(bad, { source: 'extract', raw: 'on request' });
  const fetched = {
    json: { price: null, offer: { amount: null } },
    json_unread: { price: 'on request', 'offer.amount': '?' },
  };
  const { field_meta: meta } = observeFields(fetched, PRODUCT, 'extract');
  assert.deepEqual([meta['price']?.raw, meta['offer.amount']?.raw], ['on request', '?']);
});

test('a content watch asks Fetch for the text that it compares', () => {
  assert.deepEqual(asked({ mode: 'content' }), { output: ['markdown'], include_selectors: [], exclude_selectors: [] });
  const content = { of: 'selector', selector: '#price', ignore_selectors: ['.ad'] };
  assert.deepEqual(asked({ mode: 'content', content }), {
    output: ['text'],
    include_selectors: ['#price'],
    exclude_selectors: ['.ad'],
  });
  const watched = getWatchedContent(Watch.parse({ mode: 'content', content })) ?? assert.fail();
  assert.equal(observeContent({ text: ' 5 €\n' }, watched, (text) => text).content?.text, '5 €');
});

const PAGE = { url: 'https://shop.example/p', extract: { price: 'money' } };

test('an invalid monitor is rejected with the path of the field', () => {
  assert.deepEqual(refused(Body, PAGE), []);
  assert.deepEqual(refused(Body, { url: PAGE.url, watch: { mode: 'content' } }), []);
  assert.deepEqual(refused(Body, { target: { operation: 'map', input: { url: PAGE.url } } }), []);
  const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`f${index}`, 'string']));
  const rows: readonly (readonly [unknown, string])[] = [
    [{ ...PAGE, url: undefined }, 'url'],
    [{ url: PAGE.url }, 'extract'],
    [{ ...PAGE, watch: { mode: 'content' } }, 'extract'],
    [{ ...PAGE, target: { operation: 'fetch', input: {} } }, 'url'],
    [{ target: { operation: 'fetch', input: {} }, watch: { mode: 'content' } }, 'target'],
    [{ ...PAGE, extract: many }, 'extract.fields'],
    [{ ...PAGE, extract: { 'a-b': 'string' } }, 'extract.fields.a-b'],
    [{ ...PAGE, extract: { pct: 'number' } }, 'extract.fields.pct'],
    [{ ...PAGE, extract: JSON.parse('{"__proto__": "string"}') }, 'extract.__proto__'],
    [{ ...PAGE, name: 'a\u0000b' }, 'name'],
    [{ ...PAGE, name: ' ' }, 'name'],
    [{ ...PAGE, cron: '* * * * * *' }, 'cron'],
    [{ ...PAGE, timezone: 'Mars/Base' }, 'timezone'],
    [{ ...PAGE, metadata: { text: 'x'.repeat(5000) } }, 'metadata'],
    [{ ...PAGE, metadata: JSON.parse(`${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`) }, 'metadata'],
    [{ ...PAGE, watch: { thresholds: { price: { abs: -1 } } } }, 'watch.thresholds.price.abs'],
    [{ ...PAGE, use_proxy: true, proxy: 'basic' }, 'use_proxy'],
  ];
  for (const [raw, path] of rows)
    assert.ok(
      refused(Body, raw).includes(path),
      `${JSON.stringify(raw).slice(0, 200)}: ${refused(Body, raw).join(' ')}`,
    );
  for (const raw of [{ id: 'mon_1' }, { kind: 'hotel' }, { tenant: 't' }, { created_at: 'x' }, { credits: 1 }]) {
    assert.deepEqual(refused(Body, { ...PAGE, ...raw }), [''], 'members of a record are not input');
  }
  assert.equal(Body.parse({ ...PAGE, name: ' Cafe\u0301 ' }).name, 'Café');
});

test('the target of a watched page is a fetch', () => {
  const { operation, input } = toTarget(Body.parse({ ...PAGE, proxy: 'basic' }));
  assert.equal(operation, 'fetch');
  assert.doesNotThrow(() => buildInputChecker(fetchPage)(input));
  assert.deepEqual([input['output'], input['proxy']], [['json'], 'basic']);
  assert.doesNotThrow(() =>
    buildInputChecker(fetchPage)(toTarget(Body.parse({ url: PAGE.url, watch: { mode: 'content' } })).input),
  );
});

test('a patch keeps omitted fields, removes null fields and merges objects', () => {
  const body = {
    url: 'u',
    cron: '@daily',
    watch: { confirm_runs: 2, thresholds: { price: { abs: 1 } } },
    extract: { a: 'string' },
  };
  const patch = {
    cron: null,
    watch: { confirm_runs: null, on: 'all' },
    extract: { b: 'number' },
    webhook: { url: 'w' },
  };
  const merged = {
    url: 'u',
    watch: { thresholds: { price: { abs: 1 } }, on: 'all' },
    extract: { b: 'number' },
    webhook: { url: 'w' },
  };
  assert.deepEqual(mergePatch(body, patch), merged);
  assert.deepEqual(body.cron, '@daily');
  const hostile = mergePatch(body, JSON.parse('{"__proto__": {"active": false}}'));
  assert.equal(Object.hasOwn(hostile, '__proto__'), true);
  assert.equal('active' in hostile, false);
});
