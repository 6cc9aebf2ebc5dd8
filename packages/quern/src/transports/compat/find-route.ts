import { ServiceError } from '#kernel/errors.ts';

/** A route and the values of `{name}` in its path. */
export type FoundRoute<R> = { readonly route: R; readonly params: Readonly<Record<string, string>> };

/**
 * Finds the route of a method and a path; `{name}` stands for one part, `{name*}` at the end for all further parts as they
 * were sent.
 * Throws `not_found`, or `method_not_allowed` if the path has routes for other methods.
 */
export function findRoute<R extends { readonly route: string }>(
  routes: readonly R[],
  method: string,
  path: string,
): FoundRoute<R> {
  const parts = path.split('/');
  const others: string[] = [];
  for (const route of routes) {
    const [own = '', pattern = ''] = route.route.split(' ');
    const params = matchPath(trimEnd(pattern).split('/'), parts);
    if (params !== null && own === method) return { route, params };
    if (params !== null) others.push(own);
  }
  if (others.length > 0) throw new ServiceError('method_not_allowed', `this path serves ${others.join(', ')}`);
  throw new ServiceError('not_found', 'this interface has no such path; see the guide of the interface');
}

function matchPath(pattern: readonly string[], parts: readonly string[]): Readonly<Record<string, string>> | null {
  const params: Record<string, string> = {};
  for (const [at, piece] of pattern.entries()) {
    const name = /^\{(\w+)(\*?)\}$/.exec(piece);
    const part = parts[at] ?? '';
    if (name === null && piece !== part) return null;
    if (name === null) continue;
    if (part === '') return null;
    if (name[2] === '*') return { ...params, [name[1] ?? '']: parts.slice(at).join('/') };
    params[name[1] ?? ''] = decodePart(part);
  }
  return pattern.length === trimEnd(parts.join('/')).split('/').length ? params : null;
}

function trimEnd(path: string): string {
  return path.replace(/\/+$/, '');
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new ServiceError('invalid_request', 'the path is malformed: check its percent escapes');
  }
}
