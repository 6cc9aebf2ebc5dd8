import { InvariantError } from '#extract/invariant-error.ts';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { dirname, extname, join, posix, sep } from 'node:path';
import {
  rewriteImports,
  listStaticSpecifiers,
  isBrowserPackage,
  PackageModules,
  toRelativeSpecifier,
} from './browser-packages.ts';

/** The folder of the browser code: TypeScript in a checkout, JavaScript in the published package. */
export const CONSOLE_FOLDER = findConsoleFolder();

/** The folder of third-party packages below the version. */
const PACKAGES_FOLDER = 'packages';
/** The HTML page, which is served without a version. */
const PAGE_FILE = 'index.html';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

/** A file as it is served to browsers. */
export type ConsoleFile = { readonly type: string; readonly bytes: Buffer };

/** The console as it is served to browsers: the page, and the files below `/console/<version>/`. */
export type ConsoleFiles = {
  /** A hash of all files, so that the content of a URL never changes. */
  readonly version: string;
  readonly page: string;
  readonly files: ReadonlyMap<string, ConsoleFile>;
};

/** Reads the browser code, strips its types, and rewrites all imports to URLs of this service. */
export function readConsole(folder: string): ConsoleFiles {
  const packages = new PackageModules(join(CONSOLE_FOLDER, PAGE_FILE));
  const modules = new Map<string, string>();
  const files = new Map<string, ConsoleFile>();
  for (const file of listFiles(folder)) {
    const path = file.replace(/\.ts$/, '.js');
    const type = CONTENT_TYPES[extname(path)];
    if (type === undefined) continue;
    const bytes = readFileSync(join(folder, file));
    if (path.endsWith('.js')) modules.set(path, convertModule(file, bytes.toString(), packages));
    else files.set(path, { type, bytes });
  }
  for (const [path, text] of packages.texts) modules.set(`${PACKAGES_FOLDER}/${path}`, text);
  for (const [path, text] of modules) {
    files.set(path, { type: CONTENT_TYPES[extname(path)] ?? '', bytes: Buffer.from(text) });
  }
  const source = readFileSync(join(folder, PAGE_FILE), 'utf8');
  const version = computeVersion([
    [PAGE_FILE, Buffer.from(source)],
    ...[...files].map(([path, { bytes }]) => [path, bytes] as const),
  ]);
  return { version, page: buildPage(source, { version, files, modules }), files };
}

function findConsoleFolder(): string {
  const home = dirname(createRequire(import.meta.url).resolve('@quern/console/package.json'));
  const source = join(home, 'src');
  return existsSync(source) ? source : join(home, 'dist');
}

/** Lists all files below a folder, without declaration files. */
function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll(sep, '/'))
    .filter((file) => !file.endsWith('.d.ts') && statSync(join(folder, file)).isFile())
    .toSorted();
}

/** Strips the types of a module of the console, and rewrites its imports to relative URLs. */
function convertModule(file: string, source: string, packages: PackageModules): string {
  const text = file.endsWith('.ts') ? stripTypeScriptTypes(source) : source;
  const path = file.replace(/\.ts$/, '.js');
  return rewriteImports(text, (specifier) => {
    if (isBrowserPackage(specifier)) return toRelativeSpecifier(path, `${PACKAGES_FOLDER}/${packages.add(specifier)}`);
    if (specifier.startsWith('#console/'))
      return toRelativeSpecifier(path, toScriptPath(specifier.slice('#console/'.length)));
    return specifier.startsWith('.') ? toScriptPath(specifier) : specifier;
  });
}

function toScriptPath(path: string): string {
  return path.replace(/\.ts$/, '.js');
}

type PageParts = {
  readonly version: string;
  readonly files: ReadonlyMap<string, ConsoleFile>;
  readonly modules: ReadonlyMap<string, string>;
};

/** Builds the page with the URLs of this version, and a preload link for each module that its scripts import statically. */
function buildPage(source: string, { version, files, modules }: PageParts): string {
  const base = `/console/${version}/`;
  const starts: string[] = [];
  const page = source.replaceAll(/(?<= (?:href|src)=")[^":#/][^":#]*(?=")/g, (named) => {
    const path = toScriptPath(named);
    if (!files.has(path)) throw new InvariantError(`${PAGE_FILE} names ${named}, which is not there`);
    if (modules.has(path)) starts.push(path);
    return `${base}${path}`;
  });
  const links = [...listStaticImports(starts, modules)]
    .filter((path) => !starts.includes(path))
    .map((path) => `<link rel="modulepreload" href="${base}${path}" />`);
  return page.replace('</head>', `${links.join('')}</head>`);
}

/** Lists modules and everything that they import statically. */
function listStaticImports(starts: readonly string[], modules: ReadonlyMap<string, string>): ReadonlySet<string> {
  const reached = new Set<string>(starts);
  for (const path of reached) {
    const text = modules.get(path);
    if (text === undefined) throw new InvariantError(`the console has no module ${path}`);
    for (const specifier of listStaticSpecifiers(text)) {
      if (specifier.startsWith('.')) reached.add(posix.join(posix.dirname(path), specifier));
    }
  }
  return reached;
}

function computeVersion(files: readonly (readonly [string, Buffer])[]): string {
  const hash = createHash('sha256');
  for (const [path, bytes] of files.toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    hash.update(`${path}\n${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex').slice(0, 16);
}
