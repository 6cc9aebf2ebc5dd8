import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#kernel/ids.ts';
import { printTable } from '#transports/cli/table.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');

/** The lines of a table on a screen of this width, or in a pipe. */
function print(rows: readonly Readonly<Record<string, unknown>>[], columns: number | null): readonly string[] {
  let text = '';
  printTable(rows, {
    json: false,
    terminal: {
      out: (piece) => void (text += String(piece)),
      note: () => undefined,
      live: () => undefined,
      isRead: () => true,
      isScreen: false,
      display: columns === null ? null : { columns, hasColors: false },
    },
  });
  return text.trimEnd().split('\n');
}

test('ids and times are whole at 80 columns, and the other columns are cut instead', () => {
  const id = newId('job', NOW);
  const about = 'a text that is far longer than the room that is left of the line '.repeat(3);
  const [head = '', row = ''] = print([{ about, id, next: '2026-11-21T12:00:00.000Z', kind: 'crawl' }], 80);
  assert.match(head, /^about +id +next +kind$/);
  assert.ok(row.includes(id) && row.includes('2026-11-21T12:00:00.000Z'), row);
  assert.match(row, /^a text[^…]*…/);
  assert.equal(row.length, 80);
});

test('ids and times are not cut even if they alone are wider than the terminal', () => {
  const row = {
    id: newId('key', NOW),
    tenant_id: newId('ten', NOW),
    name: 'the name of a key that is long',
    created_at: '2026-11-21T12:00:00.000Z',
    revoked_at: null,
  };
  for (const columns of [80, 40, 1]) {
    const [, line = ''] = print([row, { ...row, revoked_at: '2026-11-22T12:00:00+01:00' }], columns);
    for (const whole of [row.id, row.tenant_id, row.created_at]) assert.ok(line.includes(whole), line);
    assert.ok(line.includes('the nam…'), line);
  }
});

test('a column is whole as soon as one of its rows has an id', () => {
  const id = newId('ten', NOW);
  const rows = [
    { id: 'local', text: 'x'.repeat(100) },
    { id, text: 'y' },
  ];
  assert.ok(print(rows, 50).every((line) => line.length <= 50));
  assert.ok(print(rows, 50).join('\n').includes(id));
});

test('nothing is cut in a pipe', () => {
  const text = 'z'.repeat(500);
  assert.ok(print([{ text }], null).includes(text));
});
