import { ServiceError } from '#kernel/errors.ts';

/** A route and the values of `{name}` in its path. */
export type FoundRoute<R> = { readonly route: R; readonly params: Readonly<Record<string, string>> };

/**
 * Finds the route of a method and a path. `{name}` stands for one part, `{name*}` at the end for all further parts as they
 * were sent, and the method `ANY` for every method.
 * Throws `not_found`, or `method_not_allowed` if the path has routes for other methods.
 */
export function findRoute<R extends { readonly route: string }>(
  routes: readonly R[],
  method: string,
  path: string,
): FoundRoute<R> {
  const others: string[] = [];
  for (const route of routes) {
    const [own = '', pattern = ''] = route.route.split(' ');
    const match = toPattern(pattern).exec(path);
    if (match === null) continue;
    if (own === method || own === 'ANY') return { route, params: decodeParams(match.groups ?? {}) };
    others.push(own);
  }
  if (others.length > 0) throw new ServiceError('method_not_allowed', `this path serves ${others.join(', ')}`);
  throw new ServiceError('not_found', 'this interface has no such path; see the guide of the interface');
}

/** The expressions of the paths that were asked for. */
const patterns = new Map<string, RegExp>();

function toPattern(path: string): RegExp {
  const known = patterns.get(path);
  if (known !== undefined) return known;
  const parts = path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)').replace(/\{(\w+)\*\}$/, '(?<$1_rest>.+)');
  const made = new RegExp(`^${parts}/*$`);
  patterns.set(path, made);
  return made;
}

/** Decodes the values of single parts. */
function decodeParams(groups: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  try {
    return Object.fromEntries(
      Object.entries(groups).map(([name, text]) =>
        name.endsWith('_rest') ? [name.slice(0, -'_rest'.length), text] : [name, decodeURIComponent(text)],
      ),
    );
  } catch {
    throw new ServiceError('invalid_request', 'the path is malformed: check its percent escapes');
  }
}
