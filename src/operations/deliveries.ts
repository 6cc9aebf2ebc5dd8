import { z } from 'zod';
import { defineControl, defineReplies, toReply } from '#engine/operation.ts';
import type { ControlContext } from '#engine/operation.ts';
import { DeliveryRecord } from '#engine/webhooks/delivery-log.ts';
import { WebhookSecret, WebhookView } from '#engine/webhooks/schema.ts';
import { LIST_INPUT, listOutput, readPage } from './lists.ts';

const EXAMPLE_MONITOR = 'mon_01kat6v3g5f2q8r9s0tvwxyzab';
const EXAMPLE_JOB = 'job_01kat6v3g5f2q8r9s0tvwxyzab';
const EXAMPLE_ID = 'dlv_01kat6v3g5f2q8r9s0tvwxyzab';

const MonitorId = z.string().min(1).max(100).describe('The id of the monitor');
const JobId = z.string().min(1).max(100).describe('The id of the job');
const Id = z.string().min(1).max(100).describe('The id of the delivery');

export const monitorDeliveries = defineControl({
  id: 'monitors.deliveries',
  route: 'GET /v1/monitors/{id}/deliveries',
  summary: 'Deliveries of a monitor’s webhook of the last 30 days, newest first',
  errors: ['not_found'],
  input: z.strictObject({ id: MonitorId, ...LIST_INPUT }),
  output: listOutput(DeliveryRecord),
  example: { id: EXAMPLE_MONITOR, limit: 10 },
  async run(page, context) {
    await context.history.demand(context.caller.tenant, page.id);
    return listOf('monitors.deliveries', page, context);
  },
});

export const jobDeliveries = defineControl({
  id: 'jobs.deliveries',
  route: 'GET /v1/jobs/{id}/deliveries',
  summary: 'Deliveries of a job’s webhook of the last 30 days, newest first',
  errors: ['not_found'],
  input: z.strictObject({ id: JobId, ...LIST_INPUT }),
  output: listOutput(DeliveryRecord),
  example: { id: EXAMPLE_JOB, limit: 10 },
  async run(page, context) {
    await context.jobs.find(context.caller.tenant, page.id);
    return listOf('jobs.deliveries', page, context);
  },
});

type Page = { readonly id: string; readonly limit: number; readonly cursor?: string | undefined };
type Listing = Pick<ControlContext, 'caller' | 'cursors' | 'deliveries'>;

/** A page of the deliveries of one owner, whose cursors are good for that list alone. */
async function listOf(operation: string, { id, limit, cursor }: Page, { caller, cursors, deliveries }: Listing) {
  const scope = { tenant: caller.tenant, operation, filters: { id } };
  return readPage({
    limit,
    after: cursors.read(scope, cursor ?? null),
    load: async (after, most) => deliveries.list({ tenant: caller.tenant, owner: id, after, limit: most }),
    positionOf: (row) => row.id,
    cursorOf: (last) => cursors.write(scope, last),
  });
}

export const delivery = defineControl({
  id: 'deliveries.show',
  route: 'GET /v1/deliveries/{id}',
  summary: 'One delivery with its attempts',
  errors: ['not_found'],
  input: z.strictObject({ id: Id }),
  output: DeliveryRecord,
  example: { id: EXAMPLE_ID },
  run: async ({ id }, { caller, deliveries }) => deliveries.find(caller.tenant, id),
});

export const redeliver = defineReplies({
  id: 'deliveries.redeliver',
  route: 'POST /v1/deliveries/{id}/redeliver',
  summary: 'Send an event again, with the same webhook-id and a new round of attempts',
  errors: ['not_found'],
  input: z.strictObject({ id: Id }),
  output: DeliveryRecord,
  successes: [{ status: 202, meaning: 'The delivery, which is sent at once', type: 'application/json' }],
  example: { id: EXAMPLE_ID },
  run: async ({ id }, { caller, deliveries }) => toReply(202, await deliveries.redeliver(caller.tenant, id)),
});

export const testWebhook = defineReplies({
  id: 'monitors.webhook.test',
  route: 'POST /v1/monitors/{id}/webhook/test',
  summary: 'Send a webhook.test event to a monitor’s webhook, once',
  errors: ['not_found'],
  input: z.strictObject({ id: MonitorId }),
  output: DeliveryRecord,
  successes: [{ status: 202, meaning: 'The delivery, which is sent at once', type: 'application/json' }],
  example: { id: EXAMPLE_MONITOR },
  run: async ({ id }, { caller, deliveries }) => toReply(202, await deliveries.test(caller.tenant, id)),
});

export const rotateSecret = defineControl({
  id: 'monitors.webhook.rotate-secret',
  route: 'POST /v1/monitors/{id}/webhook/rotate-secret',
  summary: 'Give a monitor’s webhook a new secret; for 24 hours the old one signs beside it',
  errors: ['not_found'],
  input: z.strictObject({
    id: MonitorId,
    secret: WebhookSecret.optional().describe('The new secret; made here and shown once unless given'),
  }),
  output: z.object({ webhook: WebhookView }),
  example: { id: EXAMPLE_MONITOR },
  async run({ id, secret = null }, { caller, webhooks }) {
    return { webhook: await webhooks.rotateSecret({ tenant: caller.tenant, id }, secret) };
  },
});
