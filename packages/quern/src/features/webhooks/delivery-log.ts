import { z } from 'zod';
import type { Notifications } from '#engine/jobs/job-notifications.ts';
import { nameSchema } from '#extract/schema/names.ts';
import { type Clock, toTimestamp } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { newId } from '#kernel/ids.ts';
import { MAX_BATCH_ROWS, changeInBatches, toBatchResult, repeatUntilEmpty } from '#store/batches.ts';
import type { Db } from '#store/db.ts';
import { buildRowsTable } from '#store/dialect.ts';
import { readRow, readRows } from '#store/rows.ts';
import { DELIVERIES_TOPIC, enqueueTest } from './enqueue.ts';
import { buildEnvelope } from './envelope.ts';
import { MAX_ATTEMPTS } from './retry-policy.ts';
import { MAX_SHOWN_ATTEMPTS, TEST_EVENT } from './schema.ts';
import { buildNoWebhookError } from './webhooks.ts';

const COLUMNS = 'id, event_id, owner_id, type, url, status, attempts, round, due_at, created_at';
/** Builds the condition that hides expired deliveries, whether or not retention has deleted them. */
const isRetained = (since: string): string => `(created_at >= ${since} or status in ('pending', 'delivering'))`;
const LIST = `select ${COLUMNS} from deliveries where owner_id = $1 and tenant_id = $2 and id < $3 and ${isRetained('$4')}
  order by id desc limit $5`;
const LIST_ALL = `select ${COLUMNS} from deliveries where tenant_id = $1 and id < $2 and ${isRetained('$3')}`;
const FIND = `select ${COLUMNS} from deliveries where id = $1 and tenant_id = $2 and ${isRetained('$3')}`;
/** Counts tests among the latest deliveries of a webhook, in bounded time. */
const COUNT_TESTS = `select count(*) as n from (
  select type from deliveries where owner_id = $1 and id > $2 order by id desc limit 2000) as latest where type = $3`;
const HAS_WEBHOOK = 'select owner_id from webhooks where owner_id = $1 and tenant_id = $2';
const REDELIVER = `update deliveries set status = 'pending', round = 0, most = $4, due_at = $3,
    url = webhooks.url, endpoint = webhooks.endpoint, queue = webhooks.queue
  from webhooks where deliveries.id = $1 and deliveries.tenant_id = $2 and webhooks.owner_id = deliveries.owner_id
    and webhooks.disabled_at is null and deliveries.status <> 'delivering' returning deliveries.id as id`;

/** Finds exhausted deliveries whose webhooks are enabled. */
const FIND_EXHAUSTED = `select deliveries.id from deliveries join webhooks on webhooks.owner_id = deliveries.owner_id
  where deliveries.tenant_id = $1 and deliveries.status = 'exhausted' and deliveries.created_at >= $2
    and webhooks.disabled_at is null`;
const buildRedeliverAll = (ids: string): string => `update deliveries
  set status = 'pending', round = 0, most = $4, due_at = $3,
    url = webhooks.url, endpoint = webhooks.endpoint, queue = webhooks.queue
  from webhooks where webhooks.owner_id = deliveries.owner_id and deliveries.status = 'exhausted'
    and deliveries.id in (${ids} order by deliveries.id limit $5) returning deliveries.id as id`;
const BODY = 'select body from deliveries where id = $1 and tenant_id = $2';
/** Maximum number of deliveries that one call sends again, and that it counts as left. */
const MAX_REDELIVERED = 1000;
const MAX_COUNTED_LEFT = 10_000;

/** The SQL condition for each status that callers see. */
const STATUS_CONDITIONS: Readonly<Record<(typeof DELIVERY_STATUSES)[number], string>> = {
  pending: "status = 'pending' and round = 0",
  failed: "status = 'pending' and round > 0",
  delivering: "status = 'delivering'",
  succeeded: "status = 'succeeded'",
  exhausted: "status = 'exhausted'",
  suspended: "status = 'suspended'",
  cancelled: "status = 'cancelled'",
};

/** Maximum number of test events of one webhook per day. */
const MAX_TESTS_PER_DAY = 100;
const DAY_MS = 24 * 3600 * 1000;

