import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import type { Page, PageRequest } from '#access/page.ts';
import type { SiteEndpoint } from '#sites/framework/endpoint.ts';
import { endpoints } from '#compose/endpoints.ts';
import { allEndpoints } from '#sites/index.ts';
import { readSource } from '#sites/read-source.ts';
import { toFileStem, type Fixture, listFixtures, replay } from '#tools/sites/cases.ts';
import { type Gate, buildTestPage, withGate } from '../engine/gate.ts';

/** Endpoints that need no parameters. */
const NEED_NOTHING: ReadonlySet<string> = new Set(['launches.leaderboard', 'technews.front']);

const FIXTURES = listFixtures();

type Answer = Partial<Page> & { readonly text?: string };

/** Responses of a site that are not a record, and the error codes that a call may get. */
const ANSWERS: readonly (readonly [what: string, answer: Answer, codes: readonly string[]])[] = [
  ['nothing', { text: '' }, ['unusable_response', 'target_blocked']],
  ['an empty page', { text: '<!doctype html><html><body></body></html>' }, ['unusable_response', 'target_blocked']],
  ['an empty object', { text: '{}', contentType: 'application/json' }, ['unusable_response', 'not_found']],
  ['broken data', { text: '{"results":[{"id":', contentType: 'application/json' }, ['unusable_response']],
  ['binary data', { text: '\u0000\u0001\u0002PNG', contentType: 'image/png' }, ['unusable_response']],
  [
    'another page',
    {
      text: `<!doctype html><title>Welcome</title><h1>Welcome</h1><p>${'Words of a page about something else. '.repeat(50)}</p>`,
    },
    ['unusable_response', 'not_found', 'target_blocked'],
  ],
  ['that it is not there', { status: 404 }, ['not_found']],
  ['that it is gone', { status: 410 }, ['not_found']],
  ['that it is withheld', { status: 451 }, ['not_found']],
  ['that it was asked too often', { status: 429, headers: { 'retry-after': '30' } }, ['target_rate_limited']],
  ['that it is broken', { status: 500 }, ['unusable_response', 'target_unreachable']],
  ['that it is busy', { status: 503 }, ['unusable_response', 'target_unreachable', 'target_blocked']],
  [
    'a challenge',
    { status: 403, headers: { 'cf-mitigated': 'challenge' }, text: '<title>Just a moment...</title>' },
    // One API reports this with 403.
    ['target_blocked', 'target_rate_limited'],
  ],
];

function needsBrowser({ sources }: SiteEndpoint): boolean {
  return sources.every(({ needs, captures }) => needs === 'browser' || captures.length > 0);
}

async function callForCode(gate: Gate, id: string, raw: object): Promise<string> {
  const operation = gate.operations.find((one) => one.id === id);
  assert.ok(operation !== undefined);
  const { code, answer } = await gate.ask(operation, raw);
  return answer?.status === 202 ? 'queued' : code;
}

test('each site response that is not a record has the error from the table, and costs nothing', async () => {
  for (const [what, answer, codes] of ANSWERS) {
    for (const tier of ['http', 'browser'] as const)
      await withGate(
        { tierVisits: { [tier]: async ({ url }: PageRequest) => buildTestPage({ url: url.href, ...answer }) } },
        async (gate) => {
          for (const { operation, canary } of endpoints.filter((one) => needsBrowser(one) === (tier === 'browser'))) {
            const code = await callForCode(gate, operation.id, canary);
            assert.ok(codes.includes(code), `${operation.id} of ${what}: ${code}`);
          }
          assert.deepEqual(await gate.spent(), [0, 0], what);
        },
      );
    const visit = async ({ url }: { readonly url: URL }) => buildTestPage({ url: url.href, ...answer });
    await withGate({ tierVisits: { http: visit, browser: visit } }, async (gate) => {
      for (const { operation, canary } of endpoints) {
        const code = await callForCode(gate, operation.id, canary);
        assert.ok(codes.includes(code), `${operation.id} of ${what}: ${code}`);
      }
      assert.deepEqual(await gate.spent(), [0, 0], what);
    });
  }
});

