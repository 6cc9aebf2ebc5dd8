import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Visit } from '#access/page.ts';
import { type Gate, buildTestPage, SITE, withGate } from './gate.ts';
import { createMonitorCalls, pass, runAll } from '../support/engine/monitoring.ts';

const HOUR_MS = 3_600_000;
const TARGETS = {
  crawl: { operation: 'crawl', input: { url: SITE, delay_ms: 0, max_pages: 5 } },
  map: { operation: 'map', input: { url: SITE, delay_ms: 0, sources: ['links'] } },
  fetch: { operation: 'fetch', input: { url: SITE, output: ['markdown', 'metadata'] } },
} as const;

/** A site of three pages, whose text and links a test sets. */
function openMill() {
  const mill = { text: 'Milled fresh.', more: '' };
  const http: Visit = async ({ url }) => {
    const body = `<title>${url.pathname}</title><h1>Page ${url.pathname}</h1><p>${mill.text.repeat(20)}</p>`;
    const links = url.pathname === '/' ? `<a href="/rye">Rye</a> <a href="/oats">Oats</a>${mill.more}` : '';
    return buildTestPage({ url: url.href, text: body + links });
  };
  return { mill, tierVisits: { http } };
}

async function listChanges(gate: Gate, id: string) {
  return (await createMonitorCalls(gate).changes(id)).flatMap(({ changes }) => changes);
}

for (const [name, target] of Object.entries(TARGETS)) {
  test(`a ${name} as target reports a change only if the content of its pages changes`, async () => {
    const { mill, tierVisits } = openMill();
    await withGate({ tierVisits }, async (gate) => {
      const monitors = createMonitorCalls(gate);
      const id = await monitors.made({ url: undefined, extract: undefined, target });
      await runAll(gate);
      await pass(gate, 3 * HOUR_MS);
      const runs = await monitors.runs(id);
      assert.ok(runs.length >= 3);
      assert.deepEqual([...new Set(runs.map(({ status }) => status))], ['completed']);
      assert.deepEqual(await listChanges(gate, id), []);
      mill.text = 'Milled yesterday.';
      mill.more = '<a href="/wheat">Wheat</a>';
      await pass(gate, HOUR_MS + 600_000);
      assert.notDeepEqual(await listChanges(gate, id), []);
    });
  });
}

test('the order in which a crawl or map finds pages is not a change', async () => {
  const { mill, tierVisits } = openMill();
  await withGate({ tierVisits }, async (gate) => {
    const monitors = createMonitorCalls(gate);
    const id = await monitors.made({ url: undefined, extract: undefined, target: TARGETS.map });
    await runAll(gate);
    const found = (await monitors.latestRun(id)).values['urls'];
    assert.match(JSON.stringify(found), /"source":"links","depth":1/);
    mill.more = '';
    const [row] = await gate.db.query('select baseline from monitors');
    const older = String(row?.['baseline']).replaceAll('"depth":1', '"depth":2').replaceAll('"links"', '"sitemap"');
    await gate.db.query('update monitors set baseline = $1', [older]);
    await pass(gate, HOUR_MS + 600_000);
    assert.deepEqual(await listChanges(gate, id), []);
  });
});

test('members ignored by default are compared if the watch lists them', async () => {
  const { tierVisits } = openMill();
  await withGate({ tierVisits }, async (gate) => {
    const monitors = createMonitorCalls(gate);
    const watch = { fields: ['pages'], array_fields: { pages: { key: 'url', fields: ['url', 'fetched_at'] } } };
    const id = await monitors.made({ url: undefined, extract: undefined, target: TARGETS.crawl, watch });
    await runAll(gate);
    await pass(gate, HOUR_MS + 600_000);
    const fields = (await listChanges(gate, id)).map(({ field }) => field);
    assert.ok(fields.includes(`pages[key=${SITE}].fetched_at`), fields.join());
  });
});
