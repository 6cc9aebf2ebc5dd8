import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { describeSite } from '#sites/framework/site.ts';
import { endpoints } from '#compose/endpoints.ts';
import { listReadings } from '#testkit/sites/readings.ts';
import { OPERATION_COMMANDS } from '#transports/cli/operation-commands.ts';
import { replaceSiteName } from '#transports/cli/cli.ts';
import { findMissingIdentity } from '#transports/cli/sites.ts';
import { createOperationSearch } from '#transports/operation-search.ts';
import { findUncoveredSite } from '#transports/site-names.ts';

/** Sites with a route; hotel-b is read only by monitors. */
const OPERATIONS = endpoints.map(({ operation }) => operation).filter(({ route }) => route !== null);

test('docs/guide/sites.md has the domains of each site', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/guide/sites.md'), 'utf8');
  const [, table = ''] = /<!-- sites -->\n([^]*?)<!-- \/sites -->/.exec(page) ?? [];
  const sites = new Map(endpoints.map(({ site }) => [site.name, describeSite(site)]));
  const rows = [...sites.values()].map(
    ({ name, about, domains }) => `| \`${name}\` | ${about} | ${domains.join(', ')} |`,
  );
  assert.deepEqual(table.trim().split('\n'), ['| word | what | domains |', '|---|---|---|', ...rows]);
});

test('the command line accepts the brand name of a site, and reports an ambiguous one', () => {
  const lines = [
    ['dice jobs', 'jobs-d jobs'],
    ['dice.com jobs', 'jobs-d jobs'],
    ['Amazon.de product X', 'shop-a product X'],
    ['help github', 'help codehost'],
    ['apple album', 'musiccatalog album'],
    ['codehost user', 'codehost user'],
    ['fetch https://github.com/', 'fetch https://github.com/'],
    ['linkedin jobs', 'linkedin jobs'],
  ] as const;
  for (const [typed, read] of lines)
    assert.equal(replaceSiteName(typed.split(' '), OPERATION_COMMANDS).join(' '), read);
  assert.throws(
    () => replaceSiteName(['apple', 'strange'], OPERATION_COMMANDS),
    /matches several sites: appstore, musiccatalog/,
  );
});

test('a search for an unsupported site finds no other site', () => {
  for (const [question, site] of [
    ['linkedin jobs', 'linkedin'],
    ['jobs at www.linkedin.com', 'linkedin.com'],
    ['products of home depot', 'homedepot'],
    ['the price of this: https://shop.example.co.uk/rye', 'shop.example.co.uk'],
    ['booking.com hotel', 'booking.com'],
    ['LinkedIn or Dice jobs', null],
    ['apple.com apps', null],
    ['https://en.wikipedia.org/wiki/Rye', 'en.wikipedia.org'],
    ['version 1.2 of a repo', null],
    ['jobs with salaries', null],
  ] as const)
    assert.equal(findUncoveredSite(question, OPERATIONS), site, question);
});

test('a search that contains the name of a site finds that site first', () => {
  const find = createOperationSearch(OPERATIONS);
  for (const [question, site] of [
    ['dice jobs', 'jobs-d'],
    ['simplyhired jobs', 'jobs-s'],
    ['walmart product', 'shop-w'],
    ['airbnb reviews', 'homestay'],
  ] as const)
    assert.equal(find(question)[0]?.id.split('.')[0], site, question);
});

test('the identity of an entity is found in each recorded record, and another identity is not', (t) => {
  let named = 0;
  for (const endpoint of endpoints.filter(({ list }) => list === null))
    for (const { verdict, input } of listReadings(endpoint)) {
      if (verdict.kind !== 'record' || input === null) continue;
      assert.equal(findMissingIdentity(input, verdict.record), null, endpoint.operation.id);
      const other = Object.fromEntries(Object.keys(input).map((name) => [name, 'no such thing']));
      if (findMissingIdentity(other, verdict.record) !== null) named += 1;
    }
  t.diagnostic(`${named} records of a named entity`);
});
