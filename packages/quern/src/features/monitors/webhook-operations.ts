import { z } from 'zod';
import { declareControl, declareRawControl } from '#engine/call/operation.ts';
import { DeliveryRecord } from '#features/webhooks/delivery-log.ts';
import { WebhookSecret, WebhookView } from '#features/webhooks/schema.ts';
import { LIST_INPUT, buildListOutput } from '#features/schema/lists.ts';

const EXAMPLE_MONITOR = 'mon_01kat6v3g5f2q8r9s0tvwxyzab';

const MonitorId = z.string().min(1).max(100).describe('Id of the monitor');

export const monitorDeliveries = declareControl({
  id: 'monitors.deliveries',
  clientName: 'listMonitorDeliveries',
  route: 'GET /v1/monitors/{id}/deliveries',
  summary: 'Deliveries of a monitor’s webhook of the last 30 days, newest first',
  errors: ['not_found'],
  input: z.strictObject({ id: MonitorId, ...LIST_INPUT }),
  output: buildListOutput(DeliveryRecord),
  example: { id: EXAMPLE_MONITOR, limit: 10 },
});

export const testWebhook = declareRawControl({
  id: 'monitors.webhook.test',
  clientName: 'testWebhook',
  route: 'POST /v1/monitors/{id}/webhook/test',
  summary: 'Send a webhook.test event to a monitor’s webhook, once; at most 100 a day',
  errors: ['not_found', 'rate_limited'],
  input: z.strictObject({ id: MonitorId }),
  output: DeliveryRecord,
  successes: [{ status: 202, meaning: 'The delivery, which is sent immediately', type: 'application/json' }],
  example: { id: EXAMPLE_MONITOR },
});

export const rotateSecret = declareControl({
  id: 'monitors.webhook.rotate-secret',
  clientName: 'rotateWebhookSecret',
  route: 'POST /v1/monitors/{id}/webhook/rotate-secret',
  summary: 'Set a new secret for a monitor’s webhook; the old one stays valid for 24 hours',
  errors: ['not_found'],
  input: z.strictObject({
    id: MonitorId,
    secret: WebhookSecret.optional().describe('The new secret; generated and shown once if omitted'),
  }),
  output: z.object({ webhook: WebhookView }),
  example: { id: EXAMPLE_MONITOR },
});
