// Resolves imports of our own modules by their text: hundreds of files import the same few, and for each import Node would
// ask the file system anew, which is a fifth of the CPU of a start.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '..');
const ours = pathToFileURL(`${root}/`).href;
const packages = `${ours}node_modules/`;

/** What package.json says of `#area/`, the general one last. */
const areas = Object.entries(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).imports)
  .map(([pattern, target]) => ({ prefix: pattern.slice(0, -1), folder: new URL(target.slice(0, -1), ours).href }))
  .sort((one, other) => other.prefix.length - one.prefix.length);

/** A source, or a module of the published package. */
const MODULE = /^[.#].*\.[jt]s$/;

/** What was found, by what was asked for: a path by its folder too, all else is the same from each of our modules. */
const found = new Map();

registerHooks({
  resolve(specifier, context, next) {
    const parent = context.parentURL ?? '';
    if (!parent.startsWith(ours) || parent.startsWith(packages) || !context.conditions.includes('import'))
      return next(specifier, context);
    const folder = specifier.startsWith('.') ? parent.slice(0, parent.lastIndexOf('/') + 1) : '';
    const known = found.get(folder + specifier);
    if (known !== undefined) return known;
    const { url, format } = MODULE.test(specifier) ? moduleOf(specifier, parent) : next(specifier, context);
    const resolved = { url, format, shortCircuit: true };
    found.set(folder + specifier, resolved);
    return resolved;
  },
});

function moduleOf(specifier, parent) {
  const area = areas.find(({ prefix }) => specifier.startsWith(prefix));
  const url = area === undefined ? new URL(specifier, parent) : area.folder + specifier.slice(area.prefix.length);
  return { url: String(url), format: specifier.endsWith('.ts') ? 'module-typescript' : 'module' };
}
