import { strict as assert } from 'node:assert';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { z } from 'zod';
import { loadPlans, PLAN_NAMES } from '#engine/identity/plans.ts';
import { PRICES, SURCHARGES } from '#engine/credits/prices.ts';
import { loadConfig } from '#kernel/config.ts';
import { EXIT } from '#transports/cli/exit.ts';
import { LAYERS, listSources, OTHER_PACKAGES, ROOT, LAYER_FOLDERS } from './house.ts';

const architecture = readPage('docs/internals/architecture.md');
const settings = readPage('docs/reference/settings.md');
const operations = readPage('docs/guide/operating.md');
const PAGES = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
];

const INDEX = 'docs/README.md';
/** The page whose example site does not exist in the repository. */
const EXAMPLE = 'docs/internals/adding-a-site.md';

function readPage(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8');
}

test('every path that a page mentions exists', () => {
  for (const page of PAGES.filter((one) => one !== EXAMPLE))
    for (const [path] of readPage(page).matchAll(
      /(?<![\w/])(?:packages|e2e|test|testkit|demo|bench|tools|docs)\/[\w./-]*/g,
    ))
      assert.ok(existsSync(join(ROOT, path.replace(/\.$/, ''))), `${page} names ${path}`);
});

test('every file that a page mentions without its folder exists', () => {
  const files = listSources().map(({ file }) => file);
  const known = new Set([...files, ...readdirSync(ROOT)].map((file) => basename(file)));
  for (const page of PAGES.filter((one) => one !== EXAMPLE))
    for (const [, name] of readPage(page).matchAll(/`([\w-]+\.ts)`/g))
      assert.ok(known.has(name ?? ''), `${page} names ${name}`);
});

test('the readme and the architecture page are short', () => {
  assert.ok(Buffer.byteLength(readPage('README.md')) <= 8_192);
  assert.ok(Buffer.byteLength(architecture) <= 12_288);
});

test('the index of the docs links every page of the docs, and the readme links the index', () => {
  const index = readPage(INDEX);
  const isListed = (page: string): boolean => page !== INDEX && dirname(page) !== 'docs/internals/decisions';
  for (const page of PAGES.filter((one) => one.startsWith('docs/') && isListed(one)))
    assert.ok(index.includes(`](${relative('docs', page)})`), page);
  assert.ok(readPage('README.md').includes(`](${INDEX})`));
});

test('the architecture page lists every package and every layer', () => {
  for (const name of readdirSync(join(ROOT, 'packages')))
    assert.ok(architecture.includes(`| \`packages/${name}/\` |`), name);
  for (const layer of listFolders('packages/quern/src')) assert.ok(architecture.includes(`| \`${layer}/\` |`), layer);
});

