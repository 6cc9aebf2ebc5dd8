import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildInputChecker } from '#engine/call/validation.ts';
import { matchesRule } from '#access/browser/response-captures.ts';
import type { SiteEndpoint } from '#sites/framework/endpoint.ts';
import { endpoints } from '#compose/endpoints.ts';
import { allEndpoints } from '#sites/index.ts';
import { toFileStem, type Fixture, listFixtures } from '#tools/sites/cases.ts';

const fixtures = listFixtures();

function findEndpoint({ site, endpoint }: Fixture): SiteEndpoint {
  const found = allEndpoints.find((one) => one.site.name === site && toFileStem(one) === endpoint);
  assert.ok(found !== undefined, `${site} has no endpoint ${endpoint}`);
  return found;
}

test('each captured response of a case matches a capture rule of its source', () => {
  for (const fixture of fixtures) {
    const source = findEndpoint(fixture).sources.find(({ name }) => name === fixture.case.source);
    for (const { name, url, status } of fixture.case.pages.flatMap(({ captures }) => captures)) {
      const rules = source?.captures.filter((rule) => rule.name === name) ?? [];
      const isNamed = rules.some(({ path }) => matchesRule({ name, path }, { url, status, contentType: '' }, []));
      assert.ok(isNamed, `${fixture.site}: ${fixture.name} loads ${name} from ${url}`);
    }
  }
});

test('each canary is valid input of its endpoint', () => {
  for (const { operation, canary } of endpoints) assert.ok(buildInputChecker(operation)(canary), operation.id);
});
