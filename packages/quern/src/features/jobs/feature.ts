import type { Cursors } from '#engine/call/cursor.ts';
import type { Feature } from '#engine/call/feature.ts';
import { type BoundControl, bindRawControl, bindControl } from '#engine/call/bound-operation.ts';
import { type Operation, toReply } from '#engine/call/operation.ts';
import type { JobGate } from '#engine/call/steps/queue.ts';
import { createFollower, type JobSnapshot, DEFAULT_PACE, buildLiveCrawls } from './follow-job.ts';
import type { Notifications } from '#engine/jobs/job-notifications.ts';
import type { Jobs } from '#engine/jobs/jobs.ts';
import { type Artifacts, createExpiredError } from '#engine/results/artifacts.ts';
import type { ResultReader } from '#engine/results/result-reader.ts';
import type { DeliveryLog } from '#features/webhooks/delivery-log.ts';
import type { Webhooks } from '#features/webhooks/webhooks.ts';
import { CRAWL_EVENTS } from '#features/webhooks/schema.ts';
import { PAGE_LIST_KINDS } from '#features/crawl/frontier/page-list.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#store/db.ts';
import {
  showArtifact,
  FILE_EXTENSIONS,
  cancelJob,
  listJobDeliveries,
  showJobPage,
  showJobResult,
  listJobs as listJobsOperation,
  showJob,
  submitJob,
} from './operations.ts';
import {
  assertArchive,
  streamArchive,
  openExport,
  openLines,
  readElement,
  readPartialResult,
  readResult,
  readShortResult,
} from './results.ts';
import { CHUNK_FORMATS, isExportFormat } from './exports/exports.ts';
import { readListPage } from '#features/schema/lists.ts';
import { listDeliveries } from '#features/webhooks/delivery-list.ts';
import { bindCrawlPages } from './crawl-pages.ts';
import { buildJobViews, type JobViews, JobView } from './job-view.ts';
import { followJob } from './page-operations.ts';

const RETRY_AFTER_SECONDS = 2;
const LATEST = 8_640_000_000_000_000;

export type JobsParts = {
  readonly db: Db;
  readonly clock: Clock;
  readonly jobs: Jobs;
  readonly notifications: Notifications;
  readonly queueing: Pick<JobGate, 'submit'>;
  readonly results: ResultReader;
  readonly artifacts: Pick<Artifacts, 'find'>;
  readonly cursors: Cursors;
  readonly webhooks: Pick<Webhooks, 'checkInput' | 'saveWebhook' | 'findWebhook' | 'findWebhooks'>;
  readonly deliveries: DeliveryLog;
  /** All operations. */
  readonly operations: readonly Operation[];
  /** The version of this service. */
  readonly version: string;
};

/** The feature that submits jobs and returns their state and results. */
export function buildJobsFeature(parts: JobsParts): Feature {
  const { jobs, notifications, cursors, deliveries } = parts;
  const views = buildJobViews(parts);
  const live = buildLiveCrawls({ ...parts, views });
  const following = createFollower({ jobs: live, notifications, pace: DEFAULT_PACE, clock: parts.clock });
  return {
    operations: [
      bindSubmit(parts),
      bindList(views, cursors),
      bindShow(views, parts),
      bindResult(views, parts),
      ...bindCrawlPages(parts, views),
      bindControl(showJobPage, async ({ id, place = null, url = null }, { caller, signal }) => {
        const view = await views.read(caller.tenant, id);
        if (view.record.status === 'expired') throw createNoResultError(view.record);
        return readElement(view, { ...parts, caller }, { place, url, signal });
      }),
      bindRawControl(cancelJob, async ({ id }, { caller }) => {
        const cancelled = await jobs.cancel(caller, id);
        if (cancelled.was === 'ended') return { status: 204, headers: {}, body: null, stream: null };
        return toReply(cancelled.was === 'queued' ? 200 : 202, cancelled.record);
      }),
      bindRawControl(followJob, async ({ id }, { caller, signal, lastEventId: seen }) => {
        const snapshots = await following.follow({ tenant: caller.tenant, id, seen, signal });
        const stream = { type: 'text/event-stream', pieces: toEvents(snapshots) } as const;
        return { status: 200, headers: {}, body: null, stream };
      }),
      bindControl(listJobDeliveries, async (page, { caller }) => {
        await jobs.read(caller.tenant, page.id);
        return listDeliveries(page, { operation: 'jobs.deliveries', tenant: caller.tenant, cursors, deliveries });
      }),
      bindArtifact(parts),
    ],
  };
}