function listFolders(path: string): readonly string[] {
  return readdirSync(join(ROOT, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

test('the architecture page lists every folder of the ordered layers, in that order', () => {
  for (const [room, shelves] of Object.entries(LAYER_FOLDERS)) {
    const isOfInner = (path = ''): boolean =>
      Object.keys(LAYER_FOLDERS).some(
        (inner) => inner.startsWith(`${room}/`) && `${room}/${path}`.startsWith(`${inner}/`),
      );
    const listed = [...architecture.matchAll(new RegExp(`^\\| \`${room}/([\\w/]+)/\` \\|`, 'gm'))]
      .map((row) => row[1])
      .filter((path) => !isOfInner(path));
    const named = shelves.flat().filter((path) => path !== OTHER_PACKAGES);
    const isNamed = (path = ''): boolean => !shelves.flat().includes(OTHER_PACKAGES) || named.includes(path);
    assert.deepEqual(listed.filter(isNamed), named, room);
    const folders = listFolders(room === 'extract' ? 'packages/extract/src' : `packages/quern/src/${room}`);
    const known = new Set(listed.map((path) => path?.split('/')[0]));
    assert.deepEqual(new Set(folders), known, room);
  }
});

test('the layers on the architecture page are those of the layer rule', () => {
  const lines = [...architecture.matchAll(/^layer (\d) {2}(.+)$/gm)];
  const layers = lines.toReversed().map((line, at) => {
    assert.equal(line[1], String(at));
    return line[2]?.split(' · ');
  });
  assert.deepEqual(layers, LAYERS);
});

test('the settings page lists every setting with its default, and no other', () => {
  const rows = new Map([...settings.matchAll(/^\| `(QUERN_\w+)` \| (.+?) \|/gm)].map((row) => [row[1], row[2] ?? '']));
  const { settings: shown } = loadConfig({}, null);
  assert.deepEqual(new Set(rows.keys()), new Set(shown.map(({ name }) => name)));
  for (const { name, value } of shown) {
    const said = rows.get(name) ?? '';
    assert.equal(said.startsWith('`'), value !== '', `${name} is ${value}, and the page says ${said}`);
    if (value !== '') assert.equal(said, `\`${value}\``);
  }
});

test('the table of plans on the operations page matches the built-in plans', () => {
  const plans = loadPlans(null);
  const members = Object.keys(plans.free).filter((member) => member !== 'name');
  for (const member of members) {
    const figures = PLAN_NAMES.map((name) => toCell(new Map<string, unknown>(Object.entries(plans[name])).get(member)));
    assert.ok(operations.includes(`| \`${member}\` | ${figures.join(' | ')} |`), `${member}: ${figures.join(' | ')}`);
  }
});

function toCell(value: unknown): string {
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return z.number().parse(value).toLocaleString('en-US');
}

test('the prices on the operations page match the charged prices', () => {
  assert.ok(operations.includes(`| \`POST /v1/fetch\` | ${PRICES.fetch.base} |`));
  assert.ok(operations.includes(`| \`POST /v1/fetch\`, answered from the cache | ${PRICES.fetch.cacheHit} |`));
  assert.ok(operations.includes(`each output that a model made | ${PRICES.fetch.perModelOutput} more |`));
  assert.ok(operations.includes(`| \`POST /v1/crawl\`, each page that is stored | ${PRICES.crawl.base} |`));
  assert.ok(operations.includes(`| \`POST /v1/map\` | ${PRICES.map.base} |`));
  assert.ok(
    operations.includes(`each started hundred of URLs that are returned | ${PRICES.map.perHundredUrls} more |`),
  );
  const surcharges = Object.entries(SURCHARGES).map(([tier, credits]) => `\`${tier}\` ${credits}`);
  assert.ok(operations.includes(surcharges.join(', ')));
});

test('the command-line page lists every exit code', () => {
  const row = /^\| exit code \| (.+) \|$/m.exec(readPage('docs/reference/command-line.md'))?.[1] ?? '';
  const codes = Object.values(EXIT).toSorted((one, other) => one - other);
  assert.deepEqual(row.split(' | ').map(Number), codes);
});

test('every npm script that the pages mention exists', () => {
  const Package = z.object({ scripts: z.record(z.string(), z.string()) });
  const { scripts } = Package.parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
  for (const page of PAGES)
    for (const [, name] of readPage(page).matchAll(
      /\bnpm (?:run )?(start|test(?::[\w-]+)*|[\w-]+(?::[\w-]+)+|demo|check|bench)\b/g,
    ))
      assert.ok(name !== undefined && name in scripts, `${page} names npm run ${name}`);
});

test('every link between pages leads to a file, and to a heading if it has an anchor', () => {
  for (const page of PAGES)
    for (const [, target = '', anchor] of readPage(page).matchAll(/\]\(([^)#:]*)(?:#([^)]+))?\)/g)) {
      const file = target === '' ? page : join(dirname(page), target);
      assert.ok(existsSync(join(ROOT, file)), `${page} links to ${target}`);
      if (anchor !== undefined) assert.ok(listAnchors(file).has(anchor), `${page} links to ${target}#${anchor}`);
    }
});

/** The anchors that GitHub gives the headings of a page. */
function listAnchors(page: string): ReadonlySet<string> {
  const headings = readPage(page).matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, text = '']) =>
      text
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
}
