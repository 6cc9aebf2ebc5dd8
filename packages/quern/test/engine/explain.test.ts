import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { getOperation } from '../support/engine/queue.ts';
import { brings, SITE, withGate } from './gate.ts';

const SHOP =
  '<title>Rye</title><main><h1>Rye flour</h1><p class="price">4.90 EUR</p><p>Ground <b>slowly</b>.</p></main>';
const Explained = z.looseObject({
  title: z.string().nullable(),
  picture: z.string(),
  explanation: z.looseObject({ blocks: z.array(z.looseObject({ text: z.string(), selector: z.string() })) }),
  fields: z.record(z.string(), z.looseObject({})),
});

test('explain returns blocks, a preview without scripts and field values, at the price of a fetch', async () => {
  const http = brings({ text: SHOP.replace('Rye flour', 'Rye <script>x</script> &lt;script&gt;') });
  await withGate({ tierVisits: { http } }, async (gate) => {
    const extract = { price: { selector: '.price', type: 'money' }, gone: { selector: '.gone', type: 'string' } };
    const { answer, error } = await gate.ask(getOperation('explain'), { url: SITE, extract });
    assert.equal(error, null);
    const { picture, explanation, fields } = Explained.parse(answer?.body);
    assert.match(picture, /^<!doctype html>/);
    assert.doesNotMatch(picture, /<script/);
    assert.ok(explanation.blocks.length > 0);
    assert.deepEqual(fields, {
      price: { matches: 1, values: ['4.90 EUR'], value: { amount: 4.9, currency: 'EUR' } },
      gone: { matches: 0, values: [], value: null },
    });
    assert.deepEqual(await gate.spent(), [2, 0]);
    const again = await gate.ask(getOperation('explain'), { url: SITE, max_age_ms: 60_000 });
    assert.equal(again.error, null);
    assert.deepEqual(await gate.spent(), [3, 0]);
  });
});

test('content that is not HTML is rejected and free, like an error page', async () => {
  await withGate({ tierVisits: { http: brings({ contentType: 'application/json', text: '{}' }) } }, async (gate) => {
    assert.equal((await gate.ask(getOperation('explain'), { url: SITE })).code, 'unsupported_content');
    assert.deepEqual(await gate.spent(), [0, 0]);
  });
  await withGate(
    { tierVisits: { http: brings({ status: 404, text: '<p>There is no such page here.' }) } },
    async (gate) => {
      assert.equal((await gate.ask(getOperation('explain'), { url: SITE })).error, null);
      assert.deepEqual(await gate.spent(), [0, 0]);
    },
  );
  await withGate({}, async (gate) => {
    for (const input of [
      { url: SITE, output: ['text'] },
      { url: 'ftp://x' },
      { url: SITE, extract: { a: { selector: '((' } } },
    ])
      assert.equal((await gate.ask(getOperation('explain'), input)).code, 'invalid_request');
  });
});
