import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints, enginePages, listCrawls } from '#sites/declarations.ts';
import type { SiteEndpoint } from '#sites/framework/endpoint.ts';
import type { Catalogue, EndpointEntry } from '#sites/framework/lazy-endpoint.ts';

// Writes the catalogue of site endpoints, so that a start loads no parser of a site.
const source = join(import.meta.dirname, '../packages/sites/src');
const file = join(source, 'catalogue.ts');

type Place = Pick<EndpointEntry, 'module' | 'name'>;

/** Finds the module and the export of each endpoint that the declarations import. */
async function findPlaces(): Promise<ReadonlyMap<unknown, Place>> {
  const text = readFileSync(join(source, 'declarations.ts'), 'utf8');
  const modules = Array.from(text.matchAll(/from '(\.\/[\w/-]+\.ts)'/g), ([, module = '']) => module);
  const places = new Map<unknown, Place>();
  for (const path of modules) {
    const exports: Readonly<Record<string, unknown>> = await import(join(source, path));
    const module: Place['module'] = `./${path.slice('./'.length, -'.ts'.length)}.ts`;
    for (const [name, value] of Object.entries(exports)) places.set(value, { module, name });
  }
  return places;
}

function toEntry(endpoint: SiteEndpoint, place: Place | undefined): EndpointEntry {
  const { id, about, path, summary, price, isInternal, parameters, canary, list, limit, expected, canFill, shape } =
    endpoint;
  if (place === undefined) throw new Error(`declarations.ts imports no module that exports ${id}`);
  const { shape: _, ...known } = parameters;
  return {
    id,
    ...place,
    about,
    path,
    summary,
    price,
    isInternal,
    parameters: known,
    canary,
    list,
    limit,
    expected,
    canFill,
    shape,
  };
}

const places = await findPlaces();
const all = new Set([...endpoints, ...Object.values(enginePages), ...listCrawls.map(({ endpoint }) => endpoint)]);
const catalogue: Catalogue = {
  endpoints: [...all].map((endpoint) => toEntry(endpoint, places.get(endpoint))),
  documented: endpoints.map(({ id }) => id),
  listCrawls: listCrawls.map(({ endpoint, ...crawl }) => ({ ...crawl, endpoint: endpoint.id })),
  enginePages: Object.fromEntries(Object.entries(enginePages).map(([engine, { id }]) => [engine, id])),
};
const lines = catalogue.endpoints.map((entry) => `    ${JSON.stringify(entry)},\n`);
writeFileSync(
  file,
  `// Written by npm run build:sites from the declarations of the endpoints. Do not edit.
import type { Catalogue } from './framework/lazy-endpoint.ts';

export const CATALOGUE: Catalogue = {
  endpoints: [
${lines.join('')}  ],
  documented: ${JSON.stringify(catalogue.documented)},
  listCrawls: ${JSON.stringify(catalogue.listCrawls)},
  enginePages: ${JSON.stringify(catalogue.enginePages)},
};
`,
);
process.stderr.write(`wrote ${lines.length} endpoints to ${file}\n`);
