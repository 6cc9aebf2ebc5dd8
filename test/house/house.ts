import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, posix, sep } from 'node:path';
import { isBrowserPackage } from '#transports/http/console/browser-packages.ts';

export const ROOT = join(import.meta.dirname, '../..');

/** The packages next to the service, with those that each uses; TypeScript checks this too, by package.json. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = { extract: [], sites: ['extract'], console: [] };

/** The layers of the service, lowest first. A file may import from its own or a lower layer. */
export const LAYERS: readonly (readonly string[])[] = [
  ['kernel'],
  ['access', 'store', 'llm'],
  ['engine'],
  ['features'],
  ['transports'],
  ['compose'],
  ['main.ts'],
];

/** Imports of single sites by the service, apart from the two modules that register them. */
const SHARED_BY_SITES = /^sites\/(?:framework|engines)\//;
const JOINS_SITES = /^(?:compose\/|features\/sites\/source\.worker\.ts$)/;

/** Stands for all folders that are not listed. */
export const OTHER_PACKAGES = '*';

/**
 * Folders of a layer or of a folder in it, lowest first: a folder may import from itself, lower ones, and the top
 * files. Folders in the same row must not import each other.
 */
export const LAYER_FOLDERS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  access: [['guard', 'classify'], ['proxy'], ['egress'], ['http'], ['tiers'], ['browser'], ['interact']],
  extract: [
    ['platform'],
    ['values', 'schema'],
    ['html', 'json'],
    ['view'],
    ['converters', 'select', 'content/features', 'structured'],
    ['content/model'],
    ['content/rules'],
    ['content'],
    ['metadata', 'renderers', 'documents'],
    ['chunks', 'fields', 'urls', 'dom'],
  ],
  engine: [
    ['identity'],
    ['credits'],
    ['results'],
    ['jobs'],
    ['politeness', 'reading', 'sessions'],
    ['visits'],
    ['call'],
    ['upkeep'],
  ],
  features: [
    ['schema'],
    ['passages', 'changes', 'webhooks'],
    ['crawl', OTHER_PACKAGES],
    ['map', 'monitors', 'jobs', 'search'],
  ],
  'features/crawl': [['dedupe', 'archive'], ['frontier'], ['run']],
  'features/search': [['index'], ['backend'], ['fast', 'answers', 'web'], ['serp']],
  'features/monitors': [['compare'], ['presets', 'schedule'], ['store'], ['run']],
};

/** Top folders whose own files are shared by all their subfolders and import none of them. */
const WORDS_AT_TOP: ReadonlySet<string> = new Set(['access']);

/** Pure folders (no store, clock, timer or network), and the folders that they may import. */
const PURE: Readonly<Record<string, readonly string[]>> = {
  'features/monitors/compare': ['kernel', 'extract'],
};
const IMPURE = /\b(?:set(?:Timeout|Interval|Immediate)|Date\.now|performance\.now|fetch)\(|\bnew Date\(\)/;

/** The folder of code that runs in browsers. */
const BROWSER_ROOM = 'console';

/** The only file that reads the environment. */
const READS_ENVIRONMENT = 'kernel/config.ts';

/** A file of the service by its path below `src/`, of another package with its name before the path; with slashes. */
export type Source = { readonly file: string; readonly text: string };

/** Every TypeScript file of the packages. */
export function listSources(): readonly Source[] {
  return ['quern', ...Object.keys(PACKAGES)]
    .flatMap((name) => listPackage(name))
    .toSorted((a, b) => (a.file < b.file ? -1 : 1));
}

function listPackage(name: string): readonly Source[] {
  const folder = join(ROOT, 'packages', name, 'src');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({
      file: `${name === 'quern' ? '' : `${name}/`}${file.replaceAll(sep, '/')}`,
      text: readFileSync(join(folder, file), 'utf8'),
    }));
}

