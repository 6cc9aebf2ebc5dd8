import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { FileLinks, LinkedFile } from '#engine/results/file-links.ts';
import { InvariantError } from '#extract/invariant-error.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { showArtifact } from '#features/jobs/operations.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Exchanges } from './exchange.ts';
import type { ServerParts } from './server-parts.ts';

type FileParts = Pick<ServerParts, 'operations' | 'perform' | 'clock'> & {
  readonly compat: NonNullable<ServerParts['compat']>;
  readonly exchanges: Exchanges;
};

/** How long the link to a file works. */
const FILE_LINK_MS = 86_400_000;

/** Builds the path of a link to a file that works without a key for a day. `now` is in ms since 1970. */
export function toFilePath(
  links: FileLinks,
  { tenant, id, now }: Omit<LinkedFile, 'until'> & { readonly now: number },
): string {
  return `/files/${links.write({ tenant, id, until: now + FILE_LINK_MS })}`;
}

/** Adds the route that sends the files of signed links, for browsers and tools that have no key. */
export function addFileRoute(
  server: FastifyInstance,
  { operations, perform, exchanges, compat, clock }: FileParts,
): void {
  server.get('/files/:token', async (request, reply) => {
    const params: unknown = request.params;
    const token = isJsonObject(params) ? String(params['token']) : '';
    const file = compat.fileLinks.read(token);
    if (file === null || file.until < clock.now())
      throw new ServiceError('not_found', 'the link to the file is wrong or has expired');
    const operation = operations.find(({ id }) => id === showArtifact.id);
    if (operation === undefined) throw new InvariantError('there is no operation that sends files');
    const call = {
      caller: await compat.findTenant(file.tenant),
      requestId: request.id,
      signal: exchanges.get(request).gone.signal,
      idempotencyKey: null,
      lastEventId: null,
      lease: null,
    };
    const { stream } = await perform(operation, { id: file.id }, call);
    if (stream === null) throw new InvariantError('an artifact is sent as a stream');
    return reply.type(stream.type).send(Readable.from(stream.pieces, { objectMode: false }));
  });
}
