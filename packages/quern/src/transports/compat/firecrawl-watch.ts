import type { JsonObject } from '#extract/values/json-object.ts';
import { toDocument } from './firecrawl-document.ts';
import { describeState, isRead, listPages, readJob, toDocumentFacts } from './firecrawl-jobs.ts';
import type { CompatRequest, SendMessage } from './interface.ts';

/** How long one look at a running job waits for its end, ms. New pages are sent as often. */
const LOOK_MS = 1000;

/** The place up to which the pages of a job have been sent: a part of its result, and the pages of that part. */
type ReadingPlace = { cursor: string | null; sent: number };

/**
 * Sends the pages of a job over a WebSocket: first those that are there, as `catchup`, then each further one as
 * `document`, and `done` at the end.
 */
export async function watchJob(request: CompatRequest, send: SendMessage): Promise<void> {
  const place: ReadingPlace = { cursor: null, sent: 0 };
  const first = await readJob(request);
  const facts = toDocumentFacts(first, request);
  const early: JsonObject[] = [];
  for await (const page of readNewPages(request, first.id, place)) early.push(toDocument(page, facts));
  await send({ type: 'catchup', data: { success: true, ...describeState(first), data: early } });
  for (let isOver = false; !isOver;) {
    const job = await readJob(request, LOOK_MS);
    isOver = job.status !== 'queued' && job.status !== 'running';
    for await (const page of readNewPages(request, job.id, place))
      await send({ type: 'document', data: toDocument(page, facts) });
    if (job.status === 'failed') await send({ type: 'error', error: job.error?.message ?? 'the job failed' });
    else if (isOver) await send({ type: 'done', data: { ...describeState(job), data: [] } });
  }
}

/** Reads the pages after a place, and moves the place. The result of a running job always has a next part, if empty. */
async function* readNewPages({ run }: CompatRequest, id: string, place: ReadingPlace): AsyncGenerator<JsonObject> {
  for (;;) {
    const part = place.cursor === null ? {} : { cursor: place.cursor };
    const { body } = await run('jobs.result', { id, partial: true, limit: 100, ...part });
    const pages = listPages(body);
    for (const page of pages.slice(place.sent)) {
      place.sent += 1;
      if (isRead(page)) yield page;
    }
    const next = body['next_cursor'];
    if (typeof next !== 'string' || pages.length === 0) return;
    place.cursor = next;
    place.sent = 0;
  }
}
