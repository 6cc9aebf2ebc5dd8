import { z } from 'zod';
import { toWarcinfo } from '#features/crawl/archive/warc.ts';
import type { Found } from '#engine/jobs/jobs.ts';
import type { Reply } from '#engine/call/operation.ts';
import type { ResultReader } from '#engine/results/result-reader.ts';
import { ServiceError } from '#kernel/errors.ts';
import { toUuid } from '#kernel/ids.ts';
import { goOn, type Pages, refuseParts } from './results.ts';

/** The part of a crawl's input that is about its archive. */
const Archived = z.looseObject({ archive: z.literal(true), respect_robots: z.boolean().default(true) });

/** Refuses the archive of a job that keeps none, in whatever state it is. */
export function demandArchive({ record: { id, kind, input } }: Found): void {
  // Of an expired job only that is known.
  if (input === null || (kind === 'crawl' && Archived.safeParse(input).success)) return;
  throw new ServiceError('archive_not_kept', `${id} keeps no archive: submit a crawl with archive: true`);
}

/** The archive of a crawl, as far as it was committed now. */
export async function streamArchive(
  { record, archived }: Found,
  { results, version }: { readonly results: ResultReader; readonly version: string },
  pages: Pages,
): Promise<Reply> {
  refuseParts('warc is the whole archive', pages);
  const { id } = record;
  const records = results.archive({ jobId: id, archived });
  const first = await records.next();
  const warcinfo = await toWarcinfo({
    uuid: toUuid(id),
    at: Date.parse(record.created_at),
    version,
    jobId: id,
    robots: Archived.parse(record.input).respect_robots ? 'obey' : 'ignore',
  });
  return {
    status: 200,
    headers: { 'content-disposition': `attachment; filename="${id}.warc.gz"` },
    body: null,
    stream: { type: 'application/warc', pieces: after(warcinfo, goOn(first, records)) },
  };
}

async function* after(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}
