import { stripTypeScriptTypes } from 'node:module';
import { posix } from 'node:path';

export type PublishedTree = { /** Path below dist. */ readonly file: string; readonly text: string };

/** A quoted path of a module: `./x.ts`, `#folder/x.ts`, or the end of a template literal, `${folder}/x.ts`. */
const QUOTED = /(?<=(['"`]))(#|\.{1,2}\/|(?=\w))([\w./-]+)\.ts(?=\1)|(?<=\})\/([\w./-]+)\.ts(?=`)/g;

/** The packages of the workspace whose modules others import by `#name/`. */
const OTHERS = /^(console|extract|sites)\//;

/**
 * Converts the modules of a package to JavaScript for publishing; both maps are by path below src. Types are replaced by
 * blanks, so that lines and columns stay. `.ts` paths become `.js` paths: relative within the package, and exported names
 * for other packages. Throws if a module would still refer to a TypeScript file, because Node strips no types below
 * node_modules.
 */
export function toPublishedTree(
  name: string,
  sources: ReadonlyMap<string, string>,
): ReadonlyMap<string, PublishedTree> {
  const tree = new Map<string, PublishedTree>();
  for (const [file, source] of sources) {
    const text = toPublishedPaths(name, file, {
      text: stripTypeScriptTypes(source),
      isModule: (path) => sources.has(path),
    });
    const left = /(?:from|import)\s*\(?\s*['"]([^'"]+\.ts|#[^'"]+)['"]/.exec(text);
    if (left !== null) throw new Error(`${file} imports ${left[1]}, which is not below src`);
    tree.set(file, { file: file.replace(/\.ts$/, '.js'), text });
  }
  return tree;
}

type PublishedText = {
  readonly text: string;
  /** Whether a path below src is a module. */ readonly isModule: (path: string) => boolean;
};

/** Replaces the paths of TypeScript modules in a module or declaration by those of published modules. */
export function toPublishedPaths(name: string, file: string, { text, isModule }: PublishedText): string {
  return text.replaceAll(QUOTED, (whole, _quote, mark, path, tail) => {
    const other = mark === '#' ? OTHERS.exec(path)?.[1] : undefined;
    if (other !== undefined && other !== name) return `@quern/${other}/internal${path.slice(other.length)}.js`;
    const target = findTarget(file, { mark, path: other === undefined ? path : path.slice(other.length + 1), tail });
    if (!isModule(target)) return whole;
    if (mark !== '#') return whole.replace(/\.ts$/, '.js');
    const relative = posix.relative(posix.dirname(file), target).replace(/\.ts$/, '.js');
    return relative.startsWith('.') ? relative : `./${relative}`;
  });
}

function findTarget(
  file: string,
  named: { readonly mark?: string; readonly path?: string; readonly tail?: string },
): string {
  if (named.mark === '#') return `${named.path ?? ''}.ts`;
  return posix.join(posix.dirname(file), named.mark ?? '', `${named.path ?? named.tail ?? ''}.ts`);
}
