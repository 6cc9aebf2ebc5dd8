import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

/** Bottom floor first. A file imports from its own room or from a lower floor, never across or up. */
export const FLOORS: readonly (readonly string[])[] = [
  ['kernel'],
  ['access', 'extract', 'store', 'llm'],
  ['engine'],
  ['operations', 'sites'],
  ['transports'],
  ['compose'],
  ['main.ts'],
];

/** Rooms that see less than their floor allows. */
const NARROWER: Readonly<Record<string, readonly string[]>> = {
  extract: ['kernel'],
  sites: ['kernel', 'extract', 'engine'],
};

/** Folders of the reading room, bottom first: one sees itself, those below it, and the words at the top of the room. */
export const READING_SHELVES: readonly (readonly string[])[] = [
  ['values'],
  ['html', 'json'],
  ['kinds', 'select', 'content', 'structured'],
  ['facts', 'formats', 'documents'],
  ['fields', 'site', 'page'],
];

/** The only file that reads the environment. */
const READS_ENVIRONMENT = 'kernel/config.ts';

export type Source = { /** Path below src, with slashes. */ readonly file: string; readonly text: string };

/** Every TypeScript file below src. */
export function listSources(): readonly Source[] {
  return readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({ file: file.replaceAll(sep, '/'), text: readFileSync(join(ROOT, 'src', file), 'utf8') }))
    .toSorted((a, b) => (a.file < b.file ? -1 : 1));
}

/** What one file does against the house rules; empty when it keeps them. */
export function faultsOf({ file, text }: Source): readonly string[] {
  const room = roomOf(file);
  if (floorOf(room) < 0) return [`${file} is in no room of the house`];
  const imported = [...text.matchAll(IMPORTED)].map((match) => match[1] ?? match[2] ?? '');
  const faults = imported.map((specifier) => faultOfImport(file, specifier)).filter((fault) => fault !== null);
  if (file !== READS_ENVIRONMENT && /\bprocess\s*\.\s*env\b|\bprocess\s*\[/.test(withoutComments(text)))
    faults.push(`${file} reads the environment; only ${READS_ENVIRONMENT} does`);
  return faults;
}

/** Specifiers of static and dynamic imports and of re-exports, type-only ones included. */
const IMPORTED = /\b(?:from|import)\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g;

function faultOfImport(file: string, specifier: string): string | null {
  if (specifier.startsWith('../')) return `${file} climbs with ${specifier}; between rooms the path starts with #`;
  if (/^[./#]/.test(specifier) && !/\.(?:ts|json)$/.test(specifier)) return `${file} imports ${specifier} without .ts`;
  if (!specifier.startsWith('#')) return null;
  const target = specifier.slice(1);
  const from = roomOf(file);
  const to = roomOf(target);
  if (floorOf(to) < 0) return `${file} imports ${specifier}, which is in no room`;
  if (to === from) return faultOfShelf(file, target);
  if (floorOf(to) >= floorOf(from)) return `${file} imports ${specifier}, which is not on a lower floor`;
  const seen = NARROWER[from];
  return seen === undefined || seen.includes(to)
    ? null
    : `${file} imports ${specifier}; ${from} sees only ${seen.join()}`;
}

function faultOfShelf(file: string, target: string): string | null {
  const [from, to] = [file, target].map((path) =>
    READING_SHELVES.findIndex((shelf) => shelf.some((folder) => path.startsWith(`extract/${folder}/`))),
  );
  if (from === undefined || to === undefined || from < 0 || to < 0 || to < from) return null;
  return `${file} imports #${target}, which is not on a lower shelf of the reading room`;
}

/** Operations stand side by side and share only what declares none; their list alone knows them all. */
export function sidewaysFaultsOf(sources: readonly Source[]): readonly string[] {
  const declaring = new Set(
    sources.filter(({ file, text }) => file.startsWith('operations/') && DECLARES.test(text)).map(({ file }) => file),
  );
  return sources
    .filter(({ file }) => file.startsWith('operations/') && file !== 'operations/index.ts')
    .flatMap(({ file, text }) =>
      [...text.matchAll(IMPORTED)]
        .map((match) => (match[1] ?? match[2] ?? '').replace(/^\.\/|^#operations\//, 'operations/'))
        .filter((imported) => declaring.has(imported))
        .map((imported) => `${file} imports the operation ${imported}`),
    );
}

const DECLARES = /\bdefine(?:Operation|Control)\(/;

function roomOf(path: string): string {
  return path.split('/')[0] ?? path;
}

function floorOf(room: string): number {
  return FLOORS.findIndex((rooms) => rooms.includes(room));
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}
