import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as declared from '#sites/declarations.ts';
import type { SiteEndpoint } from '#sites/framework/endpoint.ts';
import { allEndpoints, endpoints, enginePages, listCrawls, listSites } from '#sites/index.ts';

/** Everything that the catalogue says of an endpoint; what is loaded is compared by identity. */
function describe(endpoint: SiteEndpoint) {
  const { parameters, site, sources, record, check: _, emptyRecord, ...summary } = endpoint;
  const { shape, ...known } = parameters;
  return { summary: { ...summary, parameters: known }, emptyRecord, loaded: [site, sources, record, shape] };
}

function assertSame(lazy: SiteEndpoint, eager: SiteEndpoint): void {
  const { loaded, ...plain } = describe(lazy);
  const expected = describe(eager);
  // Run npm run build:sites after a change of a declaration.
  assert.deepEqual(plain, { summary: expected.summary, emptyRecord: expected.emptyRecord }, eager.id);
  for (const [at, value] of loaded.entries()) assert.equal(value, expected.loaded[at], eager.id);
  assert.deepEqual(lazy.check({}), eager.check({}), eager.id);
}

test('the catalogue has every declared endpoint, in the order of the docs', () => {
  assert.deepEqual(
    endpoints.map(({ id }) => id),
    declared.endpoints.map(({ id }) => id),
  );
  for (const [at, endpoint] of declared.endpoints.entries()) assertSame(endpoints[at] ?? assert.fail(), endpoint);
});

test('the catalogue has every list crawl and every result page of an engine', () => {
  assert.equal(listCrawls.length, declared.listCrawls.length);
  for (const [at, { endpoint, ...crawl }] of declared.listCrawls.entries()) {
    const { endpoint: lazy, ...known } = listCrawls[at] ?? assert.fail();
    assert.deepEqual(known, crawl);
    assertSame(lazy, endpoint);
  }
  assert.deepEqual(new Set(Object.keys(enginePages)), new Set(Object.keys(declared.enginePages)));
  for (const [engine, page] of Object.entries(declared.enginePages))
    assertSame(allEndpoints.find(({ id }) => id === page.id) ?? assert.fail(engine), page);
});

test('the sites that can be configured are those of the endpoints', () => {
  assert.deepEqual(
    new Set(listSites().map(({ name }) => name)),
    new Set([...declared.endpoints, declared.enginePages.websearch].map(({ site }) => site.name)),
  );
});