/** Lists the rule violations of a file. */
export function listImportFaults({ file, text }: Source): readonly string[] {
  const room = findRoom(file);
  if (findLayer(room) < 0 && !(room in PACKAGES)) return [`${file} is in no layer and in no package`];
  const imported = listImports(text);
  const faults = imported.map((specifier) => checkImport(file, specifier)).filter((fault) => fault !== null);
  if (file !== READS_ENVIRONMENT && /\bprocess\s*\.\s*env\b|\bprocess\s*\[/.test(removeComments(text)))
    faults.push(`${file} reads the environment; only ${READS_ENVIRONMENT} does`);
  return [...faults, ...listPurityFaults({ file, text }, imported), ...listBrowserFaults({ file, text })];
}

/** Browsers load the modules of the console and of the served packages. */
function listBrowserFaults({ file, text }: Source): readonly string[] {
  if (findRoom(file) !== BROWSER_ROOM) return [];
  return listImports(stripTypeScriptTypes(text))
    .filter((specifier) => !/^[.#]/.test(specifier) && !isBrowserPackage(specifier))
    .map((specifier) => `${file} imports ${specifier}, which no browser gets; import type is fine`);
}

function listPurityFaults({ file, text }: Source, imported: readonly string[]): readonly string[] {
  const [folder, rooms] = Object.entries(PURE).find(([name]) => file.startsWith(`${name}/`)) ?? [];
  if (folder === undefined || rooms === undefined) return [];
  const isPure = (specifier: string): boolean =>
    specifier.startsWith('#') ? rooms.includes(findRoom(specifier.slice(1))) : !/^node:(?!crypto$)/.test(specifier);
  return [
    ...imported
      .filter((specifier) => !isPure(specifier))
      .map((specifier) => `${file} imports ${specifier}; it is pure`),
    ...(IMPURE.test(removeComments(text)) ? [`${file} looks at a clock, waits or fetches; it is pure`] : []),
  ];
}

/** Specifiers of static and dynamic imports and of re-exports, type-only ones included. */
export function listImports(text: string): readonly string[] {
  return [...text.matchAll(IMPORTED)].map((match) => match[1] ?? match[2] ?? '');
}

const IMPORTED = /\b(?:from|import)\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g;

function checkImport(file: string, specifier: string): string | null {
  if (specifier.startsWith('../'))
    return `${file} climbs with ${specifier}; between folders at the top the path starts with #`;
  if (/^[./#]/.test(specifier) && !/\.(?:ts|json)$/.test(specifier)) return `${file} imports ${specifier} without .ts`;
  if (specifier.startsWith('./')) return checkFolderImport(file, posix.join(dirname(file), specifier));
  if (!specifier.startsWith('#')) return null;
  const target = specifier.slice(1);
  const from = findRoom(file);
  const to = findRoom(target);
  if (to === from) return checkFolderImport(file, target);
  const used = PACKAGES[from] ?? (to in PACKAGES ? [to] : null);
  if (used !== null) return checkPackageImport(file, target, used);
  if (findLayer(to) < 0) return `${file} imports ${specifier}, which is in no layer`;
  return findLayer(to) >= findLayer(from) ? `${file} imports ${specifier}, which is not on a lower layer` : null;
}

/** `used` are the packages that the package of the file may import. */
function checkPackageImport(file: string, target: string, used: readonly string[]): string | null {
  if (!used.includes(findRoom(target))) return `${file} imports #${target}, which its package does not use`;
  const isFree = findRoom(file) in PACKAGES || findRoom(target) !== 'sites' || JOINS_SITES.test(file);
  return isFree || SHARED_BY_SITES.test(target) ? null : `${file} imports #${target}; only compose joins single sites`;
}

function checkFolderImport(file: string, target: string): string | null {
  if (WORDS_AT_TOP.has(dirname(file)) && findLayerFolder(dirname(file), target) !== null)
    return `${file} imports ${target}; what stands at the top of ${dirname(file)} imports none of its folders`;
  const isOutOfOrder = (group: string): boolean => {
    const [from, to] = [findLayerFolder(group, file), findLayerFolder(group, target)];
    return from !== null && to !== null && from.folder !== to.folder && to.level >= from.level;
  };
  const group = Object.keys(LAYER_FOLDERS).find(isOutOfOrder);
  return group === undefined ? null : `${file} imports #${target}, which is not on a lower shelf of ${group}`;
}

/** The innermost listed folder that contains a file, and its level; null if none lists it. */
function findLayerFolder(group: string, path: string): { readonly folder: string; readonly level: number } | null {
  const shelves = LAYER_FOLDERS[group] ?? [];
  const found = shelves
    .flatMap((folders, level) => folders.map((folder) => ({ folder, level })))
    .filter(({ folder }) => path.startsWith(`${group}/${folder}/`));
  const named = found.toSorted((one, other) => other.folder.length - one.folder.length)[0];
  if (named !== undefined) return named;
  const level = shelves.findIndex((folders) => folders.includes(OTHER_PACKAGES));
  const [, folder] = path.startsWith(`${group}/`) ? (/^\/([^/]+)\//.exec(path.slice(group.length)) ?? []) : [];
  return level < 0 || folder === undefined ? null : { folder, level };
}

/** Operations must not import each other; only the list of operations imports all. */
export function listSidewaysFaults(sources: readonly Source[]): readonly string[] {
  const declaring = sources.filter(({ file, text }) => file.startsWith('features/') && DECLARES.test(text));
  const files = new Set(declaring.map(({ file }) => file));
  return declaring.flatMap(({ file, text }) =>
    listImports(text)
      .map((imported) => imported.replace(/^\.\//, `${posix.dirname(file)}/`).replace(/^#/, ''))
      .filter((imported) => files.has(imported))
      .map((imported) => `${file} imports the operation ${imported}`),
  );
}

/** Transports must not depend on the ids of operations. */
export function listIdFaults({ file, text }: Source): readonly string[] {
  if (!file.startsWith('transports/')) return [];
  return [...text.matchAll(/(?<!typeof )\b(?:id|operation)\s*[!=]==\s*'[a-z][a-z._]*'/g)].map(
    ([found]) => `${file} decides by ${found}`,
  );
}

const DECLARES = /\bdeclare(?:Work|Control|RawControl)\(/;

function findRoom(path: string): string {
  return path.split('/')[0] ?? path;
}

function findLayer(room: string): number {
  return LAYERS.findIndex((rooms) => rooms.includes(room));
}

function removeComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}
