import type { Sealer } from '#kernel/sealing.ts';
import type { Statements } from '#store/db.ts';
import { readRow } from '#store/rows.ts';
import { JobRow, openInput, toRecord } from '#engine/jobs/job-record.ts';
import { enqueueDelivery } from './enqueue.ts';
import { toEnvelope } from './envelope.ts';
import type { JOB_EVENTS } from './schema.ts';

const FIND = 'select * from jobs where id = $1';

type JobEndEvent = {
  readonly type: (typeof JOB_EVENTS)[number];
  /** Sealed the input of the job. */
  readonly sealer: Sealer;
  /** ms. */
  readonly now: number;
};

/** Enqueues the event of an ended job with its record, in the transaction that ends the job. */
export async function notifyOfJobEnd(tx: Statements, jobId: string, { type, sealer, now }: JobEndEvent): Promise<void> {
  const row = readRow(JobRow, await tx.query(FIND, [jobId]));
  if (row === null) return;
  // A job ends once, so its event has the id of the job: enqueued again in a repeated transaction it is the same.
  const eventId = jobId.replace('job_', 'evt_');
  const data = toRecord(row, openInput(sealer, row), now);
  const about = { job_id: jobId };
  const body = toEnvelope({ id: eventId, type, at: now, about, data, path: `/v1/jobs/${jobId}` });
  await enqueueDelivery(tx, { eventId, type, owner: jobId, body, now });
}
