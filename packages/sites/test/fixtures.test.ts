import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { SiteEndpoint } from '#sites/framework/endpoint.ts';
import { allEndpoints } from '#sites/index.ts';
import { readSource } from '#sites/read-source.ts';
import { listSiteFolders } from '#testkit/sites/site-folders.ts';
import { type Fixture, listFixtures, replay, toFileStem } from '#tools/sites/cases.ts';

const fixtures = listFixtures();

function findEndpoint({ site, endpoint }: Fixture): SiteEndpoint {
  const found = allEndpoints.find((one) => one.site.name === site && toFileStem(one) === endpoint);
  assert.ok(found !== undefined, `${site} has no endpoint ${endpoint}`);
  return found;
}

for (const fixture of fixtures)
  test(`${fixture.site}: ${fixture.name} is requested and parsed as its case expects`, () => {
    const { pages, expect } = fixture.case;
    const { verdict, asked } = replay(findEndpoint(fixture), fixture.case, readSource);
    assert.deepEqual(
      asked,
      pages.map(({ requested, post = null }) => ({ url: requested, post })),
    );
    for (const [member, value] of Object.entries(expect))
      assert.deepEqual(new Map<string, unknown>(Object.entries(verdict)).get(member), value, member);
  });

test('each endpoint has a case with a record, and one that is not found, blocked, rate-limited or empty', () => {
  for (const endpoint of allEndpoints) {
    const own = fixtures.filter((one) => findEndpoint(one) === endpoint).map((one) => one.case.expect);
    const isEmpty = (expect: Readonly<Record<string, unknown>>): boolean =>
      endpoint.list !== null && JSON.stringify(expect['record'] ?? null).includes(`"${endpoint.list}":[]`);
    const good = own.filter((expect) => expect.kind === 'record' && !isEmpty(expect));
    const bad = own.filter(
      (expect) => ['not_found', 'blocked', 'rate_limited'].includes(expect.kind) || isEmpty(expect),
    );
    assert.ok(good.length > 0, `${endpoint.id} has no case with a record`);
    assert.ok(bad.length > 0, `${endpoint.id} has no case without a record`);
  }
});

test('each source of an endpoint has a case', () => {
  for (const endpoint of allEndpoints)
    for (const { name } of endpoint.sources)
      assert.ok(
        fixtures.some((one) => findEndpoint(one) === endpoint && one.case.source === name),
        `${endpoint.id} has no case of source ${name}`,
      );
});

test('each site has a folder, and one of its files declares each of its endpoints', () => {
  const folders = listSiteFolders();
  for (const { id, path, site } of allEndpoints) {
    const folder = folders.get(site.name);
    assert.ok(folder !== undefined, site.name);
    const sources = readdirSync(folder).filter((file) => file.endsWith('.ts'));
    const isDeclared = sources.some((file) => readFileSync(join(folder, file), 'utf8').includes(`path: '${path}'`));
    assert.ok(isDeclared, id);
  }
  assert.deepEqual(new Set(folders.keys()), new Set(allEndpoints.map(({ site }) => site.name)));
});