/** The URLs of the cases of a site, on hosts that only look like its own. */
function listLookalikes(name: string): readonly string[] {
  const given = FIXTURES.filter(({ site }) => site === name).flatMap(({ case: { input } }) => input['url'] ?? []);
  const own = given.flatMap((url) => (typeof url === 'string' ? (URL.parse(url) ?? []) : [])).slice(0, 3);
  return own.flatMap(({ host, href, pathname, search }) => {
    const rest = `${pathname}${search}`;
    return [
      `https://${host}.evil.example${rest}`,
      `https://${host}@evil.example${rest}`,
      `https://not-${host}${rest}`,
      `https://xn--${host}${rest}`,
      `https://${host}:8443${rest}`,
      `ftp://${host}${rest}`,
      `javascript://${host}${rest}`,
      `${href}${'x'.repeat(10_000)}`,
    ];
  });
}

test('invalid parameters are rejected by name before a request to the site', async () => {
  await withGate({ tierVisits: { http: async ({ url }) => buildTestPage({ url: url.href }) } }, async (gate) => {
    for (const { site, operation, canary, parameters, list } of endpoints) {
      const { id, input } = operation;
      assert.ok(input instanceof z.ZodObject);
      const bad: (readonly [object, RegExp])[] = [
        [{ ...canary, nonsense: 'x' }, /^nonsense: unknown member/],
        [{ ...canary, timeout_ms: 0 }, /timeout_ms/],
        ...(NEED_NOTHING.has(id) ? [] : [[{}, /is (?:missing|required)|is needed|one of them/] as const]),
      ];
      if (Object.hasOwn(input.shape, 'url'))
        for (const url of [
          'https://elsewhere.example/x/1',
          // If url is an alias of an id, this is an id that does not exist.
          ...(Object.hasOwn(parameters.shape, 'url') ? ['not an address'] : []),
          ...listLookalikes(site.name),
        ])
          bad.push([Object.hasOwn(canary, 'url') ? { ...canary, url } : { url }, /url/]);
      if (list !== null) bad.push([{ ...canary, cursor: 'forged' }, /cursor/]);
      if (Object.hasOwn(input.shape, 'limit'))
        for (const limit of [0, -1, 1.5, 100_000, 1e21, 'many', '']) bad.push([{ ...canary, limit }, /limit/]);
      if (Object.hasOwn(input.shape, 'page'))
        for (const page of [0, -1, 1.5, 1e21, 'last']) bad.push([{ ...canary, page }, /page/]);
      if (list !== null) for (const cursor of ['', 'A'.repeat(20_000)]) bad.push([{ ...canary, cursor }, /cursor/]);
      for (const words of ['search', 'keywords', 'location'].filter((one) => Object.hasOwn(input.shape, one)))
        if (parameters.aliases[words] !== undefined || Object.hasOwn(canary, words))
          bad.push([{ ...canary, [words]: 'x'.repeat(10_000) }, new RegExp(words)]);
      for (const [name, [other]] of Object.entries(parameters.aliases).map(
        ([known, names = []]) => [known, names] as const,
      ))
        if (other !== undefined && Object.hasOwn(canary, name))
          bad.push([{ ...canary, [other]: 'somethingelse' }, new RegExp(`${name}|${other}`)]);
      for (const [raw, why] of bad) {
        const { code, error } = await gate.ask(operation, raw);
        assert.equal(code, 'invalid_request', `${id} ${JSON.stringify(raw)}`);
        assert.match(error?.message ?? '', why, id);
      }
    }
    assert.deepEqual(gate.visits, []);
    assert.deepEqual(await gate.spent(), [0, 0]);
  });
});

/** Parameters that are neither ids nor names. */
const NO_REFERENCES: ReadonlySet<string> = new Set([
  'url',
  'search',
  'keywords',
  'query',
  'location',
  'zip',
  'country',
  'date',
  'list',
  // Each requires the other.
  'owner',
  'repo',
]);

test('an id or name that is impossible on a site is not found, and costs nothing', async () => {
  await withGate(
    { tierVisits: { http: async ({ url }) => buildTestPage({ url: url.href, status: 404 }) } },
    async (gate) => {
      let asked = 0;
      for (const { operation, canary, parameters } of endpoints) {
        const names = parameters.anyOf.length > 0 ? parameters.anyOf : Object.keys(canary).slice(0, 1);
        for (const name of names.filter((one) => !NO_REFERENCES.has(one)))
          for (const value of ['1', 'a', '?', '..', '/', '%00', 'a b', 'ä', '風'.repeat(20), '0'.repeat(30)]) {
            const rest = Object.fromEntries(
              Object.entries(canary).filter(([member]) => !parameters.anyOf.includes(member)),
            );
            const { code, error } = await gate.ask(operation, { ...rest, [name]: value });
            const what = `${operation.id} ${name}=${value}: ${error?.message}`;
            assert.notEqual(code, 'ok', what);
            assert.notEqual(code, 'invalid_request', what);
            asked += 1;
          }
      }
      assert.ok(asked > 400, `${asked} asked`);
      assert.deepEqual(await gate.spent(), [0, 0]);
    },
  );
});