function bindSubmit({ queueing, webhooks }: JobsParts): BoundControl {
  return bindRawControl(submitJob, async ({ kind, input, max_credits: maxCredits = null, webhook = null }, call) => {
    const draft = webhook === null ? null : webhooks.checkInput(webhook);
    assertHasEvents(kind, draft?.events ?? []);
    const { tenant } = call.caller;
    const reply = await queueing.submit(
      {
        kind,
        input,
        maxCredits,
        notify: draft !== null,
        add: async (tx, { id }) =>
          draft === null ? {} : { webhook: await webhooks.saveWebhook(tx, { tenant, id }, draft) },
      },
      call,
    );
    return { ...reply, body: JobView.parse(reply.body) };
  });
}

/** Refuses events of crawls for a job that is none. */
function assertHasEvents(kind: string, events: readonly string[]): void {
  const wrong = CRAWL_EVENTS.filter((event) => events.includes(event));
  if (wrong.length === 0 || PAGE_LIST_KINDS.has(kind)) return;
  const kinds = [...PAGE_LIST_KINDS].join(' and ');
  throw new ServiceError('invalid_request', `webhook.events: ${wrong.join(', ')}: only jobs of ${kinds} send it`);
}

function bindList(views: JobViews, cursors: Cursors): BoundControl {
  return bindControl(listJobsOperation, async ({ kind, status, from, to, limit, cursor }, { caller }) => {
    const scope = { tenant: caller.tenant, operation: 'jobs', filters: { kind, status, from, to } };
    const filter = { tenant: caller.tenant, from: from ?? 0, to: to ?? LATEST };
    return readListPage({
      limit,
      after: cursors.read(scope, cursor ?? null),
      load: async (after, most) =>
        views.list({ ...filter, kind: kind ?? null, status: status ?? null, after, limit: most }),
      getPosition: ({ id }) => id,
      writeCursor: (last) => cursors.write(scope, last),
    });
  });
}

function bindShow(views: JobViews, parts: JobsParts): BoundControl {
  return bindControl(showJob, async ({ id, wait_ms: ms }, { caller, signal }) => {
    const view = await views.waitForEnd(caller.tenant, id, { ms, signal });
    const { record } = view;
    if (record.status !== 'completed') return record;
    const result = await readShortResult(view, { ...parts, caller }).catch(ignoreExpired);
    return result === null ? record : { ...record, result: { ...result } };
  });
}

function bindResult(views: JobViews, parts: JobsParts): BoundControl {
  return bindRawControl(
    showJobResult,
    async ({ id, partial, format, rows, limit = null, cursor = null, outline }, { caller }) => {
      const view = await views.read(caller.tenant, id);
      const context = { ...parts, caller };
      const { status } = view.record;
      if (format === 'warc') assertArchive(view);
      if (status !== 'completed' && (status === 'expired' || !partial)) throw createNoResultError(view.record);
      if (rows === 'chunks' && !CHUNK_FORMATS.has(format))
        throw new ServiceError('invalid_request', 'rows: chunks needs format jsonl, csv or parquet');
      const pages = { limit, cursor, outline };
      if (format === 'jsonl') {
        return { status: 200, headers: {}, body: null, stream: await openLines(view, context, { rows, pages }) };
      }
      if (format === 'warc') return streamArchive(view, context, pages);
      if (isExportFormat(format)) return openExport(view, context, { format, rows, pages });
      const read = status === 'completed' ? readResult : readPartialResult;
      return toReply(200, await read(view, context, pages));
    },
  );
}

function bindArtifact({ artifacts }: JobsParts): BoundControl {
  return bindRawControl(showArtifact, async ({ id }, { caller }) => {
    const { contentType, bytes, pieces } = await artifacts.find(caller.tenant, id);
    return {
      status: 200,
      headers: {
        'content-disposition': `attachment; filename="${id}.${FILE_EXTENSIONS[contentType]}"`,
        'content-length': String(bytes),
      },
      body: null,
      stream: { type: contentType, pieces },
    };
  });
}

async function* toEvents(snapshots: AsyncIterable<JobSnapshot | null>): AsyncGenerator<string, void> {
  for await (const snapshot of snapshots) {
    if (snapshot === null) yield ': still there\n\n';
    else yield `event: ${snapshot.isOver ? 'end' : 'progress'}\nid: ${snapshot.version}\ndata: ${snapshot.text}\n\n`;
  }
}

/** A result that expires meanwhile is treated as expired. */
function ignoreExpired(error: unknown): null {
  if (error instanceof ServiceError && error.code === 'result_expired') return null;
  throw error;
}

function createNoResultError({ id, status, error, evicted_for: why }: JobView): ServiceError {
  switch (status) {
    case 'failed':
      return new ServiceError('job_failed', `${error?.code ?? 'internal_error'}: ${error?.message ?? ''}`);
    case 'cancelled':
      return new ServiceError('job_cancelled', `${id} was cancelled and has no result`);
    case 'queued':
    case 'running':
      return new ServiceError('job_not_finished', `${id} is ${status}; retry later, or wait with wait_ms`, {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    default:
      return createExpiredError('result', id, why ?? null);
  }
}
