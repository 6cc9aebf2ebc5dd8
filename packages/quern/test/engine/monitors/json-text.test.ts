import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Visit } from '#access/page.ts';
import { formatJsonLines } from '#features/monitors/compare/json-text.ts';
import { buildTestPage, withGate } from '../gate.ts';
import { createMonitorCalls, pass, runAll } from '../../support/engine/monitoring.ts';

const SAME = [
  ['{"b": 1, "a": {"d": [1, 2], "c": null}}', '{"a":{"c":null,"d":[1,2]},"b":1}'],
  ['[1, 10, 0.5, -2, 0]', '[1.0, 1e1, 5e-1, -2.00, -0]'],
  ['{"x": "a b"}', '{"x": "\\u0061 b"}'],
  ['{"n": 12345678901234567890}', '{"n": 12345678901234567890.0}'],
  ['{"n": 0.0000001}', '{"n": 1e-7}'],
] as const;
const OTHER = [
  ['[1, 2]', '[2, 1]'],
  ['{"n": 12345678901234567890}', '{"n": 12345678901234567891}'],
  ['{"n": 1}', '{"n": "1"}'],
  ['{"n": 1}', '{"n": 10}'],
  ['{"n": 1e30}', '{"n": 1e31}'],
  ['{"n": 1}', '{"n": -1}'],
  ['{"a": []}', '{"a": {}}'],
  ['{"a": null}', '{}'],
  ['{"a": [1], "b": 2}', '{"a": [1, 2]}'],
] as const;

test('equal JSON gives equal lines, regardless of member order and number notation', () => {
  for (const [one, other] of SAME) {
    assert.notEqual(formatJsonLines(one), null);
    assert.equal(formatJsonLines(one), formatJsonLines(other), one);
  }
});

test('different JSON gives different lines', () => {
  for (const [one, other] of OTHER) assert.notEqual(formatJsonLines(one), formatJsonLines(other), one);
});

test('text that is not JSON, or too deep, is not changed', () => {
  const deep = '['.repeat(500) + ']'.repeat(500);
  for (const text of ['Rye flour', '{"a": 1', '[1, 2] and more', '"a"', '42', deep]) {
    assert.equal(formatJsonLines(text), null, text.slice(0, 20));
  }
});

for (const form of ['markdown', 'text', 'html'] as const) {
  test(`a monitor of JSON as ${form} reports changed values but not changed order`, async () => {
    let body = '';
    const http: Visit = async ({ url }) =>
      buildTestPage({ url: url.href, text: body, contentType: 'application/json' });
    await withGate({ tierVisits: { http } }, async (gate) => {
      const monitors = createMonitorCalls(gate);
      body = '{"price": 1.50, "name": "Rye <fine>", "tags": ["a", "b"]}';
      const id = await monitors.made({
        extract: undefined,
        watch: { mode: 'content', content: { of: form } },
        cron: '*/5 * * * *',
      });
      await runAll(gate);
      body = '{\n  "tags": ["a", "b"],\n  "name": "Rye <fine>",\n  "price": 1.5\n}';
      await pass(gate, 300_000);
      assert.deepEqual(await monitors.changes(id), []);
      body = '{"tags": ["a", "b"], "name": "Rye <fine>", "price": 2}';
      await pass(gate, 300_000);
      const [change, ...more] = await monitors.changes(id);
      assert.deepEqual(more, []);
      assert.match(change?.content?.unified_diff ?? '', /^-"price": 1\.5$[\s\S]*^\+"price": 2$/m);
    });
  });
}

test('an unsorted baseline of an older version reports nothing', async () => {
  const body = '{"price": 1.50, "name": "Rye"}';
  const http: Visit = async ({ url }) => buildTestPage({ url: url.href, text: body, contentType: 'application/json' });
  await withGate({ tierVisits: { http } }, async (gate) => {
    const monitors = createMonitorCalls(gate);
    const id = await monitors.made({ extract: undefined, watch: { mode: 'content' }, cron: '*/5 * * * *' });
    await runAll(gate);
    const [row] = await gate.db.query('select baseline from monitors');
    const known = JSON.parse(String(row?.['baseline']));
    const text = '```json\n{\n"price": 1.50,\n"name": "Rye"\n}\n```';
    const older = { ...known, page_kinds: undefined, content: { ...known.content, text, hash: 'older' } };
    await gate.db.query('update monitors set baseline = $1', [JSON.stringify(older)]);
    await pass(gate, 300_000);
    assert.deepEqual(await monitors.changes(id), []);
  });
});
