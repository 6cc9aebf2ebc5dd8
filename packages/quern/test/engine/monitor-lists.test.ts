import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Visit } from '#access/page.ts';
import { withGate, buildTestPage } from './gate.ts';
import { createMonitorCalls, pass, runAll } from '../support/engine/monitoring.ts';

const FILLER = `<p>${'Milled fresh. '.repeat(20)}</p>`;
const LIST = '<ul class="stock"><li>Rye</li><li>Spelt</li></ul>';
const OTHER_LIST = '<ul class="stock"><li>Rye</li><li>Oats</li></ul>';
const ROWS = `<div class="offer"><b>Rye</b><i>fine</i><i>whole</i></div><div class="offer"><b>Oats</b><i>rolled</i></div>`;
const ROWS_WITHOUT_KINDS = `<div class="offer"><b>Rye</b></div><div class="offer"><b>Oats</b></div>`;
const MINUTE_MS = 60_000;

const STOCK = { stock: { selector: '.stock li', many: true } };
const OFFERS = {
  offers: {
    selector: '.offer',
    many: true,
    fields: { name: { selector: 'b' }, kinds: { selector: 'i', many: true } },
  },
};
const KEYED_OFFERS = { offers: { ...OFFERS.offers, key: 'name' } };

/** The operations and values of the changes that a monitor reports for consecutive versions of a page. */
async function changesAlong(pages: readonly string[], more: Readonly<Record<string, unknown>>) {
  let html = '';
  const http: Visit = async ({ url }) => buildTestPage({ url: url.href, text: `<h1>Stock</h1>${html}${FILLER}` });
  const found: unknown[] = [];
  await withGate({ tierVisits: { http } }, async (gate) => {
    const monitors = createMonitorCalls(gate);
    html = pages[0] ?? '';
    const id = await monitors.made({ cron: '*/5 * * * *', ...more });
    await runAll(gate);
    for (const next of pages.slice(1)) {
      html = next;
      assert.deepEqual(await pass(gate, 5 * MINUTE_MS), ['ok']);
    }
    const changes = (await monitors.changes(id)).toReversed();
    found.push(...changes.flatMap((change) => change.changes.map(({ op, field }) => `${op} ${field}`)));
  });
  return found;
}

for (const [name, extract] of [
  ['a list of values', STOCK],
  ['rows', OFFERS],
  ['rows with a key', KEYED_OFFERS],
] as const) {
  const full = name === 'a list of values' ? LIST : ROWS;
  const field = name === 'a list of values' ? 'stock' : 'offers';

  test(`${name}: a selector that matches nothing in a single run is not a change`, async () => {
    assert.deepEqual(await changesAlong([full, '', full, full], { extract }), []);
    assert.deepEqual(await changesAlong(['', full, '', ''], { extract }), []);
  });

  test(`${name}: a list that remains missing is one change, and its return is another`, async () => {
    assert.deepEqual(await changesAlong([full, '', '', '', full, full], { extract }), [
      `disappeared ${field}`,
      `appeared ${field}`,
    ]);
  });

  test(`${name}: null_policy determines how a missing list is treated`, async () => {
    const ignore = { extract, watch: { null_policy: 'ignore' } };
    assert.deepEqual(await changesAlong([full, '', '', '', full, full], ignore), []);
    const change = { extract, watch: { null_policy: 'change' } };
    assert.deepEqual(await changesAlong([full, '', full], change), [`disappeared ${field}`, `appeared ${field}`]);
  });
}

test('a list that changed while it was missing is compared with the previous one', async () => {
  const ignore = { extract: STOCK, watch: { null_policy: 'ignore' } };
  assert.deepEqual(await changesAlong([LIST, '', '', OTHER_LIST], ignore), ['modified stock']);
  assert.deepEqual(await changesAlong([LIST, '', OTHER_LIST], { extract: STOCK }), ['modified stock']);
});

test('a nested list without matches is missing in its row', async () => {
  const flicker = [ROWS, ROWS_WITHOUT_KINDS, ROWS, ROWS];
  assert.deepEqual(await changesAlong(flicker, { extract: KEYED_OFFERS }), []);
  const gone = [ROWS, ROWS_WITHOUT_KINDS, ROWS_WITHOUT_KINDS];
  assert.deepEqual(await changesAlong(gone, { extract: KEYED_OFFERS }), [
    'disappeared offers[key=Rye].kinds',
    'disappeared offers[key=Oats].kinds',
  ]);
});

test('a run shows a list without matches as null and missing', async () => {
  await withGate(
    { tierVisits: { http: async ({ url }) => buildTestPage({ url: url.href, text: FILLER }) } },
    async (gate) => {
      const monitors = createMonitorCalls(gate);
      const id = await monitors.made({ extract: { ...STOCK, ...OFFERS } });
      await runAll(gate);
      const { values, field_meta: meta } = await monitors.latestRun(id);
      assert.deepEqual(values, { stock: null, offers: null });
      assert.deepEqual(meta['stock'], { source: 'extract', missing: true });
    },
  );
});

test('a baseline of an older version with an empty list reports nothing', async () => {
  await withGate(
    { tierVisits: { http: async ({ url }) => buildTestPage({ url: url.href, text: FILLER }) } },
    async (gate) => {
      const monitors = createMonitorCalls(gate);
      const id = await monitors.made({ extract: { ...STOCK, ...KEYED_OFFERS }, cron: '*/5 * * * *' });
      await runAll(gate);
      const older = {
        run_id: 'run_1',
        content: null,
        fields: { stock: { held: { value: [] } }, offers: { held: { value: 0 }, rows: {} } },
      };
      await gate.db.query('update monitors set baseline = $1', [JSON.stringify(older)]);
      await pass(gate, 20 * MINUTE_MS);
      assert.deepEqual(await monitors.changes(id), []);
    },
  );
});
