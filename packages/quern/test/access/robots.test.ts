import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { z } from 'zod';
import {
  isAllowed,
  ALLOW_ALL,
  parseRobots,
  ROBOTS_AGENT,
  MAX_ROBOTS_BYTES,
  interpretStatus,
} from '#engine/politeness/robots.ts';

const encoder = new TextEncoder();

function allows(robots: string, path: string, agent = ROBOTS_AGENT): boolean {
  return isAllowed(parseRobots(encoder.encode(robots), agent), path);
}

function parseDelay(robots: string): number {
  return parseRobots(encoder.encode(robots), ROBOTS_AGENT).crawlDelayMs;
}

type Case = readonly [name: string, robots: string, path: string, allowed: boolean];

const CASES: readonly Case[] = [
  ['an empty file allows everything', '', '/a', true],
  ['an empty Disallow forbids nothing', 'User-agent: *\nDisallow:', '/a', true],
  ['the * group applies if no group names the agent', 'User-agent: *\nDisallow: /', '/', false],
  [
    'a group that names the agent replaces the * group',
    'User-agent: *\nDisallow: /\nUser-agent: quern/2.1\nDisallow: /b',
    '/a',
    true,
  ],
  [
    'a group that names the agent but has no rule allows everything',
    'User-agent: *\nDisallow: /\n\nUser-agent: Quern',
    '/a',
    true,
  ],
  [
    'several groups that name the agent are merged',
    'User-agent: Quern\nDisallow: /a\n\nUser-agent: x\nDisallow: /\n\nUser-agent: QUERN\nDisallow: /b',
    '/b',
    false,
  ],
  ['consecutive agents share their rules', 'User-agent: x\nUser-agent: Quern\nDisallow: /a', '/a', false],
  [
    'agents share their rules across an unrelated line',
    'User-agent: Quern\nSitemap: /s.xml\nUser-agent: x\nDisallow: /a',
    '/a',
    false,
  ],
  ['a name that only starts with the agent does not match', 'User-agent: Quernish\nDisallow: /', '/a', true],
  ['a rule before the first group is ignored', 'Disallow: /', '/a', true],
  ['the longer rule wins', 'User-agent: *\nAllow: /a/b\nDisallow: /a', '/a/b/c', true],
  ['the longer rule wins in any order', 'User-agent: *\nDisallow: /a/b\nAllow: /a', '/a/b/c', false],
  ['of equally long rules, the allowing one wins', 'User-agent: *\nDisallow: /a\nAllow: /a', '/a', true],
  ['a star matches any characters', 'User-agent: *\nDisallow: /*.php', '/x/y.php?z=1', false],
  ['a star matches zero characters', 'User-agent: *\nDisallow: /a*b', '/ab', false],
  ['a dollar matches the end of the path', 'User-agent: *\nDisallow: /*.php$', '/x/y.php', false],
  ['a dollar does not match a longer path', 'User-agent: *\nDisallow: /*.php$', '/x/y.php?z=1', true],
  ['a dollar inside a rule is literal', 'User-agent: *\nDisallow: /a$b', '/a$b', false],
  ['a segment before the dollar is not matched twice', 'User-agent: *\nDisallow: /ab*ab$', '/ab', true],
  ['the last segment can match the end of a longer path', 'User-agent: *\nDisallow: /*a$', '/aXa', false],
  ['a query is matched as part of the path', 'User-agent: *\nDisallow: /*?sort=', '/list?sort=up', false],
  ['non-ASCII letters match their escapes', 'User-agent: *\nDisallow: /caf\u00e9', '/caf%C3%A9', false],
  ['escapes match in upper and lower case', 'User-agent: *\nDisallow: /caf%c3%a9', '/caf%C3%a9', false],
  ['a space in a rule matches its escape', 'User-agent: *\nDisallow: /a b', '/a%20b', false],
  ['an escaped letter in a rule is that letter', 'User-agent: *\nDisallow: /%70rivate', '/private/a', false],
  ['an escaped letter in a URL is that letter', 'User-agent: *\nDisallow: /private', '/%70rivate', false],
  [
    'escaped unreserved characters equal their literals',
    'User-agent: *\nDisallow: /a%2Db%5Fc%7e1%2e',
    '/a-b_c~1.',
    false,
  ],
  ['an escaped slash is not a slash', 'User-agent: *\nDisallow: /a/b', '/a%2Fb', true],
  ['escaped slashes match in upper and lower case', 'User-agent: *\nDisallow: /a%2fb', '/a%2Fb', false],
  ['a brace in a rule matches its escape', 'User-agent: *\nDisallow: /a{b|c}', '/a%7Bb|c%7D', false],
  ['an escaped star is literal', 'User-agent: *\nDisallow: /a%2A', '/ab', true],
  ['an escaped star matches one in a URL', 'User-agent: *\nDisallow: /a%2A', '/a*', false],
  ['an escaped dollar matches one in a URL', 'User-agent: *\nDisallow: /a%24', '/a$b', false],
  ['a dollar in the middle is literal in the URL', 'User-agent: *\nDisallow: /a$b', '/a$bc', false],
  ['a non-ASCII letter matches in a query', 'User-agent: *\nDisallow: /*?q=\u00e9', '/s?q=%c3%a9', false],
  ['an allowed URL can be requested with escapes', 'User-agent: *\nDisallow: /\nAllow: /pub', '/%70ub', true],
  ['an invalid escape is taken literally', 'User-agent: *\nDisallow: /a%zz', '/a%zz', false],
  ['robots.txt itself is always allowed', 'User-agent: *\nDisallow: /', '/robots.txt', true],
  ['keys are read in any case and spacing', '  USER-AGENT :*\r DISALLOW\t: /a # not now', '/a', false],
  ['a missing colon does not lift a rule', 'User-agent *\nDisallow /a', '/a', false],
  ['a misspelt key does not lift a rule', 'Useragent: *\nDissalow: /a', '/a', false],
  ['HTML contains no rules', '<!doctype html><html><body>User-agent: *<br>Disallow: /</body></html>', '/a', true],
  ['a byte order mark is not part of the first key', '\ufeffUser-agent: *\nDisallow: /a', '/a', false],
];

