import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { estimateMinJsonBytes, JsonBytes } from '#extract/json/size.ts';
import { stringifyAnswer } from '#kernel/answer-json.ts';
import { onEveryStore } from '../support/store.ts';
import { brings, withGate } from './gate.ts';

const OUTPUT = ['markdown', 'text', 'links', 'tables', 'metadata'];
const ROW = '<h2>Rye "first" \\ ü 漢</h2><p>Wheat &amp; <a href="/oats">oats</a></p><table><tr><th>a<tr><td>1</table>';

function visitTo(rows: number) {
  return { http: brings({ text: `<title>Mill</title><main>${ROW.repeat(rows)}</main>` }) };
}

suite('answers whose large members are serialized by the parser thread', () => {
  for (const rows of [1, 3000])
    onEveryStore(`a page of ${rows} rows has the same answer as one that is serialized as a whole`, async (store) => {
      const whole = await ask(false);
      assert.deepEqual(await ask(true), whole);

      async function ask(takesJsonBytes: boolean): Promise<unknown> {
        let body: Record<string, unknown> = {};
        await withGate({ store, tierVisits: visitTo(rows) }, async (gate) => {
          const { answer, code, error } = await gate.fetch(
            { output: OUTPUT, only_main_content: false },
            { takesJsonBytes },
          );
          assert.equal(code, 'ok', String(error?.cause));
          const json = answer?.serialized?.json ?? '';
          body = JSON.parse(typeof json === 'string' ? json : Buffer.concat(json).toString());
          assert.equal(Array.isArray(answer?.serialized?.json), takesJsonBytes && rows > 1);
        });
        const { attempts: _attempts, usage: _usage, ...rest } = body;
        return rest;
      }
    });

  test('a serialized member behaves like any other, and an undefined one is omitted', () => {
    const body = {
      a: 1,
      b: undefined,
      c: new JsonBytes(Buffer.from('["ü"]')),
      d: 'x',
      e: new JsonBytes(Buffer.from('{}')),
    };
    const json = stringifyAnswer(body);
    assert.ok(typeof json !== 'string');
    assert.equal(Buffer.concat(json).toString(), '{"a":1,"c":["ü"],"d":"x","e":{}}');
    assert.equal(JSON.stringify(body), '{"a":1,"c":["ü"],"d":"x","e":{}}');
    assert.equal(stringifyAnswer({ a: 1, b: undefined }), '{"a":1}');
  });

  test('a serialized member counts by its bytes', () => {
    assert.ok(estimateMinJsonBytes({ a: new JsonBytes(Buffer.alloc(5000)) }, 4000) > 4000);
    assert.ok(estimateMinJsonBytes({ a: new JsonBytes(Buffer.alloc(50)) }, 4000) <= 100);
  });
});
