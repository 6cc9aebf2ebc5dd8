import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyPatch } from 'diff';
import * as fc from 'fast-check';
import { z } from 'zod';
import type { Visit } from '#access/page.ts';
import { checkBooks, getOperation, openJobTools, runClaimed } from '../support/engine/queue.ts';
import { onEveryStore } from '../support/store.ts';
import { buildTestPage, type Gate, SITE, withGate } from './gate.ts';

const Changes = z.object({
  changes: z
    .object({
      status: z.string(),
      previous_at: z.string().nullable(),
      diff: z
        .object({
          added_lines: z.number(),
          removed_lines: z.number(),
          text: z.string().nullable(),
          hunks: z.array(z.object({ lines: z.array(z.object({ op: z.string(), text: z.string() })) })).nullable(),
          truncated: z.boolean(),
        })
        .nullish(),
      fields: z.array(z.object({ field: z.string(), previous: z.unknown(), current: z.unknown() })).nullish(),
    })
    .nullable(),
});

type Changes = NonNullable<z.output<typeof Changes>['changes']>;
type Input = Readonly<Record<string, unknown>>;

/** A page whose text and status tests set. */
function buildLivePage(text = '<h1>Rye</h1><p>5 €</p>') {
  const live = { text, status: 200, contentType: 'text/html' };
  const visit: Visit = async ({ url }) => buildTestPage({ url: url.href, ...live });
  return { live, tierVisits: { http: visit } };
}

async function track(gate: Gate, changes: Input = {}, raw: Input = {}, as = gate.tenant): Promise<Changes | null> {
  const { answer, error } = await gate.fetch({ output: ['changes'], changes, ...raw }, { as });
  if (answer === null) throw error ?? new Error('no answer');
  return Changes.parse(answer.body).changes;
}

async function readStatus(gate: Gate, changes: Input = {}, raw: Input = {}, as = gate.tenant): Promise<string | null> {
  return (await track(gate, changes, raw, as))?.status ?? null;
}

onEveryStore('a page is new, the same, changed and removed, compared with its last copy', async (store) => {
  const { live, tierVisits } = buildLivePage();
  await withGate({ store, tierVisits }, async (gate) => {
    assert.deepEqual(await track(gate), { status: 'new', previous_at: null });
    gate.clock.pass(1000);
    assert.deepEqual(await track(gate), { status: 'same', previous_at: '2026-11-21T12:00:00.000Z' });
    gate.clock.pass(1000);
    live.text = '<h1>Rye</h1><p>6 €</p>';
    const changed = await track(gate, { diff: true });
    assert.equal(changed?.status, 'changed');
    assert.equal(changed.previous_at, '2026-11-21T12:00:01.000Z');
    assert.equal(changed.diff?.text, '--- previous\n+++ current\n@@ -1,3 +1,3 @@\n # Rye\n \n-5 €\n+6 €\n');
    assert.deepEqual(changed.diff.hunks?.[0]?.lines, [
      { op: 'same', text: '# Rye' },
      { op: 'same', text: '' },
      { op: 'removed', text: '5 €' },
      { op: 'added', text: '6 €' },
    ]);
    const credits = await gate.spent();
    live.status = 404;
    assert.equal(await readStatus(gate), 'removed');
    assert.equal(await readStatus(gate), null);
    live.status = 200;
    assert.equal(await readStatus(gate), 'new');
    live.status = 410;
    assert.equal(await readStatus(gate), 'removed');
    assert.deepEqual(credits, [6, 0]);
    await checkBooks(gate);
  });
});

onEveryStore('error pages, empty pages and refusals are not compared and leave the copy', async (store) => {
  const { live, tierVisits } = buildLivePage();
  await withGate({ store, tierVisits, limits: { unpaid_seconds_per_hour: null } }, async (gate) => {
    await track(gate);
    for (const [status, text] of [
      [500, 'error'],
      [401, 'who?'],
      [200, ''],
    ] as const) {
      Object.assign(live, { status, text });
      const { answer } = await gate.fetch({ output: ['changes'] });
      if (answer !== null) assert.equal(answer.body['changes'], null);
    }
    Object.assign(live, { status: 200, text: '<h1>Rye</h1><p>5 €</p>' });
    assert.equal(await readStatus(gate), 'same');
  });
});

onEveryStore('copies belong to a tenant, an address and a tag', async (store) => {
  const { tierVisits } = buildLivePage();
  await withGate({ store, tierVisits }, async (gate) => {
    const other = await gate.tenants.create('other', 'starter');
    assert.equal(await readStatus(gate), 'new');
    assert.equal(await readStatus(gate, {}, {}, other), 'new');
    assert.equal(await readStatus(gate, { tag: 'daily' }), 'new');
    assert.equal(await readStatus(gate, {}, { url: `${SITE}other` }), 'new');
    assert.equal(await readStatus(gate, {}, { method: 'POST', body: { json: { q: 1 } } }), 'new');
    assert.equal(await readStatus(gate, {}, { method: 'POST', body: { json: { q: 2 } } }), 'new');
    assert.equal(await readStatus(gate, {}, { url: `${SITE}?utm_source=x#part` }), 'same');
    assert.equal(await readStatus(gate, {}, {}, other), 'same');
    assert.equal(await readStatus(gate, { tag: 'daily' }), 'same');
    assert.equal(await readStatus(gate, {}, { method: 'POST', body: { json: { q: 1 } } }), 'same');
  });
});

