import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { getOperation } from '../support/engine/queue.ts';
import { buildTestPage, type Gate, timesOut, withGate } from '../engine/gate.ts';
import { addPages, buildIndexedPage, indexBeside, searchWith } from './search-index.ts';

const TEXT = '<p>Rye is ground slowly between two stones, and the flour keeps for a year when it is dry.</p>';

const Found = z.looseObject({
  organic_results: z.array(
    z.looseObject({
      url: z.string(),
      content: z.looseObject({ markdown: z.string() }).optional(),
      content_error: z.strictObject({ code: z.string(), message: z.string() }).optional(),
    }),
  ),
  usage: z.looseObject({ credits: z.int() }),
});

/** Runs a search for pages of which one can be read, one is an error page and one never responds. */
async function withPages(work: (gate: Gate) => Promise<void>): Promise<void> {
  const pages = ['good', 'gone', 'slow'].map((name) =>
    buildIndexedPage(`${name}.example/`, { title: 'Rye', body: 'Rye flour', source: `copy:${name}` }),
  );
  let index: ReturnType<typeof indexBeside> | null = null;
  await withGate(
    {
      tierVisits: {
        http: async (request, signal) => {
          const { href, hostname } = request.url;
          if (hostname === 'slow.example') return timesOut(request, signal);
          return buildTestPage({ url: href, text: TEXT, status: hostname === 'gone.example' ? 404 : 200 });
        },
      },
      search: (db, folder) => {
        const ports = searchWith()(db, folder);
        index = ports.own?.index ?? null;
        return ports;
      },
    },
    async (gate) => {
      if (index === null) throw new Error('the index is off');
      await addPages(index, { tenant: gate.tenant, pages });
      for (const { source } of pages) {
        await gate.db.query(
          `insert into cached_pages (folder, tenant_id, key, stored_at, sealed, file, bytes) values ('', $1, $2, 0, '', $3, 1)`,
          [gate.tenant, source, source.replace('copy:', '')],
        );
      }
      await work(gate).finally(async () => index?.close());
    },
  );
}

async function search(gate: Gate, more: object) {
  const { answer, error } = await gate.ask(getOperation('fast-search'), { search: 'rye', ...more });
  if (answer === null) throw error ?? new Error('no answer');
  return Found.parse(answer.body);
}

test('pages are returned with their results, and failed or late pages are free and have an error', async () => {
  await withPages(async (gate) => {
    const plain = await search(gate, {});
    assert.equal(plain.usage.credits, 5);
    const { organic_results: results, usage } = await search(gate, { content: {}, timeout_ms: 3000 });
    assert.deepEqual(
      results.map(({ url }) => url),
      plain.organic_results.map(({ url }) => url),
    );
    const outcomes = new Map(
      results.map(({ url, content, content_error: error }) => [url, error?.code ?? content?.markdown.slice(0, 13)]),
    );
    assert.equal(outcomes.get('https://good.example/'), 'Rye is ground');
    assert.equal(outcomes.get('https://gone.example/'), 'unusable_response');
    assert.equal(outcomes.get('https://slow.example/'), 'timeout');
    assert.equal(usage.credits, 7);
  });
});

test('max_credits limits the pages, and one below the price of the search is refused', async () => {
  await withPages(async (gate) => {
    const { organic_results: results } = await search(gate, { content: {}, max_credits: 8, timeout_ms: 3000 });
    const tried = results.filter(({ content, content_error: error }) => content ?? error);
    assert.deepEqual(tried, results.slice(0, 1));
    await assert.rejects(search(gate, { max_credits: 4 }), /max_credits: the cheapest outcome of this call costs 5/);
  });
});
