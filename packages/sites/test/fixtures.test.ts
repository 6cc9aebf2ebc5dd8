import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { SiteEndpoint } from '#sites/framework/endpoint.ts';
import { readEndpoints } from '#sites/index.ts';
import { readSource } from '#sites/reading.ts';
import { toFileStem, type Fixture, listFixtures, replay, SITES_FOLDER } from '#tools/sites/cases.ts';

const fixtures = listFixtures();

function endpointOf({ site, endpoint }: Fixture): SiteEndpoint {
  const found = readEndpoints.find((one) => one.site.name === site && toFileStem(one) === endpoint);
  assert.ok(found !== undefined, `${site} has no endpoint ${endpoint}`);
  return found;
}

for (const fixture of fixtures)
  test(`${fixture.site}: ${fixture.name} is asked for and read as its case says`, () => {
    const { pages, expect } = fixture.case;
    const { verdict, asked } = replay(endpointOf(fixture), fixture.case, readSource);
    assert.deepEqual(
      asked,
      pages.map(({ requested, post = null }) => ({ url: requested, post })),
    );
    for (const [member, value] of Object.entries(expect))
      assert.deepEqual(new Map<string, unknown>(Object.entries(verdict)).get(member), value, member);
  });

test('each endpoint has a good case, and one that is not found, blocked, limited or empty', () => {
  for (const endpoint of readEndpoints) {
    const own = fixtures.filter((one) => endpointOf(one) === endpoint).map((one) => one.case.expect);
    const isEmpty = (expect: Readonly<Record<string, unknown>>): boolean =>
      endpoint.list !== null && JSON.stringify(expect['record'] ?? null).includes(`"${endpoint.list}":[]`);
    const good = own.filter((expect) => expect.kind === 'record' && !isEmpty(expect));
    const bad = own.filter(
      (expect) => ['not_found', 'blocked', 'rate_limited'].includes(expect.kind) || isEmpty(expect),
    );
    assert.ok(good.length > 0, `${endpoint.id} has no good case`);
    assert.ok(bad.length > 0, `${endpoint.id} has no case without a record`);
  }
});

test('each source of an endpoint has a case', () => {
  for (const endpoint of readEndpoints)
    for (const { name } of endpoint.sources)
      assert.ok(
        fixtures.some((one) => endpointOf(one) === endpoint && one.case.source === name),
        `${endpoint.id} has no case of source ${name}`,
      );
});

test('each endpoint stands in the file that its path names, and each file is one or shared', () => {
  for (const endpoint of readEndpoints)
    assert.ok(existsSync(join(SITES_FOLDER, endpoint.site.name, `${toFileStem(endpoint)}.ts`)), endpoint.id);
  const folders = readdirSync(SITES_FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const sites = folders.map(({ name }) => name).filter((name) => name !== 'framework');
  assert.deepEqual(new Set(sites), new Set(readEndpoints.map(({ site }) => site.name)));
});