/** A page that has its price only as data. */
function buildOffer(price: number): string {
  const offers = { price, priceCurrency: 'EUR', availability: 'InStock' };
  return `<script type="application/ld+json">${JSON.stringify({ '@type': 'Product', name: 'Rye', offers })}</script><h1>Rye</h1>`;
}

onEveryStore('fields of output json are compared, also if only the data of the page has them', async (store) => {
  const { live, tierVisits } = buildLivePage(buildOffer(5));
  const raw = { output: ['changes', 'json'], extract: { price: 'number', availability: 'string' } };
  await withGate({ store, tierVisits }, async (gate) => {
    assert.deepEqual(await track(gate, { fields: true }, raw), { status: 'new', previous_at: null, fields: null });
    assert.deepEqual((await track(gate, { fields: true }, raw))?.fields, []);
    live.text = buildOffer(6);
    const changed = await track(gate, { fields: true, diff: true }, raw);
    assert.equal(changed?.status, 'changed');
    assert.deepEqual(changed.fields, [{ field: 'price', previous: 5, current: 6 }]);
    assert.equal(changed.diff, null);
    assert.equal(await readStatus(gate, {}, raw), 'same');
  });
});

onEveryStore('calls at the same time form a chain without gaps', async (store) => {
  let n = 0;
  const visit: Visit = async ({ url }) => {
    n += 1;
    return buildTestPage({ url: url.href, text: `<h1>Rye</h1><p>visit${n}</p>` });
  };
  await withGate({ store, tierVisits: { http: visit }, limits: { concurrent_requests: null } }, async (gate) => {
    await track(gate);
    const seen = await Promise.all(Array.from({ length: 12 }, async () => track(gate, { diff: true })));
    const links = seen.map((changes) => {
      assert.equal(changes?.status, 'changed');
      const lines = changes.diff?.hunks?.flatMap((hunk) => hunk.lines) ?? [];
      const find = (op: string): string => lines.find((line) => line.op === op)?.text ?? '';
      return [find('removed'), find('added')] as const;
    });
    const next = new Map(links);
    const chain = ['visit1'];
    for (let at = next.get('visit1'); at !== undefined; at = next.get(at)) chain.push(at);
    assert.equal(chain.length, 13);
    assert.equal(new Set(chain).size, 13);
    await checkBooks(gate);
  });
});

onEveryStore('a job that a worker lost before its end is not compared with itself', async (store) => {
  const { live, tierVisits } = buildLivePage();
  await withGate({ store, tierVisits }, async (gate) => {
    await track(gate);
    live.text = '<h1>Rye</h1><p>6 €</p>';
    const input = { url: SITE, output: ['changes'], changes: { diff: true } };
    const { answer } = await gate.ask(getOperation('jobs.submit'), { kind: 'fetch', input });
    const [first] = await gate.queue.leases.claim('w1', 1);
    assert.ok(first !== undefined);
    gate.clock.pass(31_000);
    await gate.queue.leases.recover(null, async () => gate.plan);
    gate.clock.pass(1000);
    // The first worker reads the page, and its end has no effect.
    assert.equal(await runClaimed(gate, first), 'lost');
    const [second] = await gate.queue.leases.claim('w2', 1);
    assert.ok(second !== undefined);
    assert.equal(await runClaimed(gate, second), 'ok');
    const result = await openJobTools(gate).result(String(answer?.body['id']), {});
    const { changes } = Changes.parse(result.answer?.body);
    assert.deepEqual([changes?.status, changes?.diff?.added_lines], ['changed', 1]);
    assert.equal(await readStatus(gate), 'same');
    await checkBooks(gate);
  });
});

onEveryStore('a call that is not charged does not replace the copy', async (store) => {
  const { live, tierVisits } = buildLivePage();
  await withGate({ store, tierVisits, limits: { credits_per_month: 4 } }, async (gate) => {
    await track(gate);
    await track(gate);
    live.text = '<h1>Rye</h1><p>6 €</p>';
    assert.equal((await gate.fetch({ output: ['changes'] })).code, 'credits_exhausted');
    await gate.tenants.topUp(gate.tenant, 10);
    assert.equal(await readStatus(gate), 'changed');
  });
});

