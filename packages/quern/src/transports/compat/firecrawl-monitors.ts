import { z } from 'zod';
import { buildInputChecker } from '#engine/call/validation.ts';
import { ChangeRecord, MonitorRecord, RunRecord } from '#features/monitors/store/monitor-record.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { ServiceError } from '#kernel/errors.ts';
import { toUuid } from '#kernel/ids.ts';
import { dropUnset } from './body.ts';
import { readUuid } from './firecrawl-jobs.ts';
import { type CompatReply, type CompatRequest, type CompatRoute, replyJson } from './interface.ts';

const Webhook = z.strictObject({
  url: z.string().min(1),
  headers: z.record(z.string(), z.string()).optional(),
});
const Schedule = z
  .strictObject({ cron: z.string().optional(), text: z.string().optional(), timezone: z.string().optional() })
  .refine(({ cron, text }) => (cron === undefined) !== (text === undefined), 'send either cron or text');
/** Only what a monitor can honour: an unknown option of a target would change what is compared. */
const Target = z.strictObject({
  id: z.string().optional(),
  type: z.literal('scrape', { error: 'only scrape targets are served' }),
  urls: z.array(z.string()).length(1, 'a monitor watches one URL; create one for each'),
  scrapeOptions: z
    .strictObject({
      formats: z.array(z.union([z.literal('markdown'), z.strictObject({ type: z.literal('markdown') })])).optional(),
      excludeTags: z.array(z.string()).optional(),
    })
    .optional(),
});
const DEFINITION = {
  name: z.string().min(1),
  schedule: Schedule,
  webhook: Webhook.nullish(),
  targets: z.array(Target).length(1, 'a monitor has one target; create one for each'),
  notification: z.null({ error: 'email is not sent; use webhook' }).optional(),
  origin: z.string().optional(),
  integration: z.string().optional(),
};

const checkNew = buildInputChecker({ input: z.strictObject(DEFINITION) });
const checkChange = buildInputChecker({
  input: z.strictObject({ ...DEFINITION, status: z.enum(['active', 'paused']) }).partial(),
});

type Change = ReturnType<typeof checkChange>['input'];

/** Converts the given members of a definition. */
function toMonitorInput({ name, schedule, targets, webhook, status }: Change): JsonObject {
  const [target] = targets ?? [];
  const content = { of: 'markdown', ignore_selectors: target?.scrapeOptions?.excludeTags ?? [] };
  return dropUnset({
    name,
    cron: schedule?.cron ?? schedule?.text,
    timezone: schedule?.timezone,
    url: target?.urls[0],
    watch: target === undefined ? undefined : { mode: 'content', content },
    webhook,
    active: status === undefined ? undefined : status === 'active',
  });
}

/** Shows a monitor. Those of other modes and kinds, which were made elsewhere, show the page or name that they have. */
function toTheirMonitor(body: unknown): JsonObject {
  const monitor = MonitorRecord.loose().parse(body);
  const { webhook } = monitor;
  return {
    id: toUuid(monitor.id),
    name: monitor.name,
    status: monitor.active ? 'active' : 'paused',
    schedule: { cron: monitor.cron ?? undefined, timezone: monitor.timezone },
    nextRunAt: monitor.next_run_at,
    lastRunAt: monitor.last_run_at,
    currentCheckId: monitor.current_run_id === null ? null : toUuid(monitor.current_run_id),
    targets: listTargets(monitor),
    webhook: webhook ?? null,
    notification: null,
    retentionDays: HISTORY_DAYS,
    estimatedCreditsPerMonth: monitor.estimated_credits_per_month,
    createdAt: monitor.created_at,
    updatedAt: monitor.updated_at,
  };
}

function listTargets({ id, url, watch }: z.output<typeof MonitorRecord>): readonly JsonObject[] {
  if (url === undefined) return [];
  const { content } = watch;
  const excluded = isJsonObject(content) ? content['ignore_selectors'] : [];
  const isPlain = !Array.isArray(excluded) || excluded.length === 0;
  const options = isPlain ? {} : { scrapeOptions: { excludeTags: excluded } };
  return [{ id: toUuid(id), type: 'scrape', urls: [url], ...options }];
}

/** How long runs and changes are kept, days. */
const HISTORY_DAYS = 90;

type Run = z.output<typeof RunRecord>;

const SKIPS: Readonly<Record<string, string>> = {
  overlap: 'skipped_overlap',
  credits_exhausted: 'skipped_no_credits',
  daily_cap: 'skipped_no_credits',
};

const NO_PAGES = { totalPages: 0, same: 0, changed: 0, new: 0, removed: 0, error: 0 };

function toCheck(run: Run): JsonObject {
  const status = toPageStatus(run);
  return {
    id: toUuid(run.id),
    monitorId: toUuid(run.monitor_id),
    status: toCheckStatus(run),
    trigger: run.trigger === 'manual' ? 'manual' : 'scheduled',
    scheduledFor: run.scheduled_for,
    startedAt: run.started_at,
    finishedAt: run.finished_at,
    actualCredits: run.usage?.credits ?? 0,
    billingStatus: run.usage === null ? 'not_applicable' : 'confirmed',
    summary: status === null ? NO_PAGES : { ...NO_PAGES, totalPages: 1, [status]: 1 },
    error: run.error?.message ?? null,
    createdAt: run.queued_at,
    updatedAt: run.finished_at ?? run.started_at ?? run.queued_at,
  };
}

function toCheckStatus({ status, skipped_reason: reason }: Run): string {
  if (status === 'skipped') return SKIPS[reason ?? ''] ?? 'failed';
  return status === 'cancelled' ? 'failed' : status;
}

