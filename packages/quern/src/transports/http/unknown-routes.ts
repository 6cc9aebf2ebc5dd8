import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '#kernel/errors.ts';

type Pattern = { readonly segments: readonly string[]; readonly methods: ReadonlySet<string> };

/** Answers what no route serves before its body is read: 405 with `Allow`, an OPTIONS, or 404. Add before the routes. */
export function addUnrouted(server: FastifyInstance): void {
  const patterns = new Map<string, Pattern>();
  server.addHook('onRoute', ({ method, url }) => {
    const methods = new Set([...(patterns.get(url)?.methods ?? []), ...[method].flat()]);
    if (url !== '*') patterns.set(url, { segments: url.split('/'), methods });
  });
  server.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) {
      done();
      return;
    }
    const methods = findMethods([...patterns.values()], requestPathOf(request));
    if (methods.length > 0) reply.header('allow', [...methods, 'OPTIONS'].join(', '));
    if (methods.length > 0 && request.method === 'OPTIONS') reply.status(204).send();
    else done(methods.length === 0 ? unknownRoute() : wrongMethod(methods));
  });
}

function wrongMethod(methods: readonly string[]): ServiceError {
  return new ServiceError('method_not_allowed', `this path serves ${methods.join(', ')}`);
}

/** The error of an unknown path. */
export function unknownRoute(): ServiceError {
  return new ServiceError('not_found', 'nothing is served under this path; /docs lists what there is');
}

/** The path of a request, still percent-encoded, without its query. */
export function requestPathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '';
}

function findMethods(patterns: readonly Pattern[], path: string): readonly string[] {
  const segments = path.split('/');
  const methods = patterns.filter((pattern) => isMatch(pattern.segments, segments)).flatMap((one) => [...one.methods]);
  return [...new Set(methods)].toSorted();
}

function isMatch(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, at) => (part.startsWith(':') ? segments[at] !== '' : part === segments[at]))
  );
}
