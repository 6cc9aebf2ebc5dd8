import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSealer } from '#kernel/sealer.ts';

const SECRET = new Uint8Array(32).fill(7);

test('sealed text opens only with the same secret and purpose, and each sealing differs', () => {
  const sealer = createSealer(SECRET, 'a');
  for (const text of ['', 'rye', 'Ржаной хлеб 🌾']) {
    const sealed = sealer.seal(text);
    assert.notEqual(sealed, sealer.seal(text));
    assert.equal(createSealer(SECRET, 'a').open(sealed), text);
    assert.throws(() => createSealer(SECRET, 'b').open(sealed));
    assert.throws(() => createSealer(new Uint8Array(32), 'a').open(sealed));
  }
});

test('changed or truncated sealed text does not open', () => {
  const sealer = createSealer(SECRET, 'a');
  const sealed = Buffer.from(sealer.seal('rye'), 'base64');
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    assert.throws(() => sealer.open(changed.toString('base64')));
    assert.throws(() => sealer.open(sealed.toString('base64', 0, at)));
  }
});
