import { InvariantError } from '#extract/invariant-error.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { getServedPath } from './unknown-routes.ts';

type Step = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** What answers the requests of one path: the hooks before the body is read, in order, and the handler. */
export type SharedTarget = { readonly onRequest: readonly Step[]; readonly handler: Step };

type SharedRoute<Target> = {
  /** The path before all others, with `*` at its end. */
  readonly wildcard: string;
  /** What each path stands for. */
  readonly targets: ReadonlyMap<string, Target>;
  readonly create: (target: Target) => SharedTarget;
};

/**
 * Serves GET requests of many fixed paths by one route, each prepared at its first request. A route for each path takes a
 * third of a millisecond of every start, and most paths are never asked for. No other path below the wildcard is served.
 */
export function addSharedRoute<Target>(server: FastifyInstance, shared: SharedRoute<Target>): void {
  const { wildcard, targets, create } = shared;
  const created = new Map<string, SharedTarget>();

  function find(request: FastifyRequest): SharedTarget {
    const path = getServedPath(request);
    const known = created.get(path);
    if (known !== undefined) return known;
    const target = targets.get(path);
    if (target === undefined) throw new InvariantError('a path that is not served came to its route');
    const made = create(target);
    created.set(path, made);
    return made;
  }

  server.route({
    method: 'GET',
    url: wildcard,
    exposeHeadRoute: false,
    config: { paths: new Set(targets.keys()) },
    async onRequest(request, reply) {
      for (const step of find(request).onRequest) await step(request, reply);
    },
    handler: async (request, reply) => find(request).handler(request, reply),
  });
}
