import { z } from 'zod';
import type { Db } from '#store/db.ts';
import { FIRST_PAGE, readInPieces } from '#store/list-pieces.ts';
import { readRows } from '#store/rows.ts';
import { JobRow, type JobStatus } from './job-record.ts';

/** The most characters of a sealed input without a summary. */
const MAX_LISTED_LENGTH = 16_384;

/** A long input is replaced by its summary, or left out where an earlier version stored it without one. */
const LISTED = [
  ...Object.keys(JobRow.shape).filter((name) => name !== 'input'),
  'case when summary is null then 0 else 1 end as is_summary',
  `case when summary is not null then summary when length(input) <= ${MAX_LISTED_LENGTH} then input end as input`,
].join(', ');
const LIST = `select ${LISTED} from jobs
  where tenant_id = $1 and id < $2 and id >= $3 and owner_id is null and created_at >= $4 and created_at <= $5
    and (cast($6 as text) is null or kind = $6)
    and (cast($7 as text) is null or $7 = case when expires_at <= $8 then 'expired' else status end)`;
const NEWEST = 'order by id desc limit $9';
/**
 * Few jobs are queued or running however many have ended, and each of the two states has an index of its own. The
 * concatenations keep SQLite from choosing the index of all jobs of the tenant instead.
 */
const UNDER_WAY = `select ${LISTED} from jobs
  where tenant_id || '' = $1 and id || '' < $2 and owner_id is null and created_at >= $3 and created_at <= $4
    and (cast($5 as text) is null or kind = $5)`;
const LISTS_UNDER_WAY: Readonly<Partial<Record<JobStatus, string>>> = {
  queued: `${UNDER_WAY} and status = 'queued' and due_at >= 0 order by id || '' desc limit $6`,
  running: `${UNDER_WAY} and status = 'running' order by id || '' desc limit $6`,
};
const EDGE = 'select id from jobs where tenant_id = $1 and id < $2 order by id desc limit 1 offset $3';

const ListedRow = JobRow.extend({ is_summary: z.number() });

export type ListedRow = z.output<typeof ListedRow>;

export type JobFilter = {
  readonly tenant: string;
  /** The id of the last job of the page before, null for the first page. */
  readonly after: string | null;
  /** Instants of submission in ms, inclusive. */
  readonly from: number;
  readonly to: number;
  readonly kind: string | null;
  readonly status: JobStatus | null;
  readonly limit: number;
};

/** Rows of a tenant's jobs at the instant `now`, newest first. */
export async function listRows(db: Db, filter: JobFilter, now: number): Promise<readonly ListedRow[]> {
  const { tenant, after, from, to, kind, status, limit } = filter;
  const underWay = status === null ? undefined : LISTS_UNDER_WAY[status];
  if (underWay !== undefined) {
    const values = [tenant, after ?? FIRST_PAGE, from, to, kind, limit];
    return readRows(ListedRow, await db.query(underWay, values));
  }
  return readInPieces(db, {
    edge: EDGE,
    values: [tenant],
    limit,
    after,
    async read({ below, from: least, most }) {
      const values = [tenant, below, least, from, to, kind, status, now, most];
      return readRows(ListedRow, await db.query(`${LIST} ${NEWEST}`, values));
    },
  });
}
