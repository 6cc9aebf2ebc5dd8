/** Writes the skeleton of an endpoint, and of its site if that is new: `npm run new-site forum post`. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { listSiteFolders, SITES_FOLDER } from '#testkit/sites/site-folders.ts';

const NAME = /^[a-z](?:[a-z0-9-]*[a-z0-9])?$/;
const PATH = /^[a-z][A-Za-z0-9-]*(?:\/[a-z][A-Za-z0-9-]*)*$/;

const { positionals } = parseArgs({ allowPositionals: true });
const [site = '', path = '', ...more] = positionals;
if (!NAME.test(site) || !PATH.test(path) || more.length > 0) {
  process.stderr.write('npm run new-site SITE ENDPOINT: such as forum post, or socialnet marketplace/item\n');
  process.exit(2);
}

const folder = listSiteFolders().get(site) ?? join(SITES_FOLDER, site);
const folderName = relative(SITES_FOLDER, folder);
const file = path.replaceAll('/', '-');
const endpoint = toCamel(file);
const writtenFiles: string[] = [];

if (existsSync(join(folder, `${file}.ts`))) {
  process.stderr.write(`packages/sites/src/${folderName}/${file}.ts exists already\n`);
  process.exit(1);
}
mkdirSync(join(folder, 'fixtures'), { recursive: true });
if (!existsSync(join(folder, 'site.ts'))) write('site.ts', renderSite());
const siteConstant = readSiteConstant();
write(`${file}.ts`, renderEndpoint());
addToList();
process.stdout.write(`${writtenFiles.map((name) => `wrote packages/sites/src/${name}`).join('\n')}\n`);
process.stdout.write(
  `Fill in packages/sites/src/${folderName}/${file}.ts, then: npm run build:sites && npm run record ${site} ${path} -- --id …\n`,
);

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
  writtenFiles.push(`${folderName}/${name}`);
}

/** Adds the endpoint to the end of the list of all endpoints. */
function addToList(): void {
  const list = join(SITES_FOLDER, 'declarations.ts');
  const text = readFileSync(list, 'utf8');
  const at = text.indexOf('\n/**\n * Every endpoint of every site');
  const added = `${text.slice(0, at)}import { ${endpoint} } from './${folderName}/${file}.ts';\n${text.slice(at)}`;
  writeFileSync(
    list,
    added.replace(/(export const endpoints: readonly SiteEndpoint\[\] = \[)([\s\S]*?),?\s*\];/, `$1$2, ${endpoint}];`),
  );
  writtenFiles.push('declarations.ts');
}

function toCamel(text: string): string {
  return text.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The name of the constant that declares the endpoints of the site: `reddit` for `forum`. */
function readSiteConstant(): string {
  const text = readFileSync(join(folder, 'site.ts'), 'utf8');
  return /export const (\w+) = defineSite\(/.exec(text)?.[1] ?? toCamel(site);
}

function renderSite(): string {
  return `import { defineSite } from '#sites/framework/endpoint.ts';

export const ${toCamel(site)} = defineSite({
  name: '${site}',
  origins: { web: 'https://${site}.example' },
});
`;
}

function renderEndpoint(): string {
  return `import { z } from 'zod';
import { unusable } from '#sites/framework/answers.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, line, text } from '#extract/values/raw.ts';
import { ${siteConstant} } from './site.ts';

export const ${endpoint} = ${siteConstant}({
  path: '/${path}',
  summary: 'What it returns, in a few words',
  input: z.object({ id: z.string().min(1).max(100).describe('Id of the object') }),
  record: z.object({ ${endpoint}: z.object({ id: z.string(), name: z.string().nullable() }) }),
  expected: ['${endpoint}.name'],
  canary: { id: '1' },
  request: ({ id }) => ({ origin: 'web', path: \`/${path}/\${encodeURIComponent(id)}\` }),
  parse(page, { id }) {
    const raw = tryParse(page.body);
    if (text(at(raw, 'id')) !== id) return unusable('the requested id is missing');
    return { ${endpoint}: { id, name: line(at(raw, 'name')) } };
  },
});
`;
}