for (const [name, robots, path, allowed] of CASES) test(name, () => assert.equal(allows(robots, path), allowed));

const DELAYS: readonly (readonly [string, number])[] = [
  ['2', 2000],
  ['0.25', 250],
  ['10 seconds', 10_000],
  ['1e9', 30_000],
  ['Infinity', 30_000],
  ['-1', 0],
  ['NaN', 0],
  ['', 0],
];

for (const [value, ms] of DELAYS)
  test(`a crawl delay of "${value}" is ${ms} ms`, () =>
    assert.equal(parseDelay(`User-agent: *\nCrawl-delay: ${value}`), ms));

test('a crawl delay applies to the agents listed before it', () => {
  assert.equal(parseDelay('User-agent: slow\nCrawl-delay: 9\n\nUser-agent: *\nDisallow: /a'), 0);
  assert.equal(parseDelay('User-agent: *\nCrawl-delay: 9\n\nUser-agent: Quern\nDisallow: /a'), 0);
});

test('sitemaps are returned as written, once each, regardless of their group', () => {
  const text =
    'Sitemap: https://a.example/1.xml\nUser-agent: x\nsitemap:/2.xml\nDisallow: /\nSITEMAP: /2.xml\nSitemap:\n';
  assert.deepEqual(parseRobots(encoder.encode(text), 'Quern').sitemaps, ['https://a.example/1.xml', '/2.xml']);
});

test('UTF-16 with a byte order mark is read', () => {
  const text = '\ufeffUser-agent: *\nDisallow: /a\n';
  const little = new Uint8Array(Buffer.from(text, 'utf16le'));
  const big = new Uint8Array(Buffer.from(text, 'utf16le').swap16());
  for (const body of [little, big]) assert.equal(isAllowed(parseRobots(body, 'Quern'), '/a'), false);
});

test('text beyond the size limit is ignored, and no rule is truncated at the limit', () => {
  const head = 'User-agent: *\n';
  const rule = 'Disallow: /private\n';
  const upToRoot = `${head}${'#'.repeat(MAX_ROBOTS_BYTES - head.length - 'Disallow: /'.length - 1)}\n`;
  assert.equal(allows(`${upToRoot}${rule}`, '/other'), true);
  assert.equal(allows(`${upToRoot}${rule}`, '/private'), true);
  assert.equal(allows(`${head}${rule}${upToRoot}`, '/private'), false);
});

test('a line of one MiB is skipped, and the lines around it count', () => {
  assert.equal(allows(`User-agent: *\nDisallow: /a\nAllow: /${'a'.repeat(300_000)}\nDisallow: /b`, '/b'), false);
});

