import assert from 'node:assert/strict';
import { deflateRawSync } from 'node:zlib';
import { test } from 'node:test';
import * as fc from 'fast-check';
import * as browser from '#extract/platform/browser.ts';
import * as node from '#extract/platform/node.ts';

const bytes = fc.uint8Array({ maxLength: 300 });

test('both platforms have the same exports', () => {
  assert.deepEqual(Object.keys(browser).toSorted(), Object.keys(node).toSorted());
});

test('both platforms read bytes alike', () => {
  fc.assert(
    fc.property(bytes, fc.string({ unit: 'binary' }), fc.nat(255), (body, text, byte) => {
      const encoded = new TextEncoder().encode(text);
      assert.equal(browser.decodeLatin1(body), node.decodeLatin1(body));
      assert.equal(browser.isUtf8(body), node.isUtf8(body));
      assert.equal(browser.isUtf8(encoded), node.isUtf8(encoded));
      assert.equal(browser.includesByte(body, byte), node.includesByte(body, byte));
      assert.equal(browser.countUtf8Bytes(text), node.countUtf8Bytes(text));
      assert.equal(browser.copyText(text), node.copyText(text));
      assert.equal(browser.computeSha256(text), node.computeSha256(text));
    }),
  );
});

test('both platforms read base64 alike, damaged too', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'AZaz09+/-_ \n!'.split('')), maxLength: 60 });
  fc.assert(
    fc.property(letters, bytes, (text, body) => {
      assert.deepEqual([...browser.decodeBase64(text)], [...node.decodeBase64(text)]);
      const encoded = Buffer.from(body).toString('base64');
      assert.deepEqual([...browser.decodeBase64(encoded)], [...body]);
    }),
  );
});

test('both platforms unpack the same bytes, and neither unpacks more than the limit', () => {
  const body = new TextEncoder().encode('flour '.repeat(50_000));
  const packed = deflateRawSync(body);
  for (const { inflateRaw } of [node, browser]) {
    assert.deepEqual(Buffer.from(inflateRaw(packed, body.length)), Buffer.from(body));
    assert.throws(() => inflateRaw(packed, body.length - 1), RangeError);
    assert.throws(() => inflateRaw(packed.subarray(0, packed.length / 2), body.length), Error);
  }
});

test('without a tokenizer in the platform, characters are offered', () => {
  assert.throws(() => browser.loadTokenizer('o200k_base'), /o200k_base .*use characters/);
});
