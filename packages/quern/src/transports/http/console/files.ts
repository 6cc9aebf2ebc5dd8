import { InvariantError } from '#extract/invariant-error.ts';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { dirname, extname, join, posix, sep } from 'node:path';
import { rewriteImports, staticImportsOf, isForBrowsers, PackageModules, toRelative } from './packages.ts';

/** The folder of the browser code: TypeScript in a checkout, JavaScript in the published package. */
export const CONSOLE_FOLDER = findConsole();

/** The folder of packages below the version, beside our own folders. */
const PACKAGES_FOLDER = 'packages';
/** The one page, which is served under no version. */
const PAGE = 'index.html';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

/** A file as browsers get it. */
export type ConsoleFile = { readonly type: string; readonly bytes: Buffer };

/** The console as browsers get it: the page, and the files below `/console/<version>/`. */
export type ConsoleFiles = {
  /** A hash over all files, so that a URL never changes what it means. */
  readonly version: string;
  readonly page: string;
  readonly files: ReadonlyMap<string, ConsoleFile>;
};

/** Reads the browser code, strips its types and names every module by a URL of this service. */
export function readConsole(folder: string): ConsoleFiles {
  const packages = new PackageModules(join(CONSOLE_FOLDER, PAGE));
  const modules = new Map<string, string>();
  const files = new Map<string, ConsoleFile>();
  for (const file of listFiles(folder)) {
    const path = file.replace(/\.ts$/, '.js');
    const type = TYPES[extname(path)];
    if (type === undefined) continue;
    const bytes = readFileSync(join(folder, file));
    if (path.endsWith('.js')) modules.set(path, toModule(file, bytes.toString(), packages));
    else files.set(path, { type, bytes });
  }
  for (const [path, text] of packages.texts) modules.set(`${PACKAGES_FOLDER}/${path}`, text);
  for (const [path, text] of modules) {
    files.set(path, { type: TYPES[extname(path)] ?? '', bytes: Buffer.from(text) });
  }
  const source = readFileSync(join(folder, PAGE), 'utf8');
  const version = hashOf([
    [PAGE, Buffer.from(source)],
    ...[...files].map(([path, { bytes }]) => [path, bytes] as const),
  ]);
  return { version, page: toPage(source, { version, files, modules }), files };
}

function findConsole(): string {
  const home = dirname(createRequire(import.meta.url).resolve('@quern/console/package.json'));
  const source = join(home, 'src');
  return existsSync(source) ? source : join(home, 'dist');
}

/** The names of all files below a folder, declarations and settings of the compiler left out. */
function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll(sep, '/'))
    .filter((file) => !file.endsWith('.d.ts') && statSync(join(folder, file)).isFile())
    .toSorted();
}

/** A module of ours without types, whose imports are relative URLs. */
function toModule(file: string, source: string, packages: PackageModules): string {
  const text = file.endsWith('.ts') ? stripTypeScriptTypes(source) : source;
  const path = file.replace(/\.ts$/, '.js');
  return rewriteImports(text, (specifier) => {
    if (isForBrowsers(specifier)) return toRelative(path, `${PACKAGES_FOLDER}/${packages.add(specifier)}`);
    if (specifier.startsWith('#console/')) return toRelative(path, toScript(specifier.slice('#console/'.length)));
    return specifier.startsWith('.') ? toScript(specifier) : specifier;
  });
}

function toScript(path: string): string {
  return path.replace(/\.ts$/, '.js');
}

type PageParts = {
  readonly version: string;
  readonly files: ReadonlyMap<string, ConsoleFile>;
  readonly modules: ReadonlyMap<string, string>;
};

/** The page with the URLs of this version, and a link for each module that its script needs before it runs. */
function toPage(source: string, { version, files, modules }: PageParts): string {
  const base = `/console/${version}/`;
  const starts: string[] = [];
  const page = source.replaceAll(/(?<= (?:href|src)=")[^":#/][^":#]*(?=")/g, (named) => {
    const path = toScript(named);
    if (!files.has(path)) throw new InvariantError(`${PAGE} names ${named}, which is not there`);
    if (modules.has(path)) starts.push(path);
    return `${base}${path}`;
  });
  const links = [...closureOf(starts, modules)]
    .filter((path) => !starts.includes(path))
    .map((path) => `<link rel="modulepreload" href="${base}${path}" />`);
  return page.replace('</head>', `${links.join('')}</head>`);
}

/** Everything that modules import before they run, themselves included. */
function closureOf(starts: readonly string[], modules: ReadonlyMap<string, string>): ReadonlySet<string> {
  const found = new Set<string>(starts);
  for (const path of found) {
    const text = modules.get(path);
    if (text === undefined) throw new InvariantError(`the console has no module ${path}`);
    for (const specifier of staticImportsOf(text)) {
      if (specifier.startsWith('.')) found.add(posix.join(posix.dirname(path), specifier));
    }
  }
  return found;
}

function hashOf(files: readonly (readonly [string, Buffer])[]): string {
  const hash = createHash('sha256');
  for (const [path, bytes] of files.toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    hash.update(`${path}\n${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex').slice(0, 16);
}