test('in a file of 100,000 groups, only the rules of the matching group apply', () => {
  const groups = Array.from({ length: 50_000 }, (_, at) => `User-agent:${at}\nDisallow:/`).join('\n');
  assert.equal(allows(`User-agent: Quern\nDisallow: /a\n${groups}${groups}`, '/a'), false);
  assert.equal(allows(`User-agent: Quern\nDisallow: /a\n${groups}${groups}`, '/b'), true);
  const names = 'User-agent:x\n'.repeat(38_000);
  assert.equal(allows(`${names}User-agent: Quern\nDisallow: /a`, '/a'), false);
  assert.equal(parseRobots(encoder.encode('User-agent:*\n'.repeat(38_000)), 'Quern').rules.length, 0);
});

test('a site whose rules would take seconds to match is not visited', () => {
  const rule = `Disallow: /${'a*'.repeat(1000)}b$\n`;
  const robots = parseRobots(encoder.encode(`User-agent: *\n${rule.repeat(240)}`), 'Quern');
  assert.equal(isAllowed(robots, `/${'a'.repeat(8000)}`), true);
  const many = parseRobots(encoder.encode(`User-agent: *\n${'Allow:*b\n'.repeat(50_000)}`), 'Quern');
  assert.equal(isAllowed(many, `/${'a'.repeat(8000)}`), false);
  assert.equal(isAllowed(many, '/short'), true);
});

test('any bytes can be parsed', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2000 }), fc.string(), (body, path) => {
      const robots = parseRobots(body, 'Quern');
      assert.equal(typeof isAllowed(robots, path), 'boolean');
    }),
  );
});

test('a rule matches the same as a plain character search', () => {
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*', '/', '$'), maxLength: 8 }).map((text) => `/${text}`);
  const path = fc.string({ unit: fc.constantFrom('a', 'b', '/', '$'), maxLength: 10 }).map((text) => `/${text}`);
  fc.assert(
    fc.property(pattern, path, (rule, asked) => {
      assert.equal(allows(`User-agent: *\nDisallow: ${rule}`, asked), !matchesPlainly(rule, asked));
    }),
    { numRuns: 3000 },
  );
});

/** All places that a pattern can have reached after each of its characters. */
function matchesPlainly(rule: string, path: string): boolean {
  let places = new Set([0]);
  for (const [at, character] of rule.split('').entries()) {
    if (character === '$' && at === rule.length - 1) return places.has(path.length);
    const first = Math.min(...places);
    if (character === '*') places = new Set(Array.from({ length: path.length + 1 - first }, (_, on) => first + on));
    else places = new Set([...places].filter((place) => path[place] === character).map((place) => place + 1));
    if (places.size === 0) return false;
  }
  return true;
}

test('an absent robots.txt allows everything, and one that fails forbids everything', () => {
  const means = [200, 204, 301, 401, 403, 404, 410, 429, 500, 503, null].map((status) => interpretStatus(status, 0));
  const [read, allow, forbid] = ['read', 'allow_all', 'forbid_all'];
  assert.deepEqual(means, [read, read, allow, allow, allow, allow, allow, forbid, forbid, forbid, forbid]);
  assert.deepEqual([interpretStatus(200, 5), interpretStatus(200, 6)], [read, allow]);
  assert.equal(isAllowed(ALLOW_ALL, '/a'), true);
});

const Row = z.object({
  case: z.string(),
  robots: z.string(),
  agent: z.string(),
  url: z.string(),
  allowed: z.boolean(),
});

test('a public conformance table gives the expected decisions', (t) => {
  const file = join(process.env['QUERN_CORPUS'] ?? '', 'conformance/robots.jsonl');
  const lines = process.env['QUERN_CORPUS'] !== undefined && existsSync(file) ? readFileSync(file, 'utf8') : '';
  const rows = lines.split('\n').filter((line) => line !== '');
  t.diagnostic(`${rows.length} recordings`);
  const wrong = rows
    .map((line) => Row.parse(JSON.parse(line)))
    .filter((row) => allows(row.robots, row.url.replace(/^https?:\/\/[^/]*/, ''), row.agent) !== row.allowed);
  t.diagnostic(`beyond the standard: ${wrong.filter((row) => row.case.startsWith('GoogleOnly_')).length} differ`);
  assert.deepEqual(
    wrong.filter((row) => !row.case.startsWith('GoogleOnly_')),
    [],
  );
});
