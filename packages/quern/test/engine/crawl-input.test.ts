import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SITE, withGate } from './gate.ts';
import { getOperation } from '../support/engine/queue.ts';

const BOMBS = [
  're:(',
  're:(?=a)',
  're:(?<!b)a',
  're:(a)\\1',
  're:(a{1,1000}){1,1000}',
  're:[z-a]',
  `re:${'a'.repeat(5000)}`,
];

/** Invalid inputs of a crawl and a map, with the parameter that the error names. */
const REFUSED: readonly (readonly [input: object, member: string])[] = [
  [{ scope: 'site' }, 'scope'],
  [{ scope: 'Host' }, 'scope'],
  [{ scope: 'any', fetch: { headers: { Authorization: 'Bearer x' } } }, 'scope'],
  [{ scope: 'any', fetch: { cookies: [{ name: 'a', value: 'b' }] } }, 'scope'],
  [{ include: ['url:(?=a)'] }, 'include.0'],
  [{ include: ['blog/*'] }, 'include.0'],
  [{ include: ['/a', 'https://mill.example/*'] }, 'include.1'],
  [{ exclude: [`/${'a'.repeat(1001)}`] }, 'exclude.0'],
  [{ exclude: Array.from({ length: 101 }, () => '/a') }, 'exclude'],
  ...BOMBS.map((pattern) => [{ exclude: ['/fine/*', pattern] }, 'exclude.1'] as const),
  [{ max_depth: -1 }, 'max_depth'],
  [{ max_depth: 1001 }, 'max_depth'],
  [{ delay_ms: 30_001 }, 'delay_ms'],
  [{ delay_ms: 0, url: 'https://strangers.example/' }, 'delay_ms'],
  [{ max_credits: 1 }, 'max_credits'],
  [{ timeout_ms: 0 }, 'timeout_ms'],
  [{ url: 'ftp://mill.example/' }, 'url'],
  [{ url: 'https://user:secret@mill.example/' }, 'url'],
  [{ url: `https://mill.example/${'a'.repeat(8192)}` }, 'url'],
  [{ url: 'http://169.254.169.254/latest/' }, 'url'],
  [{ inlcude: ['/a'] }, 'inlcude'],
];

for (const kind of ['crawl', 'map'])
  test(`invalid input of a ${kind} is rejected with the parameter name, before any request`, async () =>
    withGate({}, async (gate) => {
      for (const [input, member] of REFUSED) {
        const what = JSON.stringify(input).slice(0, 80);
        const inline = await gate.ask(getOperation(kind), { url: SITE, ...input });
        assert.equal(inline.code, 'invalid_request', what);
        assert.ok(inline.error?.message.startsWith(member), `${what}: ${inline.error?.message}`);
        const queued = await gate.ask(getOperation('jobs.submit'), { kind, input: { url: SITE, ...input } });
        assert.equal(queued.code, 'invalid_request', what);
      }
      assert.equal(gate.visits.length, 0);
      assert.deepEqual(await gate.spent(), [0, 0]);
    }));

const CRAWL_ONLY: readonly (readonly [input: object, member: string])[] = [
  [{ url: undefined }, 'url'],
  [{ urls: [SITE] }, 'url'],
  [{ url: undefined, urls: [] }, 'urls'],
  [{ url: undefined, urls: [SITE], max_pages: 3 }, 'max_pages'],
  [{ url: undefined, urls: [SITE], sitemap: 'only' }, 'sitemap'],
  [{ url: undefined, urls: [SITE], scope: 'domain' }, 'scope'],
  [{ url: undefined, urls: [SITE], max_depth: 2 }, 'max_depth'],
  [{ max_per_pattern: 0 }, 'max_per_pattern'],
  [{ url: undefined, urls: [SITE], max_per_pattern: 2 }, 'max_per_pattern'],
  [{ url: undefined, urls: [SITE], include: ['/a'] }, 'include'],
  [{ url: undefined, urls: [SITE], exclude: ['/a'] }, 'exclude'],
  [{ url: undefined, urls: [SITE, 'http://10.0.0.1/'] }, 'urls.1'],
  [{ url: undefined, urls: [SITE, SITE, 'ftp://mill.example/a'] }, 'urls.2'],
  [{ max_pages: 0 }, 'max_pages'],
  [{ sitemap: 'all' }, 'sitemap'],
  [{ fetch: { url: SITE } }, 'fetch.url'],
  [{ fetch: { timeout_ms: 5000 } }, 'fetch.timeout_ms'],
  [{ output: ['json'] }, 'fetch'],
];

test('parameters that only a crawl has are rejected by name too', async () =>
  withGate({}, async (gate) => {
    for (const [input, member] of CRAWL_ONLY) {
      const what = JSON.stringify(input);
      const { code, error } = await gate.ask(getOperation('crawl'), { url: SITE, ...input });
      assert.equal(code, 'invalid_request', what);
      assert.ok(error?.message.startsWith(member), `${what}: ${error?.message}`);
    }
    assert.equal(gate.visits.length, 0);
  }));