export const DELIVERY_STATUSES = [
  'pending',
  'delivering',
  'succeeded',
  'failed',
  'exhausted',
  'suspended',
  'cancelled',
] as const;

const instant = z.iso.datetime();

/** A delivery as its tenant sees it. */
export const DeliveryRecord = nameSchema(
  'Delivery',
  z.object({
    id: z.string(),
    event_id: z.string().describe('The webhook-id of every attempt'),
    type: z.string(),
    monitor_id: z.string().optional(),
    job_id: z.string().optional(),
    url: z.string().describe('Query values are masked'),
    status: z
      .enum(DELIVERY_STATUSES)
      .describe('failed: will be retried; exhausted: will not be retried; suspended: the webhook is disabled'),
    attempts: z
      .array(
        z.object({
          n: z.int(),
          at: instant,
          duration_ms: z.int(),
          status_code: z.int().nullable(),
          error: z
            .string()
            .nullable()
            .describe('status, redirect, timeout, unreachable, tls_error or malformed; null when it succeeded'),
          response_excerpt: z.string().nullable().describe('Beginning of the response body without control characters'),
          next_attempt_at: instant.nullable(),
        }),
      )
      .readonly(),
    next_attempt_at: instant.nullable(),
    created_at: instant,
  }),
);

export type DeliveryRecord = z.output<typeof DeliveryRecord>;

const DeliveryRow = z.object({
  id: z.string(),
  event_id: z.string(),
  owner_id: z.string(),
  type: z.string(),
  url: z.string(),
  status: z.enum(['pending', 'delivering', 'succeeded', 'exhausted', 'suspended', 'cancelled']),
  attempts: z.number(),
  round: z.number(),
  due_at: z.number(),
  created_at: z.number(),
});
const AttemptRow = z.object({
  delivery_id: z.string(),
  n: z.number(),
  at: z.number(),
  duration_ms: z.number(),
  status_code: z.number().nullable(),
  error: z.string().nullable(),
  response_excerpt: z.string().nullable(),
  next_attempt_at: z.number().nullable(),
});
type AttemptRow = z.output<typeof AttemptRow>;

const CountRow = z.object({ n: z.number() });
const BodyRow = z.object({ body: z.string() });

/** Selects deliveries of a tenant's monitor or job, older than the delivery `after` (null for the newest). */
export type DeliveryFilter = {
  readonly tenant: string;
  readonly owner: string;
  readonly after: string | null;
  readonly limit: number;
};

/** Selects deliveries of a tenant, of one owner or of all (null). */
export type TenantDeliveryFilter = Omit<DeliveryFilter, 'owner'> & {
  readonly owner: string | null;
  readonly status: (typeof DELIVERY_STATUSES)[number] | null;
};

export type DeliveryLogParts = { readonly db: Db; readonly clock: Clock; readonly notifications: Notifications };

/** Deliveries as their tenants see them. Deliveries of other tenants are `not_found`. */
export class DeliveryLog {
  readonly #parts: DeliveryLogParts;
  readonly #findAttempts: string;

