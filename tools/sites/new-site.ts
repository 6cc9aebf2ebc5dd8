/** Writes the skeleton of an endpoint, and of its site where that is new: `npm run new-site forum post`. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const NAME = /^[a-z](?:[a-z0-9-]*[a-z0-9])?$/;
const PATH = /^[a-z][A-Za-z0-9-]*(?:\/[a-z][A-Za-z0-9-]*)*$/;

const { positionals } = parseArgs({ allowPositionals: true });
const [site = '', path = '', ...more] = positionals;
if (!NAME.test(site) || !PATH.test(path) || more.length > 0) {
  process.stderr.write('npm run new-site SITE ENDPOINT: such as forum post, or socialnet marketplace/item\n');
  process.exit(2);
}

const room = join(import.meta.dirname, '../../packages/sites/src');
const folder = join(room, site);
const file = path.replaceAll('/', '-');
const endpoint = toCamel(file);
const made: string[] = [];

if (existsSync(join(folder, `${file}.ts`))) {
  process.stderr.write(`packages/sites/src/${site}/${file}.ts is there already\n`);
  process.exit(1);
}
mkdirSync(join(folder, 'fixtures'), { recursive: true });
if (!existsSync(join(folder, 'site.ts'))) write('site.ts', toSite());
write(`${file}.ts`, toEndpoint());
addToList();
process.stdout.write(`${made.map((name) => `wrote packages/sites/src/${name}`).join('\n')}\n`);
process.stdout.write(`Fill in packages/sites/src/${site}/${file}.ts, then: npm run record ${site} ${path} -- --id …\n`);

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
  made.push(`${site}/${name}`);
}

/** Names the endpoint in the list of all endpoints, at its end. */
function addToList(): void {
  const index = join(room, 'index.ts');
  const text = readFileSync(index, 'utf8');
  const at = text.indexOf('\n/** Every endpoint of every site');
  const added = `${text.slice(0, at)}import { ${endpoint} } from './${site}/${file}.ts';\n${text.slice(at)}`;
  writeFileSync(
    index,
    added.replace(/(export const endpoints: readonly SiteEndpoint\[\] = \[)([\s\S]*?),?\s*\];/, `$1$2, ${endpoint}];`),
  );
  made.push('index.ts');
}

function toCamel(text: string): string {
  return text.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function toSite(): string {
  return `import { defineSite } from '#sites/framework/endpoint.ts';

export const ${toCamel(site)} = defineSite({
  name: '${site}',
  origins: { web: 'https://${site}.example' },
});
`;
}

function toEndpoint(): string {
  return `import { z } from 'zod';
import { unusable } from '#sites/framework/answers.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, line, text } from '#extract/values/raw.ts';
import { ${toCamel(site)} } from './site.ts';

export const ${endpoint} = ${toCamel(site)}({
  path: '/${path}',
  summary: 'What it answers, in a few words',
  input: z.object({ id: z.string().min(1).max(100).describe('Which one') }),
  record: z.object({ ${endpoint}: z.object({ id: z.string(), name: z.string().nullable() }) }),
  expected: ['${endpoint}.name'],
  canary: { id: '1' },
  request: ({ id }) => ({ origin: 'web', path: \`/${path}/\${encodeURIComponent(id)}\` }),
  parse(page, { id }) {
    const raw = tryParse(page.body);
    if (text(at(raw, 'id')) !== id) return unusable('the id asked for');
    return { ${endpoint}: { id, name: line(at(raw, 'name')) } };
  },
});
`;
}
