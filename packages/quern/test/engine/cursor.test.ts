import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildCursors } from '#engine/call/cursor.ts';
import { ServiceError } from '#kernel/errors.ts';

const cursors = buildCursors(new Uint8Array(32).fill(7));
const scope = { tenant: 'ten_a', operation: 'requests', filters: { status: 200 } };

test('a cursor decodes to its position', () => {
  assert.equal(cursors.read(scope, cursors.write(scope, 'req_5')), 'req_5');
  assert.equal(cursors.read(scope, null), null);
});

test('a truncated, forged or foreign cursor (of another tenant, list, filter or key) is rejected', () => {
  const cursor = cursors.write(scope, 'req_5');
  const others = [
    { ...scope, tenant: 'ten_b' },
    { ...scope, operation: 'usage.history' },
    { ...scope, filters: { status: 404 } },
  ];
  for (const other of others) assert.throws(() => cursors.read(other, cursor), isRefusal);
  const forged = Buffer.concat([Buffer.alloc(16), Buffer.from('req_1')]).toString('base64url');
  for (const bad of [cursor.slice(0, 10), cursor.slice(2), `${cursor}AA`, forged, '', '%%%', 'x'.repeat(900)]) {
    assert.throws(() => cursors.read(scope, bad), isRefusal);
  }
  assert.throws(() => buildCursors(new Uint8Array(32)).read(scope, cursor), isRefusal);
});

function isRefusal(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'invalid_request';
}