/** The state of the page of a run; null before its end, and if it was skipped. */
function toPageStatus({ status, changed, first_run: isFirst }: Run): string | null {
  if (status === 'failed' || status === 'cancelled') return 'error';
  if (status !== 'completed' && status !== 'partial') return null;
  if (isFirst) return 'new';
  return changed ? 'changed' : 'same';
}

function readId({ params }: CompatRequest): string {
  return readUuid(params['id'], 'mon');
}

const checkQuery = buildInputChecker({
  input: z.looseObject({
    limit: z.coerce.number().int().min(1).max(100).default(20),
    offset: z.coerce.number().int().min(0).max(1000).default(0),
  }),
});
const List = z.object({ data: z.array(z.unknown()), next_cursor: z.string().nullable() });

/** Reads the rows of a list one by one. */
async function* listRows({ run }: CompatRequest, id: string, input: JsonObject): AsyncGenerator {
  for (let cursor: string | null | undefined; cursor !== null;) {
    const list = List.parse((await run(id, { ...input, limit: 100, cursor })).body);
    yield* list.data;
    cursor = list.next_cursor;
  }
}

/** Reads the part of a list that the query asks for. */
async function readPart(request: CompatRequest, id: string, input: JsonObject): Promise<readonly unknown[]> {
  const { limit, offset } = checkQuery(Object.fromEntries(request.query)).input;
  const rows: unknown[] = [];
  for await (const row of listRows(request, id, input)) {
    rows.push(row);
    if (rows.length === offset + limit) break;
  }
  return rows.slice(offset);
}

function reply(data: unknown): CompatReply {
  return replyJson({ success: true, data });
}

/** Replies with a monitor that was written, and tells the owner of a webhook what it receives. */
function replyWritten(monitor: unknown, { webhook }: JsonObject): CompatReply {
  const data = toTheirMonitor(monitor);
  if (!webhook) return reply(data);
  return replyJson({ success: true, data, warning: 'webhook: receives the events of monitors in the form of Quern' });
}

async function createMonitor(request: CompatRequest): Promise<CompatReply> {
  const input = toMonitorInput(checkNew(request.body).input);
  const key = request.headers['x-idempotency-key'] ?? null;
  return replyWritten((await request.run('monitors.create', input, key)).body, input);
}

async function updateMonitor(request: CompatRequest): Promise<CompatReply> {
  const input = toMonitorInput(checkChange(request.body).input);
  return replyWritten((await request.run('monitors.update', { id: readId(request), ...input })).body, input);
}

/** Looks for a run by its id among those of the monitor, newest first. */
async function findRun(request: CompatRequest, runId: string): Promise<Run> {
  for await (const row of listRows(request, 'monitors.runs', { id: readId(request) }))
    if (isJsonObject(row) && row['id'] === runId) return RunRecord.parse(row);
  throw new ServiceError('not_found', 'there is no check with this id');
}

async function runMonitor(request: CompatRequest): Promise<CompatReply> {
  const { body } = await request.run('monitors.trigger', { id: readId(request) });
  return reply(toCheck(await findRun(request, String(body['run_id']))));
}

async function showCheck(request: CompatRequest): Promise<CompatReply> {
  const id = readId(request);
  const { body } = await request.run('monitors.show', { id });
  const monitor = MonitorRecord.loose().parse(body);
  const run = await findRun(request, readUuid(request.params['check'], 'run'));
  const status = toPageStatus(run);
  const wanted = request.query.get('status');
  const isShown = status !== null && (wanted === null || wanted === status);
  const page = {
    id: toUuid(run.id),
    targetId: toUuid(id),
    url: run.final_url ?? monitor.url ?? monitor.name,
    status,
    statusCode: run.http_status,
    error: run.error?.message ?? null,
    diff: run.changed ? await readDiff(request, run) : null,
    createdAt: run.finished_at ?? run.queued_at,
  };
  return reply({ ...toCheck(run), pages: isShown ? [page] : [], next: null });
}

/** The difference of a run that found a change, as text; null if it is too old or compares no text. */
async function readDiff(request: CompatRequest, run: Run): Promise<JsonObject | null> {
  for await (const row of listRows(request, 'monitors.changes', { id: run.monitor_id })) {
    const { id, content } = ChangeRecord.parse(row);
    if (id === run.change_id) return content?.unified_diff === undefined ? null : { text: content.unified_diff };
  }
  return null;
}

async function listMonitors(request: CompatRequest): Promise<CompatReply> {
  return reply((await readPart(request, 'monitors.list', {})).map(toTheirMonitor));
}

async function showMonitor(request: CompatRequest): Promise<CompatReply> {
  return reply(toTheirMonitor((await request.run('monitors.show', { id: readId(request) })).body));
}

async function deleteMonitor(request: CompatRequest): Promise<CompatReply> {
  await request.run('monitors.delete', { id: readId(request) });
  return replyJson({ success: true });
}

async function listChecks(request: CompatRequest): Promise<CompatReply> {
  const rows = await readPart(request, 'monitors.runs', { id: readId(request) });
  return reply(rows.map((row) => toCheck(RunRecord.parse(row))));
}

/** The routes of monitors. */
export const MONITOR_ROUTES: readonly CompatRoute[] = [
  { route: 'POST /v2/monitor', answer: createMonitor },
  { route: 'GET /v2/monitor', answer: listMonitors },
  { route: 'GET /v2/monitor/{id}', answer: showMonitor },
  { route: 'PATCH /v2/monitor/{id}', answer: updateMonitor },
  { route: 'DELETE /v2/monitor/{id}', answer: deleteMonitor },
  { route: 'POST /v2/monitor/{id}/run', answer: runMonitor },
  { route: 'GET /v2/monitor/{id}/checks', answer: listChecks },
  { route: 'GET /v2/monitor/{id}/checks/{check}', answer: showCheck },
];
