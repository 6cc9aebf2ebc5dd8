import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join, posix, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { InvariantError } from '#extract/invariant-error.ts';
import { isJsonObject } from '#extract/values/json-object.ts';

/** Packages whose modules are served to browsers. */
export const BROWSER_PACKAGES = [
  'preact',
  '@preact/signals',
  '@preact/signals-core',
  'htm',
  'uplot',
  'diff',
  'marked',
] as const;

/** The conditions of `exports` that apply to browsers, by preference. */
const EXPORT_CONDITIONS = ['browser', 'import', 'module', 'default'];

/** A module of a package: its path below the folder of packages, `preact/dist/preact.mjs`, and its file. */
type PackageModule = { readonly path: string; readonly file: string };

/** The package modules that are served to browsers, by path. Imports between them are rewritten to relative ones. */
export class PackageModules {
  readonly texts = new Map<string, string>();
  readonly #importer: string;

  /** `importer` is a file of the package that imports the others. */
  constructor(importer: string) {
    this.#importer = importer;
  }

  /** Adds the module of a specifier and everything that it imports; returns its path. */
  add(specifier: string): string {
    const module = findModule(specifier, this.#importer);
    this.#read(module);
    return module.path;
  }

  #read({ path, file }: PackageModule): void {
    if (this.texts.has(path)) return;
    const text = readFileSync(file, 'utf8').replace(/\n?\/\/# sourceMappingURL=\S+\s*$/, '\n');
    this.texts.set(path, text);
    const targets = new Map<string, string>();
    for (const specifier of listImports(text)) {
      const isInside = specifier.startsWith('.');
      if (!isInside && !isBrowserPackage(specifier)) continue;
      const target = isInside
        ? { path: posix.join(posix.dirname(path), specifier), file: join(dirname(file), specifier) }
        : findModule(specifier, file);
      this.#read(target);
      targets.set(specifier, toRelativeSpecifier(path, target.path));
    }
    this.texts.set(
      path,
      rewriteImports(text, (specifier) => targets.get(specifier) ?? specifier),
    );
  }
}

/** Returns the specifier with which the module at one path imports another. */
export function toRelativeSpecifier(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
}

/** Whether a specifier names a package that is served to browsers. */
export function isBrowserPackage(specifier: string): boolean {
  return BROWSER_PACKAGES.some((name) => specifier === name || specifier.startsWith(`${name}/`));
}

function findModule(specifier: string, from: string): PackageModule {
  const manifest = findPackageJSON(specifier, pathToFileURL(from));
  const name = BROWSER_PACKAGES.find((one) => specifier === one || specifier.startsWith(`${one}/`));
  if (manifest === undefined || name === undefined)
    throw new InvariantError(`${from} imports ${specifier}, which is not served`);
  const folder = dirname(manifest);
  // A subfolder of a package may have its own package.json.
  const root = folder.endsWith(join(sep, ...name.split('/'))) ? folder : join(folder, '..');
  const subpath = `.${specifier.slice(name.length)}`;
  const file = join(root, findEntry(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')), subpath));
  return { path: `${name}/${relative(root, file).replaceAll(sep, '/')}`, file };
}

/** Finds the file of a package that a subpath exports. */
function findEntry(manifest: unknown, subpath: string): string {
  if (!isJsonObject(manifest)) throw new InvariantError('a package has a manifest that is no object');
  const { exports } = manifest;
  const entry = isJsonObject(exports) ? chooseExport(exports[subpath]) : null;
  const own = subpath === '.' ? (manifest['module'] ?? manifest['main']) : subpath;
  const exported = entry ?? own;
  if (typeof exported !== 'string') throw new InvariantError(`a package does not export ${subpath}`);
  return exported;
}

function chooseExport(target: unknown): string | null {
  if (typeof target === 'string') return target;
  if (!isJsonObject(target)) return null;
  const condition = EXPORT_CONDITIONS.find((one) => target[one] !== undefined);
  return condition === undefined ? null : chooseExport(target[condition]);
}

/** The quoted specifier of an import or export; minified modules have no spaces. */
const IMPORT_SPECIFIER = /(\bfrom\s*|\bimport\s*\(?\s*)(?:'([^'\n]+)'|"([^"\n]+)")/g;

/** Lists the specifiers that a JavaScript module imports, statically or dynamically. */
function listImports(text: string): readonly string[] {
  return [...new Set([...text.matchAll(IMPORT_SPECIFIER)].map((match) => match[2] ?? match[3] ?? ''))];
}

/** Lists the specifiers that a JavaScript module imports statically. */
export function listStaticSpecifiers(text: string): readonly string[] {
  const specifiers = [...text.matchAll(IMPORT_SPECIFIER)].filter(([, word = '']) => !word.includes('('));
  return [...new Set(specifiers.map((match) => match[2] ?? match[3] ?? ''))];
}

/** Replaces the import specifiers of a JavaScript module. */
export function rewriteImports(text: string, toTarget: (specifier: string) => string): string {
  return text.replaceAll(IMPORT_SPECIFIER, (_whole, word: string, single?: string, double?: string) => {
    const quote = single === undefined ? '"' : "'";
    return `${word}${quote}${toTarget(single ?? double ?? '')}${quote}`;
  });
}
