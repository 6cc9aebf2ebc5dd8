import { z } from 'zod';
import { declareControl, declareRawControl } from '#engine/call/operation.ts';
import { LIST_INPUT, buildListOutput } from '#features/schema/lists.ts';
import { nameSchema } from '#extract/schema/names.ts';
import { DELIVERY_STATUSES, DeliveryRecord } from './delivery-log.ts';
import { WebhookView } from './schema.ts';

const EXAMPLE_MONITOR = 'mon_01kat6v3g5f2q8r9s0tvwxyzab';

/** Filters by owner; without them the deliveries of the whole tenant are listed. */
const OWNER_FILTERS = {
  monitor_id: z.string().min(1).max(100).optional().describe('Only deliveries of this monitor'),
  job_id: z.string().min(1).max(100).optional().describe('Only deliveries of this job'),
} as const;

export const listWebhooks = declareControl({
  id: 'webhooks.list',
  clientName: 'listWebhooks',
  route: 'GET /v1/webhooks',
  summary: 'Your webhooks with their last delivery, those of monitors first, newest first',
  errors: [],
  input: z.strictObject({ ...LIST_INPUT }),
  output: buildListOutput(
    nameSchema(
      'ListedWebhook',
      WebhookView.omit({ secret: true }).extend({
        owner_id: z.string().describe('Id of the monitor or job that it belongs to'),
        monitor_id: z.string().optional(),
        job_id: z.string().optional(),
        name: z.string().nullable().describe('Name of the monitor'),
        created_at: z.iso.datetime(),
        last_delivery: z
          .object({ id: z.string(), status: z.enum(DELIVERY_STATUSES), created_at: z.iso.datetime() })
          .nullable(),
      }),
    ),
  ),
  example: { limit: 10 },
});

export const listAllDeliveries = declareControl({
  id: 'deliveries.list',
  clientName: 'listDeliveries',
  route: 'GET /v1/deliveries',
  summary: 'Deliveries of all your webhooks of the last 30 days, newest first',
  errors: [],
  input: z
    .strictObject({
      status: z.enum(DELIVERY_STATUSES).optional().describe('Only deliveries with this status'),
      ...OWNER_FILTERS,
      ...LIST_INPUT,
    })
    .refine(hasAtMostOneOwner, { path: ['job_id'], message: 'send either monitor_id or job_id' }),
  output: buildListOutput(DeliveryRecord),
  example: { status: 'exhausted', limit: 10 },
});

export const redeliverAll = declareRawControl({
  id: 'deliveries.redeliver-all',
  clientName: 'redeliverAll',
  route: 'POST /v1/deliveries/redeliver',
  summary: 'Retry all exhausted deliveries of the last 30 days, at most a thousand per call, each with its webhook-id',
  errors: ['idempotency_conflict'],
  input: z
    .strictObject({ ...OWNER_FILTERS })
    .refine(hasAtMostOneOwner, { path: ['job_id'], message: 'send either monitor_id or job_id' }),
  output: z.object({
    redelivered: z.int(),
    left: z.int().describe('Exhausted deliveries that this call did not retry, without those of disabled webhooks'),
  }),
  successes: [{ status: 202, meaning: 'The deliveries are queued', type: 'application/json' }],
  example: { monitor_id: EXAMPLE_MONITOR },
});

function hasAtMostOneOwner({
  monitor_id: monitor,
  job_id: job,
}: {
  monitor_id?: string | undefined;
  job_id?: string | undefined;
}) {
  return monitor === undefined || job === undefined;
}
