import { strict as assert } from 'node:assert';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { z } from 'zod';
import { loadPlans, PLAN_NAMES } from '#engine/plans.ts';
import { PRICES, SURCHARGES } from '#engine/prices.ts';
import { loadConfig } from '#kernel/config.ts';
import { FLOORS, READING_SHELVES, ROOT } from './house.ts';

const architecture = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
const PAGES = [
  'README.md',
  'CHANGELOG.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
];

test('every path that the architecture page names exists', () => {
  const named = architecture.matchAll(/\b(?:src|test|demo|bench|tools|bin|docs)\/[\w./-]*/g);
  for (const [path] of named) assert.ok(existsSync(join(ROOT, path)), path);
});

test('the architecture page lists every room', () => {
  for (const room of readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory()))
    assert.ok(architecture.includes(`| \`src/${room.name}/\` |`), room.name);
});

test('the architecture page lists every folder of the reading room, in the order that the floor rule holds', () => {
  const listed = [...architecture.matchAll(/^\| `src\/extract\/(\w+)\/` \|/gm)].map((row) => row[1]);
  const folders = readdirSync(join(ROOT, 'src/extract'), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  assert.deepEqual(listed, READING_SHELVES.flat());
  assert.deepEqual(new Set(folders.map(({ name }) => name)), new Set(listed));
});

test('the floors of the architecture page are those that the floor rule holds', () => {
  const lines = [...architecture.matchAll(/^floor (\d) {2}(.+)$/gm)];
  const floors = lines.toReversed().map((line, at) => {
    assert.equal(line[1], String(at));
    return line[2]?.split(' · ');
  });
  assert.deepEqual(floors, FLOORS);
});

test('the readme names every setting with its default, and no other', () => {
  const rows = new Map([...readme.matchAll(/^\| `(QUERN_\w+)` \| (.+?) \|/gm)].map((row) => [row[1], row[2] ?? '']));
  const { shown } = loadConfig({}, null);
  assert.deepEqual(new Set(rows.keys()), new Set(shown.map(({ name }) => name)));
  for (const { name, value } of shown) {
    const said = rows.get(name) ?? '';
    assert.equal(said.startsWith('`'), value !== '', `${name} is ${value}, and the readme says ${said}`);
    if (value !== '') assert.equal(said, `\`${value}\``);
  }
});

test('the table of plans in the readme is the built-in one', () => {
  const plans = loadPlans(null);
  const members = Object.keys(plans.free).filter((member) => member !== 'name');
  for (const member of members) {
    const figures = PLAN_NAMES.map((name) => toCell(new Map<string, unknown>(Object.entries(plans[name])).get(member)));
    assert.ok(readme.includes(`| \`${member}\` | ${figures.join(' | ')} |`), `${member}: ${figures.join(' | ')}`);
  }
});

function toCell(value: unknown): string {
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return z.number().parse(value).toLocaleString('en-US');
}

test('the prices in the readme are those that are charged', () => {
  assert.ok(readme.includes(`| \`POST /v1/fetch\` | ${PRICES.fetch.base} |`));
  assert.ok(readme.includes(`| \`POST /v1/fetch\`, answered from the cache | ${PRICES.fetch.cacheHit} |`));
  assert.ok(readme.includes(`each output that a model made | ${PRICES.fetch.perModelOutput} more |`));
  assert.ok(readme.includes(`| \`POST /v1/crawl\`, each page that is stored | ${PRICES.crawl.base} |`));
  assert.ok(readme.includes(`| \`POST /v1/map\`, each URL that is returned | ${PRICES.map.base} |`));
  const surcharges = Object.entries(SURCHARGES).map(([tier, credits]) => `\`${tier}\` ${credits}`);
  assert.ok(readme.includes(surcharges.join(', ')));
});

test('every npm script that the pages name exists', () => {
  const Package = z.object({ scripts: z.record(z.string(), z.string()) });
  const { scripts } = Package.parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
  for (const page of PAGES)
    for (const [, name] of readFileSync(join(ROOT, page), 'utf8').matchAll(
      /\bnpm (?:run )?(start|test|[\w-]+(?::[\w-]+)+|demo|check)\b/g,
    ))
      assert.ok(name !== undefined && name in scripts, `${page} names npm run ${name}`);
});

test('every link between the pages leads to a file', () => {
  for (const page of PAGES)
    for (const [, target] of readFileSync(join(ROOT, page), 'utf8').matchAll(/\]\(([^)#:]+)\)/g))
      assert.ok(existsSync(join(ROOT, dirname(page), target ?? '')), `${page} links to ${target}`);
});