test('dots in a parameter lead to no other path of the site', async () => {
  const paths: string[] = [];
  const visit = async ({ url }: { readonly url: URL }) => {
    paths.push(url.pathname);
    return buildTestPage({ url: url.href, status: 404 });
  };
  await withGate({ tierVisits: { http: visit, browser: visit } }, async (gate) => {
    async function depthsFor(operation: (typeof endpoints)[number]['operation'], inputs: readonly object[]) {
      paths.length = 0;
      for (const input of inputs) await gate.ask(operation, input);
      return new Set(paths.map((path) => path.split('/').length));
    }
    let compared = 0;
    for (const { operation, canary, parameters } of endpoints) {
      for (const name of Object.keys(parameters.shape)) {
        const rest = Object.fromEntries(
          Object.entries(canary).filter(([member]) => !parameters.anyOf.includes(member)),
        );
        const withValue = (value: string) => [
          { ...canary, [name]: value },
          { ...rest, [name]: value },
        ];
        const usual = await depthsFor(operation, ['x', 'a1', '12345'].flatMap(withValue));
        const values = ['.', '..', '%2e%2e', '.%2E', '../..', '..%2f..', '..\\..', '/../', 'x/../..', '.\t.'];
        for (const depth of await depthsFor(operation, values.flatMap(withValue))) {
          assert.ok(usual.has(depth), `${operation.id} ${name}: ${paths.join(' ')}`);
          compared += 1;
        }
      }
    }
    assert.ok(compared > 30, `${compared} compared`);
  });
});

/** The same case with its last page truncated to a share of its text. */
function cutAt(fixture: Fixture, share: number): Fixture['case'] {
  const { pages } = fixture.case;
  const last = pages.length - 1;
  return {
    ...fixture.case,
    pages: pages.map((page, at) =>
      at === last ? { ...page, body: (page.body ?? '').slice(0, Math.floor((page.body ?? '').length * share)) } : page,
    ),
  };
}

/** The ids and names of the entities of a record, in its order. */
function listIds(record: unknown): readonly string[] {
  return [...JSON.stringify(record).matchAll(/"(?:id|login|asin|full_name|url)":"([^"]+)"/g)].map(([, id]) => id ?? '');
}

test('half a page gives the same entity or an error, and never an empty list', () => {
  let cut = 0;
  for (const fixture of FIXTURES.filter((one) => one.case.expect.kind === 'record')) {
    const endpoint = allEndpoints.find((one) => one.site.name === fixture.site && toFileStem(one) === fixture.endpoint);
    assert.ok(endpoint !== undefined);
    const whole = replay(endpoint, fixture.case, readSource).verdict;
    assert.equal(whole.kind, 'record');
    for (const share of [0.2, 0.5, 0.8]) {
      const { verdict } = replay(endpoint, cutAt(fixture, share), readSource);
      if (verdict.kind !== 'record') continue;
      cut += 1;
      const elements: unknown = endpoint.list === null ? null : verdict.record[endpoint.list];
      const was: unknown = endpoint.list === null ? null : whole.record[endpoint.list];
      const at = `${fixture.site} ${fixture.name} at ${share}`;
      if (Array.isArray(elements) && Array.isArray(was) && was.length > 0) assert.ok(elements.length > 0, at);
      if (elements === null) assert.equal(listIds(verdict.record)[0], listIds(whole.record)[0], at);
    }
  }
  assert.ok(cut > 0);
});

test('an endpoint that needs a browser gives 503 without one, and the error has the setting', async () => {
  await withGate({ tierVisits: { http: async ({ url }) => buildTestPage({ url: url.href }) } }, async (gate) => {
    for (const { operation, canary } of endpoints.filter(needsBrowser)) {
      const { code, error } = await gate.ask(operation, canary);
      assert.equal(code, 'backend_unavailable', operation.id);
      assert.match(error?.message ?? '', /QUERN_CHROMIUM/);
    }
    assert.deepEqual([gate.visits, await gate.spent()], [[], [0, 0]]);
  });
});