  constructor(parts: DeliveryLogParts) {
    this.#parts = parts;
    const ids = buildRowsTable(parts.db.kind, '$1', { name: 'b', columns: { delivery: 'text', earliest: 'bigint' } });
    this.#findAttempts = `select delivery_attempts.* from ${ids} join delivery_attempts
      on delivery_id = b.delivery and n > b.earliest order by n`;
  }

  async find(tenant: string, id: string): Promise<DeliveryRecord> {
    const row = readRow(DeliveryRow, await this.#parts.db.query(FIND, [id, tenant, this.#getOldestShown()]));
    const [record] = row === null ? [] : await this.#toRecords([row]);
    if (record === undefined) throw new ServiceError('not_found', `no delivery ${id}`);
    return record;
  }

  /** Lists deliveries of an owner, newest first; empty if the owner belongs to another tenant. */
  async list({ tenant, owner, after, limit }: DeliveryFilter): Promise<readonly DeliveryRecord[]> {
    const values = [owner, tenant, after ?? '~', this.#getOldestShown(), limit];
    return this.#toRecords(readRows(DeliveryRow, await this.#parts.db.query(LIST, values)));
  }

  /** Lists deliveries of a tenant, newest first. */
  async listAll({ tenant, owner, status, after, limit }: TenantDeliveryFilter): Promise<readonly DeliveryRecord[]> {
    const conditions = [
      LIST_ALL,
      ...(status === null ? [] : [STATUS_CONDITIONS[status]]),
      ...(owner === null ? [] : ['owner_id = $5']),
    ];
    const values = [tenant, after ?? '~', this.#getOldestShown(), limit, ...(owner === null ? [] : [owner])];
    const rows = await this.#parts.db.query(`${conditions.join(' and ')} order by id desc limit $4`, values);
    return this.#toRecords(readRows(DeliveryRow, rows));
  }

  /** Reads the body that is sent with each attempt. */
  async readBody(tenant: string, id: string): Promise<string> {
    return readRow(BodyRow, await this.#parts.db.query(BODY, [id, tenant]))?.body ?? '';
  }

  /** Retries all exhausted deliveries, of one owner or of all, at most a thousand. */
  async redeliverAll(tenant: string, owner: string | null) {
    const { db, clock, notifications } = this.#parts;
    const sql = owner === null ? FIND_EXHAUSTED : `${FIND_EXHAUSTED} and deliveries.owner_id = $6`;
    const last = owner === null ? [] : [owner];
    const values = [tenant, this.#getOldestShown(), clock.now(), MAX_ATTEMPTS, MAX_REDELIVERED, ...last];
    const begun = await db.query(buildRedeliverAll(sql), values);
    const counted = owner === null ? FIND_EXHAUSTED : `${FIND_EXHAUSTED} and deliveries.owner_id = $4`;
    const left = await db.query(`${counted} limit $3`, [tenant, this.#getOldestShown(), MAX_COUNTED_LEFT, ...last]);
    if (begun.length > 0) notifications.notify(DELIVERIES_TOPIC);
    return { redelivered: begun.length, left: left.length };
  }

  /** Restarts the attempts of a delivery, with the same event id. A delivery that is being sent is not changed. */
  async redeliver(tenant: string, id: string): Promise<DeliveryRecord> {
    const { db, clock, notifications } = this.#parts;
    const delivery = await this.find(tenant, id);
    if (delivery.status === 'delivering') return delivery;
    const begun = await db.query(REDELIVER, [id, tenant, clock.now(), MAX_ATTEMPTS]);
    const record = await this.find(tenant, id);
    if (begun.length === 0 && record.status !== 'delivering') {
      throw new ServiceError('invalid_request', `the webhook of ${id} is deleted or disabled: set it again first`);
    }
    notifications.notify(DELIVERIES_TOPIC);
    return record;
  }

  /** Sends a test event to the webhook of a tenant's monitor, with a single attempt. */
  async test(tenant: string, owner: string): Promise<DeliveryRecord> {
    const { db, clock, notifications } = this.#parts;
    const now = clock.now();
    await this.#assertCanTest(tenant, owner, now);
    const eventId = newId('evt', now);
    const about = { monitor_id: owner };
    const data = { message: 'This is a test of your webhook.' };
    const body = buildEnvelope({ id: eventId, type: TEST_EVENT, at: now, about, data, path: `/v1/monitors/${owner}` });
    const delivery = await db.transaction(async (tx) =>
      enqueueTest(tx, { eventId, type: TEST_EVENT, owner, body, now }),
    );
    if (delivery === null) {
      throw new ServiceError('invalid_request', `the webhook of ${owner} is disabled: set it again first`);
    }
    notifications.notify(DELIVERIES_TOPIC);
    return this.find(tenant, delivery);
  }

  /** Throws if the owner has no webhook, or has had too many tests today. */
  async #assertCanTest(tenant: string, owner: string, now: number): Promise<void> {
    const { db } = this.#parts;
    if ((await db.query(HAS_WEBHOOK, [owner, tenant])).length === 0) throw buildNoWebhookError(owner);
    const since = newId('dlv', now - DAY_MS);
    const tests = readRow(CountRow, await db.query(COUNT_TESTS, [owner, since, TEST_EVENT]))?.n ?? 0;
    if (tests < MAX_TESTS_PER_DAY) return;
    const message = `at most ${MAX_TESTS_PER_DAY} tests per day are sent to a webhook: try again later`;
    throw new ServiceError('rate_limited', message, { retryAfterSeconds: 3600 });
  }

  async #toRecords(rows: readonly z.output<typeof DeliveryRow>[]): Promise<readonly DeliveryRecord[]> {
    if (rows.length === 0) return [];
    const cells = rows.map(({ id, attempts }) => [id, attempts - MAX_SHOWN_ATTEMPTS]);
    const attempts = readRows(AttemptRow, await this.#parts.db.query(this.#findAttempts, [JSON.stringify(cells)]));
    const byDelivery = Map.groupBy(attempts, (one) => one.delivery_id);
    return rows.map((row) => toRecord(row, byDelivery.get(row.id) ?? []));
  }

  #getOldestShown(): number {
    return this.#parts.clock.now() - DELIVERY_RETENTION_MS;
  }
}

function toRecord(row: z.output<typeof DeliveryRow>, attempts: readonly AttemptRow[]): DeliveryRecord {
  const isWaiting = row.status === 'pending';
  return {
    id: row.id,
    event_id: row.event_id,
    type: row.type,
    ...(row.owner_id.startsWith('job_') ? { job_id: row.owner_id } : { monitor_id: row.owner_id }),
    url: row.url,
    status: isWaiting && row.round > 0 ? 'failed' : row.status,
    attempts: attempts.map(({ delivery_id: _delivery, at, next_attempt_at: next, ...attempt }) => ({
      ...attempt,
      at: toTimestamp(at),
      next_attempt_at: next === null ? null : toTimestamp(next),
    })),
    next_attempt_at: isWaiting ? toTimestamp(row.due_at) : null,
    created_at: toTimestamp(row.created_at),
  };
}

const EXPIRED = `select id from deliveries where created_at < $1 and status not in ('pending', 'delivering')
  order by created_at limit $2`;
/** Events of pages are many, and may contain the outputs of the pages. */
const EXPIRED_PAGES = EXPIRED.replace('where', "where type = 'crawl.page' and");
/** Deletes webhooks of ended jobs without deliveries in the log. */
const FORGET_WEBHOOKS = `delete from webhooks where owner_id in (
  select owner_id from webhooks where created_at < $1 and owner_id like 'job^_%' escape '^'
    and not exists (select 1 from jobs where jobs.id = webhooks.owner_id and status in ('queued', 'running'))
    and not exists (select 1 from deliveries where deliveries.owner_id = webhooks.owner_id)
  limit $2) returning owner_id`;

/** How long a delivery stays in the log. */
const DELIVERY_RETENTION_MS = 30 * DAY_MS;
const PAGE_RETENTION_MS = 3 * DAY_MS;

const IdRow = z.object({ id: z.string() });

/** Deletes deliveries after 30 days, those of pages of crawls after three. */
export function buildDeliveryRetention({ db, clock }: { readonly db: Db; readonly clock: Clock }) {
  const ids = buildRowsTable(db.kind, '$1', { name: 'b', columns: { delivery: 'text' } });
  const forgetAttempts = `delete from delivery_attempts where delivery_id in (select delivery from ${ids})`;
  // A delivery that is being sent again stays; it only loses the log of its first attempts.
  const forget = `delete from deliveries
    where id in (select delivery from ${ids}) and status not in ('pending', 'delivering')`;
  return {
    async tidy(signal?: AbortSignal): Promise<void> {
      const before = clock.now() - DELIVERY_RETENTION_MS;
      for (const [expired, since] of [
        [EXPIRED, before],
        [EXPIRED_PAGES, clock.now() - PAGE_RETENTION_MS],
      ] as const)
        await repeatUntilEmpty(async () => {
          const old = readRows(IdRow, await db.query(expired, [since, MAX_BATCH_ROWS]));
          const cells = JSON.stringify(old.map(({ id }) => [id]));
          if (old.length > 0) {
            await db.transaction(async (tx) => {
              await tx.query(forgetAttempts, [cells]);
              await tx.query(forget, [cells]);
            });
          }
          return toBatchResult(old);
        }, signal);
      await changeInBatches(db, { sql: FORGET_WEBHOOKS, values: [before] }, signal);
    },
  };
}
