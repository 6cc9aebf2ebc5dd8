// Resolves imports of our own modules by their text. Hundreds of files import the same few modules, and Node would ask the
// file system for each import again, which is a fifth of the CPU of a start.
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const own = join(import.meta.dirname, '..');
const isCheckout = existsSync(join(own, 'src'));

/** Folders whose modules are ours, as URLs. */
const homes = isCheckout ? [toFolderUrl(join(own, '../..'))] : [own, ...listSiblings()].map(toFolderUrl);

/** Prefixes of specifiers with the folder that each one means, the general prefix last. */
const areas = (isCheckout ? readImports() : listPublished()).sort((one, other) => other.prefix.length - one.prefix.length);

/** A source, or a module of a published package. */
const MODULE = /^(?:[.#]|@quern\/).*\.[jt]s$/;

/** What was found, by what was asked for: a path by its folder too, all else is the same from each of our modules. */
const found = new Map();

registerHooks({
  resolve(specifier, context, next) {
    const parent = context.parentURL ?? '';
    if (!isOurs(parent) || !context.conditions.includes('import')) return next(specifier, context);
    const folder = specifier.startsWith('.') ? parent.slice(0, parent.lastIndexOf('/') + 1) : '';
    const known = found.get(folder + specifier);
    if (known !== undefined) return known;
    const { url, format } = MODULE.test(specifier) ? toModule(specifier, parent) : next(specifier, context);
    const resolved = { url, format, shortCircuit: true };
    found.set(folder + specifier, resolved);
    return resolved;
  },
});

function isOurs(url) {
  const home = homes.find((one) => url.startsWith(one));
  return home !== undefined && !url.startsWith(`${home}node_modules/`);
}

function toModule(specifier, parent) {
  const area = areas.find(({ prefix }) => specifier.startsWith(prefix));
  const url = area === undefined ? new URL(specifier, parent) : area.folder + specifier.slice(area.prefix.length);
  return { url: String(url), format: specifier.endsWith('.ts') ? 'module-typescript' : 'module' };
}

/** In a checkout the workspace says what each `#area/` means, to all of its packages alike. */
function readImports() {
  const { imports } = JSON.parse(readFileSync(join(own, '../../package.json'), 'utf8'));
  return Object.entries(imports).map(([pattern, target]) => ({
    prefix: pattern.slice(0, -1),
    folder: new URL(target.slice(0, -1), homes[0]).href,
  }));
}

function listPublished() {
  return listSiblings().map((folder) => {
    const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return { prefix: `${name}/internal/`, folder: toFolderUrl(join(folder, 'dist')) };
  });
}

/** The folders of the other packages of Quern, wherever npm put them. */
function listSiblings() {
  const require = createRequire(import.meta.url);
  return ['@quern/console', '@quern/extract', '@quern/sites'].map((name) => dirname(realpathSync(require.resolve(`${name}/package.json`))));
}

function toFolderUrl(folder) {
  return pathToFileURL(`${folder}/`).href;
}
