import { z } from 'zod';
import { MonitorRecord } from '#features/monitors/store/monitor-record.ts';
import { WebhookView } from '#features/webhooks/schema.ts';
import { LIST_INPUT } from '#features/schema/lists.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { nameSchema } from '#extract/schema/names.ts';

export const EXAMPLE_ID = 'mon_01kat6v3g5f2q8r9s0tvwxyzab';

const Id = z.string().min(1).max(100).describe('Id of the monitor');

export const MonitorIdInput = z.strictObject({ id: Id });
export const PAGE_FIELDS = { ...LIST_INPUT, limit: wholeNumber(1, 100).default(20).describe('Rows per page') };
export const MonitorPageInput = z.strictObject({ id: Id, ...PAGE_FIELDS });

/** A monitor as responses show it. */
export const Monitor = nameSchema(
  'Monitor',
  MonitorRecord.extend({
    webhook: WebhookView.nullable().describe('Its secret is only shown in the response that created it'),
  }),
);

/** A run that is queued, or already active. */
export const QueuedRun = z.object({
  run_id: z.string(),
  status: z.enum(['queued', 'running']),
  deduped: z.literal(true).optional().describe('The run already existed'),
});
