import { z } from 'zod';
import type { Attempt } from '#access/page.ts';
import { type Clock, toTimestamp } from '#kernel/clock.ts';
import type { Db, Queryable } from '#store/db.ts';
import type { GroupedTransaction } from '#store/group-commit.ts';
import { readRow, readRows } from '#store/rows.ts';
import { changeInBatches, listInPieces } from '#store/batches.ts';
import { SERVED_TIERS } from '#engine/credits/prices.ts';

const ADD = `insert into requests (tenant_id, id, at, operation, status, code, credits, tier, duration_ms,
    input_tokens, output_tokens, attempts, url, message)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) on conflict do nothing`;
const COLUMNS =
  'id, at, operation, status, code, credits, tier, duration_ms, input_tokens, output_tokens, url, message';
const LIST = `select ${COLUMNS} from requests
  where tenant_id = $1 and id < $2 and id >= $3 and at >= $4 and at <= $5
    and (cast($6 as text) is null or operation = $6)`;
const EDGE = 'select id from requests where tenant_id = $1';
const NEWEST = 'order by id desc limit';
/** Failed calls have an index of their own. */
const REFUSED = 'status <> 200';
const LISTS = {
  all: {
    edge: `${EDGE} and id < $2 ${NEWEST} 1 offset $3`,
    list: `${LIST} and (cast($7 as bigint) is null or status = $7) ${NEWEST} $8`,
  },
  refused: {
    edge: `${EDGE} and ${REFUSED} and status = $2 and id < $3 ${NEWEST} 1 offset $4`,
    list: `${LIST} and ${REFUSED} and status = $7 ${NEWEST} $8`,
  },
} as const;
const FIND = `select ${COLUMNS}, attempts from requests where tenant_id = $1 and id = $2 and at >= $3`;
const FORGET = `delete from requests
  where (tenant_id, id) in (select tenant_id, id from requests where at < $1 limit $2) returning id`;

/** How long requests stay in the log. */
const RETENTION_MS = 24 * 3600 * 1000;

const RequestRow = z.object({
  id: z.string(),
  at: z.string(),
  operation: z.string(),
  status: z.number(),
  code: z.string().nullable(),
  credits: z.number(),
  tier: z.enum(SERVED_TIERS).nullable(),
  duration_ms: z.number(),
  input_tokens: z.number(),
  output_tokens: z.number(),
  url: z.string().nullable(),
  message: z.string().nullable(),
});
const FullRequestRow = RequestRow.extend({ attempts: z.string() });

/** A logged call of work, as `/v1/requests` returns it. */
export type LoggedRequest = z.output<typeof RequestRow>;

export type RequestEntry = LoggedRequest & {
  readonly tenant: string;
  readonly attempts: readonly Attempt[];
};

export type RequestFilter = {
  readonly tenant: string;
  /** The id of the last row of the previous page; null for the first page. */
  readonly after: string | null;
  /** ISO 8601 UTC, inclusive. */
  readonly from: string;
  readonly to: string;
  readonly operation: string | null;
  readonly status: number | null;
  readonly limit: number;
};

type RequestLogParts = { readonly db: Db; readonly inTurn: GroupedTransaction; readonly clock: Clock };

/** The log of calls of work, with every attempt. Ids are ordered by time. */
export class RequestLog {
  readonly #parts: RequestLogParts;

  constructor(parts: RequestLogParts) {
    this.#parts = parts;
  }

  /** Logs a call in the transaction of its charge. */
  async write(tx: Queryable, entry: RequestEntry): Promise<void> {
    const { tenant, id, at, operation, status, code, credits, tier, duration_ms } = entry;
    const { input_tokens: read, output_tokens: written, attempts, url, message } = entry;
    const call = [tenant, id, at, operation, status, code, credits, tier, duration_ms];
    await tx.query(ADD, [...call, read, written, JSON.stringify(attempts), url, message]);
  }

  /** Logs a call that was not charged. */
  async add(entry: RequestEntry): Promise<void> {
    await this.#parts.inTurn({ tenant: entry.tenant }, async (tx) => this.write(tx, entry));
  }

  /** Lists the newest first. */
  async list(filter: RequestFilter): Promise<readonly LoggedRequest[]> {
    const { db } = this.#parts;
    const { tenant, after, to, operation, status, limit } = filter;
    const earliest = this.#earliest();
    const from = filter.from > earliest ? filter.from : earliest;
    const isRefused = status !== null && status !== 200;
    const { edge, list } = isRefused ? LISTS.refused : LISTS.all;
    return listInPieces(db, {
      edge,
      values: isRefused ? [tenant, status] : [tenant],
      limit,
      after,
      async read({ below, from: least, most }) {
        return readRows(RequestRow, await db.query(list, [tenant, below, least, from, to, operation, status, most]));
      },
    });
  }

  /** Null if it is unknown, too old or of another tenant. */
  async find(tenant: string, id: string) {
    const row = readRow(FullRequestRow, await this.#parts.db.query(FIND, [tenant, id, this.#earliest()]));
    if (row === null) return null;
    const attempts: unknown = JSON.parse(row.attempts);
    return { ...row, attempts };
  }

  /** Deletes expired requests. */
  async deleteExpired(signal?: AbortSignal): Promise<void> {
    await changeInBatches(this.#parts.db, { sql: FORGET, values: [this.#earliest()] }, signal);
  }

  /** The oldest time that is returned. Older requests are hidden even before they are deleted. */
  #earliest(): string {
    return toTimestamp(this.#parts.clock.now() - RETENTION_MS);
  }
}
