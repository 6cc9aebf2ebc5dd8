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

function delayOf(robots: string): number {
  return parseRobots(encoder.encode(robots), ROBOTS_AGENT).crawlDelayMs;
}

type Case = readonly [name: string, robots: string, path: string, allowed: boolean];

const CASES: readonly Case[] = [
  ['an empty file allows everything', '', '/a', true],
  ['an empty Disallow forbids nothing', 'User-agent: *\nDisallow:', '/a', true],
  ['the group of everyone counts where no group names the agent', 'User-agent: *\nDisallow: /', '/', false],
  [
    'a group that names the agent replaces that of everyone',
    'User-agent: *\nDisallow: /\nUser-agent: quern/2.1\nDisallow: /b',
    '/a',
    true,
  ],
  [
    'a group that names the agent and has no rule allows everything',
    'User-agent: *\nDisallow: /\n\nUser-agent: Quern',
    '/a',
    true,
  ],
  [
    'groups that name the agent are read as one',
    'User-agent: Quern\nDisallow: /a\n\nUser-agent: x\nDisallow: /\n\nUser-agent: QUERN\nDisallow: /b',
    '/b',
    false,
  ],
  ['agents that follow one another share their rules', 'User-agent: x\nUser-agent: Quern\nDisallow: /a', '/a', false],
  [
    'agents share their rules across a line of another kind',
    'User-agent: Quern\nSitemap: /s.xml\nUser-agent: x\nDisallow: /a',
    '/a',
    false,
  ],
  ['a name that only begins like the agent is another', 'User-agent: Quernish\nDisallow: /', '/a', true],
  ['a rule before every group is nobody’s', 'Disallow: /', '/a', true],
  ['the longer rule wins', 'User-agent: *\nAllow: /a/b\nDisallow: /a', '/a/b/c', true],
  ['the longer rule wins whatever the order', 'User-agent: *\nDisallow: /a/b\nAllow: /a', '/a/b/c', false],
  ['of equally long rules the one that allows wins', 'User-agent: *\nDisallow: /a\nAllow: /a', '/a', true],
  ['a star stands for any characters', 'User-agent: *\nDisallow: /*.php', '/x/y.php?z=1', false],
  ['a star stands for no character too', 'User-agent: *\nDisallow: /a*b', '/ab', false],
  ['a dollar ends the path', 'User-agent: *\nDisallow: /*.php$', '/x/y.php', false],
  ['a dollar refuses what goes on', 'User-agent: *\nDisallow: /*.php$', '/x/y.php?z=1', true],
  ['a dollar within a rule is a character', 'User-agent: *\nDisallow: /a$b', '/a$b', false],
  ['a piece before the dollar is not used twice', 'User-agent: *\nDisallow: /ab*ab$', '/ab', true],
  ['the last piece may be the end of a longer path', 'User-agent: *\nDisallow: /*a$', '/aXa', false],
  ['a query is matched as part of the path', 'User-agent: *\nDisallow: /*?sort=', '/list?sort=up', false],
  ['letters of another script match their escapes', 'User-agent: *\nDisallow: /caf\u00e9', '/caf%C3%A9', false],
  ['escapes match whatever their case', 'User-agent: *\nDisallow: /caf%c3%a9', '/caf%C3%a9', false],
  ['a space in a rule matches its escape', 'User-agent: *\nDisallow: /a b', '/a%20b', false],
  ['an escaped letter in a rule is that letter', 'User-agent: *\nDisallow: /%70rivate', '/private/a', false],
  ['an escaped letter in an address is that letter', 'User-agent: *\nDisallow: /private', '/%70rivate', false],
  [
    'escaped marks that need no escape are those marks',
    'User-agent: *\nDisallow: /a%2Db%5Fc%7e1%2e',
    '/a-b_c~1.',
    false,
  ],
  ['an escaped slash is no slash', 'User-agent: *\nDisallow: /a/b', '/a%2Fb', true],
  ['escaped slashes match whatever their case', 'User-agent: *\nDisallow: /a%2fb', '/a%2Fb', false],
  ['a brace in a rule matches its escape', 'User-agent: *\nDisallow: /a{b|c}', '/a%7Bb|c%7D', false],
  ['an escaped star is a star and not any text', 'User-agent: *\nDisallow: /a%2A', '/ab', true],
  ['an escaped star matches one in an address', 'User-agent: *\nDisallow: /a%2A', '/a*', false],
  ['an escaped dollar matches one in an address', 'User-agent: *\nDisallow: /a%24', '/a$b', false],
  ['a dollar in the middle is one', 'User-agent: *\nDisallow: /a$b', '/a$bc', false],
  ['a letter of another script matches in a query', 'User-agent: *\nDisallow: /*?q=\u00e9', '/s?q=%c3%a9', false],
  ['an allowed address may be asked for by escapes', 'User-agent: *\nDisallow: /\nAllow: /pub', '/%70ub', true],
  ['a broken escape is taken as written', 'User-agent: *\nDisallow: /a%zz', '/a%zz', false],
  ['robots.txt itself is always allowed', 'User-agent: *\nDisallow: /', '/robots.txt', true],
  ['keys are read whatever their case and spacing', '  USER-AGENT :*\r DISALLOW\t: /a # not now', '/a', false],
  ['a missing colon does not lift a rule', 'User-agent *\nDisallow /a', '/a', false],
  ['a misspelt key does not lift a rule', 'Useragent: *\nDissalow: /a', '/a', false],
  ['HTML says nothing', '<!doctype html><html><body>User-agent: *<br>Disallow: /</body></html>', '/a', true],
  ['a mark at the start is no part of the first key', '\ufeffUser-agent: *\nDisallow: /a', '/a', false],
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
  test(`row 113: a crawl delay of "${value}" is ${ms} ms`, () =>
    assert.equal(delayOf(`User-agent: *\nCrawl-delay: ${value}`), ms));

test('a crawl delay counts for the agents named before it', () => {
  assert.equal(delayOf('User-agent: slow\nCrawl-delay: 9\n\nUser-agent: *\nDisallow: /a'), 0);
  assert.equal(delayOf('User-agent: *\nCrawl-delay: 9\n\nUser-agent: Quern\nDisallow: /a'), 0);
});

test('sitemaps are given as written, each once, whatever group they stand in', () => {
  const text =
    'Sitemap: https://a.example/1.xml\nUser-agent: x\nsitemap:/2.xml\nDisallow: /\nSITEMAP: /2.xml\nSitemap:\n';
  assert.deepEqual(parseRobots(encoder.encode(text), 'Quern').sitemaps, ['https://a.example/1.xml', '/2.xml']);
});

test('row 112: UTF-16 with its mark is read', () => {
  const text = '\ufeffUser-agent: *\nDisallow: /a\n';
  const little = new Uint8Array(Buffer.from(text, 'utf16le'));
  const big = new Uint8Array(Buffer.from(text, 'utf16le').swap16());
  for (const body of [little, big]) assert.equal(isAllowed(parseRobots(body, 'Quern'), '/a'), false);
});

test('row 112: what lies beyond the bound is not read, and no rule is cut in half there', () => {
  const head = 'User-agent: *\n';
  const rule = 'Disallow: /private\n';
  const upToRoot = `${head}${'#'.repeat(MAX_ROBOTS_BYTES - head.length - 'Disallow: /'.length - 1)}\n`;
  assert.equal(allows(`${upToRoot}${rule}`, '/other'), true);
  assert.equal(allows(`${upToRoot}${rule}`, '/private'), true);
  assert.equal(allows(`${head}${rule}${upToRoot}`, '/private'), false);
});

test('row 112: a line of a mebibyte is passed over and those around it count', () => {
  assert.equal(allows(`User-agent: *\nDisallow: /a\nAllow: /${'a'.repeat(300_000)}\nDisallow: /b`, '/b'), false);
});

test('row 112: the rules of a file of a hundred thousand groups are those of its own group', () => {
  const groups = Array.from({ length: 50_000 }, (_, at) => `User-agent:${at}\nDisallow:/`).join('\n');
  assert.equal(allows(`User-agent: Quern\nDisallow: /a\n${groups}${groups}`, '/a'), false);
  assert.equal(allows(`User-agent: Quern\nDisallow: /a\n${groups}${groups}`, '/b'), true);
  const names = 'User-agent:x\n'.repeat(38_000);
  assert.equal(allows(`${names}User-agent: Quern\nDisallow: /a`, '/a'), false);
  assert.equal(parseRobots(encoder.encode('User-agent:*\n'.repeat(38_000)), 'Quern').rules.length, 0);
});

test('row 112: a site whose rules would cost seconds of matching is left alone', () => {
  const rule = `Disallow: /${'a*'.repeat(1000)}b$\n`;
  const robots = parseRobots(encoder.encode(`User-agent: *\n${rule.repeat(240)}`), 'Quern');
  assert.equal(isAllowed(robots, `/${'a'.repeat(8000)}`), true);
  const many = parseRobots(encoder.encode(`User-agent: *\n${'Allow:*b\n'.repeat(50_000)}`), 'Quern');
  assert.equal(isAllowed(many, `/${'a'.repeat(8000)}`), false);
  assert.equal(isAllowed(many, '/short'), true);
});

test('row 112: any bytes can be read', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2000 }), fc.string(), (body, path) => {
      const robots = parseRobots(body, 'Quern');
      assert.equal(typeof isAllowed(robots, path), 'boolean');
    }),
  );
});

test('a rule matches what a plain search by characters matches', () => {
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

test('row 112: a robots.txt that is absent allows everything, one that fails forbids everything', () => {
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

test('the rows of a public conformance table are decided as it says', (t) => {
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