onEveryStore('copies that were not fetched for 90 days, and those beyond the plan, are deleted', async (store) => {
  const { tierVisits } = buildLivePage();
  await withGate({ store, tierVisits, limits: { crawl_pages: 60 } }, async (gate) => {
    const tidy = gate.rounds.find(({ name }) => name === 'page_copies');
    assert.ok(tidy !== undefined);
    const fetchAll = async (pages: number) => {
      const seen: (string | null)[] = [];
      for (let n = 0; n < pages; n += 1) {
        gate.clock.pass(1);
        seen.push(await readStatus(gate, {}, { url: `${SITE}${n}` }));
      }
      return seen;
    };
    await fetchAll(130);
    await tidy.run(new AbortController().signal);
    const [row] = await gate.db.query('select count(*) as n, min(fetched_at) as first from page_copies');
    assert.equal(row?.['n'], 60);
    assert.equal(await readStatus(gate, {}, { url: `${SITE}129` }), 'same');
    gate.clock.pass(90 * 24 * 3600 * 1000 - 1);
    await tidy.run(new AbortController().signal);
    assert.equal(await readStatus(gate, {}, { url: `${SITE}129` }), 'same');
    assert.equal((await gate.db.query('select key from page_copies')).length, 1);
  });
});

onEveryStore('if the disk of the embedded store is short, the oldest copies are deleted', async (store) => {
  const { tierVisits } = buildLivePage();
  await withGate({ store, tierVisits }, async (gate) => {
    await track(gate, {}, { url: `${SITE}old` });
    gate.clock.pass(1000);
    await track(gate);
    await gate.diskUsage.evict((await gate.diskUsage.measureBytes()) - 1);
    const isHere = store === 'sqlite';
    assert.equal(await readStatus(gate), 'same');
    assert.equal(await readStatus(gate, {}, { url: `${SITE}old` }), isHere ? 'new' : 'same');
  });
});

test('pages above 1 MiB are compared by their digest', async () => {
  const text = Array.from({ length: 30_000 }, (_, n) => `<p>line ${n} of a long page about rye</p>`).join('');
  const { live, tierVisits } = buildLivePage(text);
  await withGate({ tierVisits }, async (gate) => {
    await track(gate);
    assert.equal(await readStatus(gate), 'same');
    live.text = `${text}<p>end</p>`;
    const changed = await track(gate, { diff: true });
    assert.deepEqual(changed?.diff, { added_lines: 0, removed_lines: 0, text: null, hunks: null, truncated: true });
    const [row] = await gate.db.query('select bytes from page_copies');
    assert.ok(Number(row?.['bytes']) < 200);
  });
});

test('the whole page is compared, whatever part is returned', async () => {
  const start = `<p>${'rye '.repeat(100)}</p>`;
  const { live, tierVisits } = buildLivePage(`${start}<p>a</p>`);
  await withGate({ tierVisits }, async (gate) => {
    const raw = { output: ['markdown', 'changes'], max_chars: 200 };
    await track(gate, {}, raw);
    live.text = `${start}<p>b</p>`;
    assert.equal(await readStatus(gate, {}, { ...raw, output: ['text', 'changes'] }), 'changed');
    assert.equal(await readStatus(gate), 'same');
  });
});

test('applying the diff to the last Markdown gives the current one', async () => {
  const { live, tierVisits } = buildLivePage();
  const Text = fc.array(fc.constantFrom('a', 'b', '- c', '# d', '*e*', '+1', ''), { maxLength: 12 });
  await withGate({ tierVisits, limits: { requests_per_minute: null } }, async (gate) => {
    live.contentType = 'text/markdown';
    let previous: string | null = null;
    await fc.assert(
      fc.asyncProperty(Text, async (lines) => {
        live.text = `x\n${lines.join('\n')}\nend\n`;
        const { answer } = await gate.fetch({ output: ['markdown', 'changes'], changes: { diff: true } });
        const { changes } = Changes.parse(answer?.body);
        const markdown = String(answer?.body['markdown']);
        if (previous !== null) {
          assert.equal(changes?.status, previous === markdown ? 'same' : 'changed');
          const patched: unknown = applyPatch(previous, changes.diff?.text ?? '');
          if (changes.status === 'changed') assert.equal(patched, markdown);
        }
        previous = markdown;
      }),
      { numRuns: 60 },
    );
  });
});

test('bad input names the parameter', async () => {
  await withGate({}, async (gate) => {
    for (const [raw, message] of [
      [{ changes: {} }, 'changes: add changes to output to use it'],
      [{ output: ['changes'], changes: { fields: true } }, 'changes: fields needs output json'],
      [{ output: ['changes'], changes: { tag: 'x'.repeat(101) } }, 'changes.tag: '],
      [{ output: ['changes'], changes: { mode: 'git-diff' } }, 'changes.mode: '],
      [
        { output: ['changes'], max_age_ms: 1 },
        'max_age_ms: cannot be used with changes, which compares the page as it is now',
      ],
    ] as const) {
      const { error } = await gate.fetch(raw);
      assert.equal(error?.code, 'invalid_request');
      assert.ok(error.message.startsWith(message), error.message);
    }
    const crawl = await gate.ask(getOperation('crawl'), { url: SITE, fetch: { changes: {} } });
    assert.match(String(crawl.error?.message), /^fetch\.changes: add changes to output/);
    const batch = await gate.ask(getOperation('fetch.batch'), { urls: [SITE], changes: {} });
    assert.match(String(batch.error?.message), /^changes: add changes to output/);
  });
});
