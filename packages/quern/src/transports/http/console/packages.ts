import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join, posix, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { InvariantError } from '#extract/invariant-error.ts';
import { isJsonObject } from '#extract/values/json-object.ts';

/** The packages whose modules browsers get. */
export const PACKAGES = [
  'preact',
  '@preact/signals',
  '@preact/signals-core',
  'htm',
  'uplot',
  'diff',
  'marked',
] as const;

/** The conditions of `exports` that browsers fulfil, in the order of choice. */
const CONDITIONS = ['browser', 'import', 'module', 'default'];

/** A module of a package: its path below the folder of packages, `preact/dist/preact.mjs`, and its file. */
type PackageModule = { readonly path: string; readonly file: string };

/** The modules that packages give to browsers, by their path; imports between them are relative. */
export class PackageModules {
  readonly texts = new Map<string, string>();
  readonly #importer: string;

  /** `importer` is a file of the package that imports the others. */
  constructor(importer: string) {
    this.#importer = importer;
  }

  /** The path of what a specifier of ours names; reads it and all that it imports. */
  add(specifier: string): string {
    const found = findModule(specifier, this.#importer);
    this.#read(found);
    return found.path;
  }

  #read({ path, file }: PackageModule): void {
    if (this.texts.has(path)) return;
    const text = readFileSync(file, 'utf8').replace(/\n?\/\/# sourceMappingURL=\S+\s*$/, '\n');
    this.texts.set(path, text);
    const targets = new Map<string, string>();
    for (const specifier of importsOf(text)) {
      const isInside = specifier.startsWith('.');
      if (!isInside && !isForBrowsers(specifier)) continue;
      const target = isInside
        ? { path: posix.join(posix.dirname(path), specifier), file: join(dirname(file), specifier) }
        : findModule(specifier, file);
      this.#read(target);
      targets.set(specifier, toRelative(path, target.path));
    }
    this.texts.set(
      path,
      rewriteImports(text, (specifier) => targets.get(specifier) ?? specifier),
    );
  }
}

/** The specifier by which the module at one path imports that at another. */
export function toRelative(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
}

/** Whether a specifier names a package whose modules browsers get. */
export function isForBrowsers(specifier: string): boolean {
  return PACKAGES.some((name) => specifier === name || specifier.startsWith(`${name}/`));
}

function findModule(specifier: string, from: string): PackageModule {
  const manifest = findPackageJSON(specifier, pathToFileURL(from));
  const name = PACKAGES.find((one) => specifier === one || specifier.startsWith(`${one}/`));
  if (manifest === undefined || name === undefined)
    throw new InvariantError(`${from} imports ${specifier}, which is not served`);
  const folder = dirname(manifest);
  // A folder of a package may have a manifest of its own.
  const root = folder.endsWith(join(sep, ...name.split('/'))) ? folder : join(folder, '..');
  const subpath = `.${specifier.slice(name.length)}`;
  const file = join(root, entryOf(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')), subpath));
  return { path: `${name}/${relative(root, file).replaceAll(sep, '/')}`, file };
}

/** The file of a package that a subpath names. */
function entryOf(manifest: unknown, subpath: string): string {
  if (!isJsonObject(manifest)) throw new InvariantError('a package has a manifest that is no object');
  const { exports } = manifest;
  const entry = isJsonObject(exports) ? chosenOf(exports[subpath]) : null;
  const own = subpath === '.' ? (manifest['module'] ?? manifest['main']) : subpath;
  const found = entry ?? own;
  if (typeof found !== 'string') throw new InvariantError(`a package does not export ${subpath}`);
  return found;
}

function chosenOf(target: unknown): string | null {
  if (typeof target === 'string') return target;
  if (!isJsonObject(target)) return null;
  const condition = CONDITIONS.find((one) => target[one] !== undefined);
  return condition === undefined ? null : chosenOf(target[condition]);
}

/** A specifier in quotes, after the words that make it one; minified modules have no spaces. */
const IMPORTED = /(\bfrom\s*|\bimport\s*\(?\s*)(?:'([^'\n]+)'|"([^"\n]+)")/g;

/** The specifiers that a module without types imports, static and dynamic ones. */
function importsOf(text: string): readonly string[] {
  return [...new Set([...text.matchAll(IMPORTED)].map((match) => match[2] ?? match[3] ?? ''))];
}

/** The specifiers that it imports before it runs. */
export function staticImportsOf(text: string): readonly string[] {
  const found = [...text.matchAll(IMPORTED)].filter(([, word = '']) => !word.includes('('));
  return [...new Set(found.map((match) => match[2] ?? match[3] ?? ''))];
}

/** A module with other specifiers. */
export function rewriteImports(text: string, toTarget: (specifier: string) => string): string {
  return text.replaceAll(IMPORTED, (_whole, word: string, single?: string, double?: string) => {
    const quote = single === undefined ? '"' : "'";
    return `${word}${quote}${toTarget(single ?? double ?? '')}${quote}`;
  });
}
