import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import type { Visit } from '#access/page.ts';
import { createNoSearch } from '#compose/search-settings.ts';
import { renderResultPage } from '#demo/sites/websearch.ts';
import { DEFAULT_SEARCH_SETTINGS } from '#features/search/settings.ts';
import { FORMATS } from '#testkit/search-lab/lab.ts';
import { getOperation } from '../support/engine/queue.ts';
import { type Gate, type GateOptions, buildTestPage, withGate } from '../engine/gate.ts';

const ORIGIN = 'https://mill.example';
const SETTLED = { origins: { web: ORIGIN }, credentials: {}, tiers: null, constants: {}, cacheSeconds: null };
const Body = z.looseObject({
  query_context: z.record(z.string(), z.unknown()),
  meta_data: z.strictObject({ page: z.int(), url: z.string() }),
  organic_results: z.array(z.looseObject({ position: z.int(), url: z.string() })),
  paid_results: z.array(z.looseObject({ url: z.string() })),
  features: z.record(z.string(), z.unknown()),
  usage: z.looseObject({ credits: z.int() }),
});

/** The engines on one origin, distinguished by path. */
const engines: Visit = async ({ url }) => {
  const text = () => {
    if (url.pathname === '/html/') return FORMATS.duckduckgo.results('rye', 1);
    if (url.searchParams.get('source') === 'web') return FORMATS.brave.results('rye', 1);
    return renderResultPage('rye', 1);
  };
  return buildTestPage({ url: url.href, text: text() });
};

const AT_ORIGIN = new Map(
  (['duckduckgo', 'brave'] as const).map((engine) => [engine, { driver: 'pages' as const, engine, origin: ORIGIN }]),
);

async function withEngines(work: (gate: Gate) => Promise<void>): Promise<void> {
  const settings = { ...DEFAULT_SEARCH_SETTINGS, backends: AT_ORIGIN };
  const options: GateOptions = {
    tierVisits: { http: engines, browser: engines },
    sites: { websearch: SETTLED },
    search: () => ({ ...createNoSearch(), settings }),
  };
  await withGate(options, work);
}

async function search(gate: Gate, asked: Readonly<Record<string, unknown>>): Promise<z.output<typeof Body>> {
  const { answer, error } = await gate.ask(getOperation('serp.search'), asked);
  if (answer === null) throw error ?? new Error('no answer');
  return Body.parse(answer.body);
}

test('an engine is queried at its configured origin for fifteen credits', async () => {
  await withEngines(async (gate) => {
    for (const [engine, path] of [
      ['duckduckgo', '/html/'],
      ['brave', '/search?q=rye&source=web'],
      ['google', '/search?q=rye&hl=en&pws=0&nfpr=1'],
    ] as const) {
      const body = await search(gate, { engine, search: 'rye' });
      assert.equal(body.meta_data.url, `${ORIGIN}${path}`);
      assert.deepEqual([body.organic_results.length, body.organic_results[0]?.url], [10, 'https://mill-1.example/rye']);
      assert.equal(body.paid_results.length, engine === 'google' ? 1 : 0);
      assert.deepEqual([body.usage.credits, body.query_context['engine']], [15, engine]);
      assert.deepEqual(Object.keys(body.features).length, 7);
    }
  });
});

test('unsupported options are rejected, and a missing instance is named', async () => {
  await withEngines(async (gate) => {
    for (const [given, code, says] of [
      [
        { engine: 'bing', search: 'x', time_range: 'year' },
        'invalid_request',
        /time_range: this engine has no results/,
      ],
      [{ engine: 'yahoo', search: 'x' }, 'invalid_request', /engine/],
      [{ engine: 'brave', search: 'x', page: 0 }, 'invalid_request', /page/],
      [{ engine: 'brave', search: 'x', language: 'd' }, 'invalid_request', /language/],
      [{ engine: 'brave', search: 'x', country: 'Atlantis' }, 'invalid_request', /is not a known country/],
      [
        { engine: 'searxng', search: 'x' },
        'backend_unavailable',
        /configure a backend for searxng in QUERN_SEARCH_FILE/,
      ],
    ] as const) {
      const said = await gate.ask(getOperation('serp.search'), given);
      assert.equal(said.code, code, JSON.stringify(given));
      assert.match(said.error?.message ?? '', says);
    }
    assert.deepEqual([gate.visits.length, await gate.spent()], [0, [0, 0]]);
  });
});
